import { $, ask, complain, latest, make, ready, remember, say, state, symbols } from "./common.js";
import { general } from "./numbers.js";
import { DEFAULTS, areGrades, connect, kept, request, restore, showAgainst, takeGrades } from "./against.js";
import { blank, chart } from "./chart.js";
import { savePicture } from "./save.js";
import { sortable } from "./sortable.js";

const letters = (text) => [...text];
const PRESETS = {
  paper: ["The example of the paper", "d2 d1 d4 d3".split(" "), "d1 d4 d2 d3".split(" "), "1", "Point 2, 1, 0, 0: the item too high at rank 1 is compensated at rank 3."],
  early: ["Early misplacement", letters("bacdefghij").map(up), letters("abcdefghij").map(up), "1/i", "The first two are swapped. Compare with “late misplacement”: with the weight 1/i an early swap costs more, with weight 1 as much."],
  late: ["Late misplacement", letters("abcdefghji").map(up), letters("abcdefghij").map(up), "1/i", "The last two are swapped: Kendall and footrule say the same as for an early swap; the weighted area says less."],
  recovery: ["Quick recovery", letters("badcfehgji").map(up), letters("abcdefghij").map(up), "1", "Every pair of neighbours is swapped. The point curve falls back to 0 after each pair: the lists agree again at ranks 2, 4, 6 …"],
  none: ["No recovery", letters("fghijabcde").map(up), letters("abcdefghij").map(up), "1", "The halves have changed places: nothing is compensated before the second half, and the area is large."],
  reversed: ["Reversed", letters("jihgfedcba").map(up), letters("abcdefghij").map(up), "1", "The largest distance; A-corr is 0."],
  ties: ["Ties and different items", [["A", "B"], "C", "D", "E", "X"], ["B", "A", ["C", "D"], "E", "Y"], "1", "A and B are tied in the first list, C and D in the second; X and Y are in one list only."],
};
function up(letter) {
  return letter.toUpperCase();
}

// A tied group is one entry: its items with " = " between them on the page, tabs in text.
const shownGroup = (group) => (Array.isArray(group) ? group.join(" = ") : group);
const fromText = (text) => text.split("\n").map((line) => line.split("\t").map((item) => item.trim()).filter(Boolean)).filter((group) => group.length).map((group) => (group.length > 1 ? group : group[0]));
const toText = (list) => list.map((group) => (Array.isArray(group) ? group.join("\t") : group)).join("\n");

const lists = { first: [], second: [] };
let names = ["first", "second"];

let mode = "two";
let picture = null; // the description of the chart that is shown

function weights() {
  const h = $("h").value;
  return { h: h === "1" || h === "1/i" ? h : Number(h), p: Number($("p").value), k: Number($("k").value) };
}

const update = latest(async (signal) => {
  $("chart").classList.add("busy");
  try {
    const two = mode === "two";
    const result = two ? await ask("/api/rankings", { body: { first: lists.first, second: lists.second, names, ...weights() }, signal }) : await request(mode, weights(), signal);
    complain($("error"));
    keep();
    $("numbers").hidden = !two;
    $("against-part").hidden = two || result === null;
    if (two) $("said").hidden = true;
    draw(result, result && (two ? show(result) : showAgainst(result)));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain($("error"), error);
  }
  $("chart").classList.remove("busy");
});

function draw(result, label) {
  picture = result?.chart ?? null;
  for (const kind of ["svg", "png"]) $(`save-${kind}`).disabled = picture === null;
  if (picture === null) blank($("chart"));
  else chart($("chart"), picture, label);
}

function use(next) {
  mode = next;
  for (const button of $("modes").children) {
    button.setAttribute("aria-pressed", String(button.value === mode));
    $(`part-${button.value}`).hidden = button.value !== mode;
  }
}

function show(result) {
  const rows = result.numbers.map(({ key, label, text, most }) =>
    make("tr", { id: `number-${key}` }, make("th", { scope: "row" }, ...symbols(label)), make("td", { className: "n", textContent: text }), make("td", { className: "n", textContent: most === null ? "" : general(most) })));
  $("numbers").tBodies[0].replaceChildren(...rows);
  const corr = result.numbers.find((number) => number.key === "a_corr");
  return `Curves over ${result.items} ranks. Point: ${result.point.slice(0, 20).join(", ")}. A-corr ${corr.text}.`;
}

const PARTS = { reference: ["reference", "rankings"], grades: ["grades", "relevant"], files: ["source", "topic", "depth"] }; // of the address

function keep() {
  const own = $("preset").value === "";
  const shared = { h: $("h").value, p: $("p").value, k: $("k").value };
  if (mode !== "two") {
    const values = kept();
    remember({ mode, ...Object.fromEntries(PARTS[mode].map((key) => [key, values[key]])), ...shared }, { ...DEFAULTS, h: "1", p: "0.9", k: "10" });
    return;
  }
  remember({
    preset: $("preset").value,
    a: own ? toText(lists.first) : "",
    b: own ? toText(lists.second) : "",
    ...shared,
  }, { h: own ? "1" : PRESETS[$("preset").value][3], p: "0.9", k: "10" });
}

function changed(text) {
  $("preset").value = "";
  $("told").textContent = "";
  render();
  keep();
  update();
  if (text) say(text);
}

function render() {
  for (const side of ["first", "second"]) boards[side].show(lists[side].map(shownGroup));
  fill();
}

/** Puts the lists into the form while it is closed: what somebody writes there stays. */
function fill() {
  if ($("paste").parentElement.open) return;
  for (const side of ["first", "second"]) $(`text-${side}`).value = toText(lists[side]);
}

const boards = Object.fromEntries(["first", "second"].map((side) => [side, sortable($(side), (from, to, text) => {
  const [item] = lists[side].splice(from, 1);
  lists[side].splice(to, 0, item);
  changed(text);
})]));

function load(key) {
  const [, first, second, h, told] = PRESETS[key];
  lists.first = structuredClone(first);
  lists.second = structuredClone(second);
  $("preset").value = key;
  $("told").textContent = told;
  $("h").value = h;
}

const again = () => {
  keep();
  update();
};
for (const [key, [label]] of Object.entries(PRESETS)) $("preset").append(make("option", { value: key, textContent: label }));
$("preset").addEventListener("change", () => {
  if ($("preset").value) load($("preset").value);
  render();
  again();
});
for (const id of ["h", "p", "k"]) $(id).addEventListener("change", again);
$("shuffle").addEventListener("click", () => {
  for (let at = lists.first.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [lists.first[at], lists.first[other]] = [lists.first[other], lists.first[at]];
  }
  changed("shuffled");
});
$("reverse").addEventListener("click", () => {
  lists.first.reverse();
  changed("reversed");
});
$("align").addEventListener("click", () => {
  lists.first = structuredClone(lists.second);
  changed("the first list is like the second");
});
$("exchange").addEventListener("click", () => {
  [lists.first, lists.second] = [lists.second, lists.first];
  changed("exchanged");
});
$("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  const [first, second] = [fromText($("text-first").value), fromText($("text-second").value)];
  const relevance = areGrades(...[first, second].filter((list) => list.length));
  if (relevance) {
    takeGrades(relevance);
    use("grades");
    update();
    say("these are relevance lists; they are compared with their ideal order");
    return;
  }
  [lists.first, lists.second] = [first, second];
  changed("taken");
});
$("paste").parentElement.addEventListener("toggle", fill);

$("modes").addEventListener("click", ({ target }) => {
  if (!target.value) return;
  use(target.value);
  update();
});
for (const kind of ["svg", "png"]) $(`save-${kind}`).addEventListener("click", () => savePicture(picture, "rankings", kind).catch((error) => complain($("error"), error)));

const asked = state();
load(asked.preset in PRESETS ? asked.preset : "paper");
if (asked.a && asked.b) {
  $("preset").value = "";
  $("told").textContent = "";
  $("h").value = "1";
  lists.first = fromText(asked.a);
  lists.second = fromText(asked.b);
}
if (asked.h) $("h").value = asked.h;
if (asked.p) $("p").value = asked.p;
if (asked.k) $("k").value = asked.k;
render();
connect(update);
if (asked.mode in PARTS) use(asked.mode);
await restore(asked).catch((error) => complain($("error"), error));
ready();
update();
