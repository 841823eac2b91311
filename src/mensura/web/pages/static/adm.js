import { $, ask, complain, latest, make, ready, remember, say, state } from "./common.js";
import { general, fixed } from "./numbers.js";
import { chart } from "./chart.js";

const FIRST = { source: "demo", srs: "linear", documents: "retrieved", cutoff: "20" };
const KEYS = ["source", "srs", "documents", "cutoff"];
let chosen = {};

function measure() {
  const parameters = [];
  if ($("srs").value !== FIRST.srs) parameters.push(`srs='${$("srs").value}'`);
  if ($("documents").value !== FIRST.documents) parameters.push(`documents='${$("documents").value}'`);
  const cutoff = Math.round(Number($("cutoff").value));
  return `ADM${parameters.length ? `(${parameters.join(", ")})` : ""}${cutoff >= 1 ? `@${cutoff}` : ""}`;
}

const update = latest(async (signal) => {
  const query = new URLSearchParams({ measure: measure() });
  if ($("source").value === "demo") query.set("demo", "8");
  for (const key of ["system", "topic"]) if (chosen[key]) query.set(key, chosen[key]);
  $("chart").classList.add("busy");
  try {
    const plane = await ask(`/api/adm?${query}`, { signal });
    complain($("error"));
    show(plane);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain($("error"), error);
  }
  $("chart").classList.remove("busy");
});

const head = (texts) => make("thead", {}, make("tr", {}, ...texts.map((text) => make("th", { scope: "col", className: "n", textContent: text }))));
const row = (texts) => make("tr", {}, ...texts.map((text) => make("td", { className: "n", textContent: text })));

function show(plane) {
  for (const key of ["system", "topic"]) {
    $(key).replaceChildren(...plane[`${key}s`].map((name) => make("option", { textContent: name })));
    $(key).value = chosen[key] = plane[key];
  }
  remember({ ...Object.fromEntries(KEYS.map((key) => [key, $(key).value])), system: plane.system, topic: plane.topic }, FIRST);
  const value = make("dd", { className: "big", id: "value", textContent: fixed(plane.value) });
  $("facts").replaceChildren(make("div", {}, make("dt", { textContent: plane.measure }), value), make("div", {}, make("dt", { textContent: "mean over all topics" }), make("dd", { id: "mean", textContent: fixed(plane.mean) })), make("div", {}, make("dt", { textContent: "documents" }), make("dd", { textContent: String(plane.documents.length) })));
  $("levels").replaceChildren(head(["URS", "documents", "median SRS"]), make("tbody", {}, ...plane.medians.map((level) => row([fixed(level.urs), String(level.documents), fixed(level.srs)]))));
  const rows = plane.documents.slice(0, 1000).map((each) => row([each.rank ?? "–", each.score === null ? "–" : general(each.score), fixed(each.srs), each.grade ?? "–", fixed(each.urs), fixed(each.distance)]));
  $("rows").replaceChildren(head(["rank", "score", "SRS", "grade", "URS", "distance"]), make("tbody", {}, ...rows));
  chart($("chart"), plane.chart, `${plane.documents.length} documents in the plane of URS and SRS; ${plane.measure} is ${fixed(plane.value)}`);
  say(`${plane.measure} of ${plane.system} on topic ${plane.topic} is ${fixed(plane.value)}`);
}

$("pick").addEventListener("submit", (event) => event.preventDefault());
$("pick").addEventListener("change", (event) => {
  if (event.target.id === "source") chosen = {};
  if (event.target.id === "system" || event.target.id === "topic") chosen[event.target.id] = event.target.value;
  update();
});

const asked = { ...FIRST, ...state() };
for (const key of KEYS) $(key).value = asked[key];
chosen = { system: asked.system, topic: asked.topic };
ready();
update();
