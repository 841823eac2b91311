import { $, ask, complain, latest, make, remember, say, short, shown, state } from "./common.js";
import { chart } from "./chart.js";

const FIRST = { source: "demo", srs: "linear", documents: "retrieved", cutoff: "20" };
const KEYS = ["source", "srs", "documents", "cutoff"];
let wanted = {};

function measure() {
  const given = [];
  if ($("srs").value !== FIRST.srs) given.push(`srs='${$("srs").value}'`);
  if ($("documents").value !== FIRST.documents) given.push(`documents='${$("documents").value}'`);
  const cutoff = Math.round(Number($("cutoff").value));
  return `ADM${given.length ? `(${given.join(", ")})` : ""}${cutoff >= 1 ? `@${cutoff}` : ""}`;
}

const update = latest(async (signal) => {
  const query = new URLSearchParams({ measure: measure() });
  if ($("source").value === "demo") query.set("demo", "8");
  for (const key of ["system", "topic"]) if (wanted[key]) query.set(key, wanted[key]);
  $("chart").classList.add("busy");
  try {
    const found = await ask(`/api/adm?${query}`, { signal });
    complain($("error"));
    show(found);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain($("error"), error);
  }
  $("chart").classList.remove("busy");
});

const head = (texts) => make("thead", {}, make("tr", {}, ...texts.map((text) => make("th", { scope: "col", className: "n", textContent: text }))));
const row = (texts) => make("tr", {}, ...texts.map((text) => make("td", { className: "n", textContent: text })));

function show(found) {
  for (const key of ["system", "topic"]) {
    $(key).replaceChildren(...found[`${key}s`].map((name) => make("option", { textContent: name })));
    $(key).value = wanted[key] = found[key];
  }
  remember({ ...Object.fromEntries(KEYS.map((key) => [key, $(key).value])), system: found.system, topic: found.topic }, FIRST);
  const value = make("dd", { className: "big", id: "value", textContent: shown(found.value) });
  $("facts").replaceChildren(make("div", {}, make("dt", { textContent: found.measure }), value), make("div", {}, make("dt", { textContent: "mean over all topics" }), make("dd", { id: "mean", textContent: shown(found.mean) })), make("div", {}, make("dt", { textContent: "documents" }), make("dd", { textContent: String(found.documents.length) })));
  $("levels").replaceChildren(head(["URS", "documents", "median SRS"]), make("tbody", {}, ...found.medians.map((level) => row([shown(level.urs), String(level.documents), shown(level.srs)]))));
  const rows = found.documents.slice(0, 1000).map((each) => row([each.rank ?? "–", each.score === null ? "–" : short(each.score), shown(each.srs), each.grade ?? "–", shown(each.urs), shown(each.distance)]));
  $("rows").replaceChildren(head(["rank", "score", "SRS", "grade", "URS", "distance"]), make("tbody", {}, ...rows));
  chart($("chart"), found.chart, `${found.documents.length} documents in the plane of URS and SRS; ${found.measure} is ${shown(found.value)}`);
  say(`${found.measure} of ${found.system} on topic ${found.topic} is ${shown(found.value)}`);
}

$("pick").addEventListener("submit", (event) => event.preventDefault());
$("pick").addEventListener("change", (event) => {
  if (event.target.id === "source") wanted = {};
  if (event.target.id === "system" || event.target.id === "topic") wanted[event.target.id] = event.target.value;
  update();
});

const asked = { ...FIRST, ...state() };
for (const key of KEYS) $(key).value = asked[key];
wanted = { system: asked.system, topic: asked.topic };
update();
