// Lists against a reference, relevance lists and runs against their ideal rankings: what is asked, and what is shown.

import { $, ask, complain, make, say, symbols } from "./common.js";
import { listFiles, uploads } from "./uploads.js";

const MOST = 8;
const EXAMPLES = {
  reference: "A B C D E F G H",
  rankings: "first pair: B A C D E F G H\nlast pair: A B C D E F H G\npairs: B A D C F E H G\nfirst to last: B C D E F G H A\nlast to first: H A B C D E F G\nhalves: E F G H A B C D\nevens: B D F H A C E G\nreversed: H G F E D C B A",
  grades: "good: 3 2 2 0\nlate: 0 2 2 3\npoor: 0 0 0 2",
};
for (const [id, text] of Object.entries(EXAMPLES)) $(id).value = text;

let chosen = { topic: null, systems: [] };
let uploaded = [];

/** Lines of text as [name, words]; a line without a name is called by its number. */
function lines(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line, at) => {
    const [, name, rest] = /^(?:([^:]*):)?(.*)$/.exec(line);
    return [(name ?? "").trim() || `list ${at + 1}`, rest.trim()];
  });
}

const words = (text) => text.split(text.includes(",") ? "," : /\s+/).map((word) => word.trim()).filter(Boolean);
const items = (text) => words(text).map((word) => (word.includes("=") ? word.split("=").map((item) => item.trim()).filter(Boolean) : word));

function grades(text) {
  return words(text).map((word) => {
    if (!/^\d{1,3}$/.test(word)) throw new Error(`“${word}” is not a grade; write whole numbers, e.g. 3 2 2 0`);
    return Number(word);
  });
}

function few(list) {
  if (list.length > MOST) throw new Error(`there are ${list.length} lists; up to ${MOST} can be told apart`);
  return list;
}

/** Whether two pasted lists are relevance lists: lines of grades, or items that are grades and come twice. */
export function areGrades(...lists) {
  const flat = lists.map((list) => (list.length === 1 && typeof list[0] === "string" ? words(list[0]) : list.flat()));
  const numbers = flat.every((list) => list.length > 1 && list.every((word) => /^\d{1,3}$/.test(word)));
  if (!numbers) return null;
  const apart = lists.some((list, at) => list.length === 1 || new Set(flat[at]).size < flat[at].length);
  return apart ? flat : null;
}

/** Puts relevance lists into their field. */
export function takeGrades(lists) {
  $("grades").value = lists.map((list, at) => `${["first", "second"][at]}: ${list.join(" ")}`).join("\n");
  $("relevant").value = "";
}

/** Asks for the comparison of a mode; null if there is nothing to compare yet. */
export async function request(mode, { h, p, k }, signal) {
  if (mode === "reference") {
    const rankings = few(lines($("rankings").value)).map(([name, text]) => ({ name, items: items(text) }));
    return ask("/api/rankings/reference", { body: { reference: items($("reference").value), rankings, h, p, k }, signal });
  }
  if (mode === "grades") {
    const lists = few(lines($("grades").value)).map(([name, text]) => ({ name, grades: grades(text) }));
    const relevant = $("relevant").value.trim() ? grades($("relevant").value) : null;
    return ask("/api/rankings/ideal", { body: { lists, relevant, h }, signal });
  }
  const demo = $("source").value === "demo";
  $("upload").hidden = demo;
  if (!demo && !["qrels", "run"].every((kind) => uploaded.some((file) => file.kind === kind))) return null;
  const query = new URLSearchParams({ depth: $("depth").value, h });
  if (demo) query.set("demo", "8");
  if (chosen.topic) query.set("topic", chosen.topic);
  for (const system of chosen.systems) query.append("system", system);
  const result = await ask(`/api/rankings/runs?${query}`, { signal });
  offer(result);
  return result;
}

/** Fills the choosers of runs with what there is. */
function offer({ systems, topics, lines: shown }) {
  const all = make("option", { value: "all", textContent: `all: mean over ${topics.length}` });
  $("topic").replaceChildren(all, ...topics.map((topic) => make("option", { value: topic, textContent: topic })));
  chosen.topic ??= topics[0];
  $("topic").value = chosen.topic;
  chosen.systems = shown.map((line) => line.name);
  const boxes = () => [...$("systems").querySelectorAll("input")];
  if (boxes().map((box) => box.value).join("\n") !== systems.join("\n")) {
    $("systems").replaceChildren(...systems.map((name) => make("label", {}, make("input", { type: "checkbox", value: name }), ` ${name}`)));
  }
  for (const box of boxes()) {
    box.checked = chosen.systems.includes(box.value);
    box.disabled = !box.checked && chosen.systems.length >= MOST;
  }
}

/** Shows the numbers of rankings, a row for each, and where runs lose and recover. */
export function showAgainst({ columns, lines: rankings, reference }) {
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }), ...columns.map((text) => make("th", { scope: "col", className: "n" }, ...symbols(text)))));
  const rows = rankings.map(({ name, cells }) => make("tr", {}, make("th", { scope: "row", textContent: name }), ...cells.map((text) => make("td", { className: "n", textContent: text }))));
  $("against").replaceChildren(make("caption", { textContent: `Against ${reference}` }), head, make("tbody", {}, ...rows));
  const texts = rankings.map(({ said }) => said).filter(Boolean);
  $("said").replaceChildren(...texts.map((text) => make("li", { textContent: text })));
  $("said").hidden = texts.length === 0;
  const at = columns.indexOf("A-corr");
  const ends = rankings.map(({ name, cells }) => `${name} ${cells[at]}`).join(", ");
  say(`A-corr: ${ends}`);
  return `Curves of point, area and A-corr against ${reference}. A-corr: ${ends}.`;
}

/** Connects the fields; `again` is called when something else is to be compared. */
export function connect(again) {
  for (const mode of ["reference", "grades", "files"]) {
    $(`part-${mode}`).addEventListener("submit", (event) => {
      event.preventDefault();
      again();
    });
  }
  $("source").addEventListener("change", () => {
    chosen = { topic: null, systems: [] };
    $("systems").replaceChildren();
    $("topic").replaceChildren();
    again();
    if ($("source").value === "files") listFiles().catch((error) => complain($("error"), error));
  });
  $("topic").addEventListener("change", () => {
    chosen.topic = $("topic").value;
    again();
  });
  $("depth").addEventListener("change", again);
  $("systems").addEventListener("change", () => {
    const checked = [...$("systems").querySelectorAll(":checked")].map((box) => box.value);
    if (checked.length) chosen.systems = checked;
    again();
  });
  document.addEventListener("files", ({ detail }) => {
    const judgments = (files) => files.find((file) => file.kind === "qrels")?.id;
    if (judgments(detail) !== judgments(uploaded)) chosen.topic = null;
    chosen.systems = [];
    uploaded = detail;
    if ($("source").value === "files") again();
  });
  uploads((error) => complain($("error"), error));
}

/** What of the choice belongs into the address. */
export const kept = () => ({
  reference: $("reference").value, rankings: $("rankings").value, grades: $("grades").value, relevant: $("relevant").value,
  source: $("source").value, topic: chosen.topic, depth: $("depth").value,
});
export const DEFAULTS = { ...EXAMPLES, source: "demo", depth: "100" };

/** Takes the choice from the address. */
export async function restore(asked) {
  for (const id of ["reference", "rankings", "grades", "relevant", "source", "depth"]) if (asked[id]) $(id).value = asked[id];
  if ($("source").value === "files") await listFiles();
  if (asked.topic) chosen.topic = asked.topic;
}
