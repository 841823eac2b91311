import { $, ask, complain, latest, make, ready, remember, say, state, steady } from "./common.js";
import { general, fixed } from "./numbers.js";
import { chart } from "./chart.js";
import { stretch } from "./stretch.js";

const SYSTEMS = [..."ABCDEFGH"].map((letter) => `sys${letter}`);
const EXAMPLES = {
  wine: ["Two wineries", { names: ["X", "Y"], values: [[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]], higher: true }, "Points of five wines each, on an ordinal scale (P4, Example 6). X has the higher mean until good wines get more points."],
  first: ["First relevant documents", { names: ["A", "B"], values: [[1, 0.5, 0.25], [0.5, 0.5, 0.5]], higher: true }, "Reciprocal ranks of first relevant documents at ranks 1, 2, 4 and 2, 2, 2 (P3): by mean reciprocal rank A is better, by mean rank B."],
  safe: ["A safe statement", { names: ["A", "B"], values: [[0.8, 0.3, 0.6, 0.5, 0.9], [0.2, 0.5, 0.4, 0.7, 0.3]], higher: true }, "B is better on two topics. Still, sorted, A's values are nowhere below B's: no transformation of a common scale makes B better."],
};
const KNOBS = 6;
let samples = null;
let knots = [];
let verdict = null;

const board = stretch($("stretch"), (moved) => {
  knots = moved;
  keep();
  move();
});

function identity() {
  const all = samples.values.flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (low === high) return [[low, low]];
  return Array.from({ length: KNOBS }, (_, at) => low + ((high - low) * at) / (KNOBS - 1)).map((x) => [x, x]);
}

const isIdentity = () => knots.every(([x, y]) => x === y);

function keep() {
  const source = $("source").value;
  const demo = source === "demo";
  const own = source === "own";
  const kept = remember({
    source,
    measure: demo ? $("measure").value : "", first: demo ? $("one").value : "", second: demo ? $("other").value : "",
    names: own ? samples.names.join("\t") : "", a: own ? samples.values[0].join(",") : "", b: own ? samples.values[1].join(",") : "", lower: own && !samples.higher ? "1" : "",
    knots: isIdentity() ? "" : knots.map(([x, y]) => `${x}:${Number(y.toPrecision(8))}`).join(","),
  }, { source: "wine" });
  if (!kept) $("told").textContent = "These are too many values to share as a link.";
}

const move = steady(async () => {
  try {
    const moved = await ask("/api/meaning/transformed", { body: { samples, knots } });
    complain($("error"));
    showMeans(moved);
    board.values(samples.values, moved.values, [average(samples.values[0]), average(samples.values[1])], moved.means);
  } catch (error) {
    complain($("error"), error);
  }
});

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function showMeans({ means, better }) {
  const [one, other] = samples.names;
  $("means").replaceChildren(...[["first", one, means[0]], ["second", other, means[1]]].map(([side, name, mean]) =>
    make("div", { className: better === side ? "ahead" : "", id: `mean-${side}` }, make("span", { className: "who", textContent: `mean of ${name}` }), make("span", { className: "big", textContent: general(mean) }))));
  const now = better === "neither" ? `${one} and ${other} have the same mean` : `${better === "first" ? one : other} has the better mean`;
  const was = verdict === null || verdict.equal ? null : verdict.better === one ? "first" : "second";
  const swapped = was !== null && better !== was;
  const text = isIdentity() ? `${now} as the values are.` : swapped ? `${now} now: the statement has changed.` : `${now} after this transformation too.`;
  if ($("now").textContent !== text) say(`${text} ${general(means[0])} and ${general(means[1])}`);
  $("now").textContent = text;
  $("now").className = swapped && !isIdentity() ? "no" : "";
}

const judge = latest(async (signal) => {
  try {
    verdict = await ask("/api/meaning", { body: samples, signal });
    complain($("error"));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain($("error"), error);
    return;
  }
  const { better, worse, means, signs, survives, equal, meaning, stretch, knots: change, one_topic: topic } = verdict;
  $("verdict").className = survives ? "verdict" : "verdict warn";
  const title = equal ? "The means are equal" : survives ? `Yes: ${better} has the better mean on every increasing scale` : `No: “${better} has the better mean than ${worse}” depends on the scale`;
  $("verdict").replaceChildren(make("p", {}, make("strong", { textContent: title })), make("p", { textContent: `Means ${general(means[0])} and ${general(means[1])}. ${better} is better on ${signs[0]} topics, worse on ${signs[1]}, equal on ${signs[2]}.` }));
  $("why").textContent = equal ? "" : `${meaning[0].toUpperCase()}${meaning.slice(1)}.`;
  $("bend").textContent = equal ? "" : bend(stretch);
  $("one-topic").textContent = topic === null ? (survives ? "Nor does a scale of its own for each topic change it." : "") : `If each topic has a scale of its own (measures with a recall base), topic ${topic.topic} alone changes it: ${topic.transformation} there gives means ${general(topic.means[0])} and ${general(topic.means[1])}.`;
  $("reversal").disabled = change === null;
  $("reversal").textContent = change === null ? "No transformation changes it" : "Show a transformation that changes it";
  await chart($("chart"), verdict.chart, `Proportion of topics above each value, for ${better} and ${worse}`);
});

// by how much a scale must be bent: the stretch index, on the values as they are
function bend(stretch) {
  const [one, own] = [stretch["one scale"], stretch["one scale per topic"]];
  const times = (index) => (index === null || index < 0 ? "∞ (no scale reverses it)" : fixed(index, 3));
  return `Stretch index on these values: ${times(one)} with one scale for all topics, ${times(own)} with one for each topic. No scale reverses the statement unless it stretches some part that many times more than another.`;
}

async function take(values, kept = null) {
  samples = { names: values.names, values: values.values, higher: values.higher };
  if (values.topics) samples.topics = values.topics;
  verdict = null;
  $("reversal").disabled = true; // until the verdict is there
  knots = kept ?? identity();
  board.knots(knots);
  keep();
  judge().then(move);
}

const choose = latest(async (signal, kept = null) => {
  const source = $("source").value;
  for (const field of document.querySelectorAll("[data-demo]")) field.hidden = source !== "demo";
  $("told").textContent = "";
  if (source in EXAMPLES) {
    $("told").textContent = EXAMPLES[source][2];
    await take(structuredClone(EXAMPLES[source][1]), kept);
  } else if (source === "demo") {
    $("told").textContent = "The campaign that mensura demo simulates: 8 systems, 30 topics.";
    try {
      const values = await ask(`/api/meaning/demo?${new URLSearchParams({ first: $("one").value, second: $("other").value, measure: $("measure").value })}`, { signal });
      await take(values, kept);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      complain($("error"), error);
    }
  } else {
    $("own").open = true;
    $("text").focus();
  }
});

async function read(text) {
  try {
    const values = await ask("/api/meaning/read", { body: { text } });
    $("source").value = "own";
    for (const field of document.querySelectorAll("[data-demo]")) field.hidden = true;
    $("told").textContent = `${values.values[0].length} topics, ${values.names.join(" and ")}.`;
    complain($("error"));
    await take(values);
  } catch (error) {
    complain($("error"), error);
  }
}

$("source").replaceChildren(...Object.entries(EXAMPLES).map(([key, [label]]) => make("option", { value: key, textContent: label })), make("option", { value: "demo", textContent: "the demo campaign" }), make("option", { value: "own", textContent: "your own values" }));
for (const id of ["one", "other"]) $(id).replaceChildren(...SYSTEMS.map((name) => make("option", { textContent: name })));
$("one").value = "sysD";
$("other").value = "sysH";
for (const id of ["source", "measure", "one", "other"]) $(id).addEventListener("change", () => choose());
$("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  read($("text").value);
});
$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (!file) return;
  if (file.size > 500_000) complain($("error"), new Error(`${file.name} is larger than 500 KB; the page Evaluate takes larger files`));
  else read(await file.text());
});
$("reset").addEventListener("click", () => {
  knots = identity();
  board.knots(knots);
  keep();
  move();
});
$("reversal").addEventListener("click", () => {
  knots = structuredClone(verdict.knots);
  board.knots(knots);
  keep();
  move();
});

const asked = state();
const shared = asked.knots?.split(",").map((knot) => knot.split(":").map(Number));
const kept = shared?.every((knot) => knot.length === 2 && knot.every(Number.isFinite)) ? shared : null;
if (asked.a && asked.b) {
  $("source").value = "own";
  for (const field of document.querySelectorAll("[data-demo]")) field.hidden = true;
  await take({ names: (asked.names ?? "A\tB").split("\t"), values: [asked.a.split(",").map(Number), asked.b.split(",").map(Number)], higher: asked.lower !== "1" }, kept);
} else {
  if (asked.source in EXAMPLES || asked.source === "demo") $("source").value = asked.source;
  for (const [id, key] of [["measure", "measure"], ["one", "first"], ["other", "second"]]) if (asked[key]) $(id).value = asked[key];
  await choose(kept);
}
ready();
