import { $, ask, complain, make, ready, remember, say, state } from "./common.js";
import { fixed, pValue, span } from "./numbers.js";
import { blank, chart } from "./chart.js";
import { listFiles, uploads } from "./uploads.js";

const FIRST = { measures: $("measures").defaultValue, test: "auto", correction: "auto", scale: "original", alpha: "0.05", baseline: "", demo: "8" };
const PAIRS = 15;
const WAIT = 250; // milliseconds between looks at a job
let job = null;
let shownChart = "intervals";

const usesDemo = () => $("use-demo").getAttribute("aria-pressed") === "true";

function use(demo) {
  $("use-demo").setAttribute("aria-pressed", String(demo));
  $("use-files").setAttribute("aria-pressed", String(!demo));
  $("demo-part").hidden = !demo;
  $("files-part").hidden = demo;
}

function keep() {
  remember({
    demo: usesDemo() ? $("seed").value : "", job: usesDemo() ? "" : job,
    measures: $("measures").value.trim(), test: $("test").value, correction: $("correction").value, scale: $("scale").value, alpha: $("alpha").value, baseline: $("baseline").value.trim(),
  }, { ...FIRST, demo: "" });
}

async function start(report = false) {
  complain($("error"));
  $("go").disabled = $("with-report").disabled = true;
  const body = {
    demo: usesDemo() ? Number($("seed").value) : null,
    report,
    measures: $("measures").value.trim().split(/\s+(?![^(]*\))/),
    compare: { test: $("test").value, correction: $("correction").value, scale: $("scale").value, alpha: Number($("alpha").value), baseline: $("baseline").value.trim() || null },
  };
  try {
    const begun = await ask("/api/evaluations", { body });
    job = begun.id;
    keep();
    await watch();
  } catch (error) {
    busy(false);
    complain($("error"), error);
  }
}

async function watch() {
  const mine = job;
  busy(true);
  try {
    while (job === mine) {
      const evaluation = await ask(`/api/evaluations/${mine}`);
      if (evaluation.state === "waiting" || evaluation.state === "running") {
        showProgress(evaluation);
        await new Promise((go) => setTimeout(go, WAIT));
        continue;
      }
      if (evaluation.state === "done") show(evaluation.result);
      else complain($("error"), new Error(evaluation.state === "cancelled" ? "The evaluation was cancelled." : evaluation.error));
      $("report").hidden = !evaluation.report;
      if (evaluation.report) $("report").href = `/api/evaluations/${mine}/report`;
      if (evaluation.state === "cancelled") say("cancelled");
      break;
    }
  } finally {
    if (job === mine) busy(false);
  }
}

function busy(on) {
  $("go").disabled = on;
  $("with-report").disabled = on;
  $("cancel").hidden = !on;
  $("progress").hidden = !on;
  $("stage").textContent = on ? "waiting" : "";
  if (on) $("bar").removeAttribute("value");
}

function showProgress({ state: is, stage, done, total }) {
  const far = total > 1 ? `${stage}: ${done} of ${total}` : stage;
  $("stage").textContent = is === "waiting" ? "waiting for other evaluations" : far;
  if (total > 1) {
    $("bar").max = total;
    $("bar").value = done;
  } else $("bar").removeAttribute("value");
}

const cell = (text, style = "n") => make("td", { className: style, textContent: text });
const head = (texts, numbers) => make("thead", {}, make("tr", {}, ...texts.map((text, at) => make("th", { scope: "col", className: at >= numbers ? "n" : "", textContent: text }))));

function show(result) {
  const names = result.measures.map((measure) => (measure.higher_is_better ? measure.measure : `${measure.measure} ↓`));
  const [least, most] = result.counted;
  $("about").textContent = `Means over ${least === most ? least : `${least} to ${most}`} of ${result.topics} topics, ${result.systems} ${result.systems === 1 ? "run" : "runs"}. ↓: lower is better.`;
  const rows = result.rows.map((row) => make("tr", {}, cell(String(row.place)), make("th", { scope: "row", textContent: row.system }), ...row.means.map((mean, at) => cell(fixed(mean, result.decimals[at]), row.best[at] ? "n best" : "n"))));
  $("board").replaceChildren(head(["", "system", ...names], 2), make("tbody", {}, ...rows));
  $("csv").hidden = false;
  $("csv").onclick = () => save(result);
  $("remarks").replaceChildren(...result.remarks.map((text) => make("li", { textContent: text })));
  $("remarks-panel").hidden = result.remarks.length === 0;
  compared(result.comparison);
  say(`${result.rows[0].system} leads by ${names[0]} with ${fixed(result.rows[0].means[0], result.decimals[0])}`);
}

function save(result) {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = ["system,measure,mean", ...result.rows.flatMap((row) => row.means.map((mean, at) => `${quoted(row.system)},${quoted(result.measures[at].measure)},${mean ?? ""}`))];
  const address = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
  make("a", { href: address, download: "leaderboard.csv" }).click();
  URL.revokeObjectURL(address);
}

function compared(comparison) {
  $("comparison").hidden = comparison === null;
  if (comparison === null) {
    blank($("chart"));
    return;
  }
  const title = comparison.test.title;
  $("method").textContent = `By ${comparison.measure}${comparison.scale === "interval" ? " on its interval scale" : ""}: ${title}; ${comparison.family.sentence}; α = ${comparison.level}. ${comparison.summary}`;
  $("comparison-remarks").replaceChildren(...comparison.remarks.map((text) => make("li", { textContent: text })));
  $("comparison-remarks").hidden = comparison.remarks.length === 0;
  const all = Object.keys(comparison.charts);
  if (!all.includes(shownChart)) [shownChart] = all;
  const paint = () => {
    for (const button of $("charts").children) button.setAttribute("aria-pressed", String(button.value === shownChart));
    chart($("chart"), comparison.charts[shownChart], `${shownChart} of ${comparison.systems.length} systems by ${comparison.measure}`);
  };
  $("charts").replaceChildren(...all.map((name) => {
    const button = make("button", { type: "button", value: name, textContent: name });
    button.addEventListener("click", () => {
      shownChart = name;
      paint();
    });
    return button;
  }));
  paint();
  const places = Object.fromEntries(comparison.systems.map((row, at) => [row.system, at]));
  const decimals = comparison.pair_decimals;
  const rows = comparison.pairs.slice(0, PAIRS).map((pair) => {
    const turned = comparison.systems[0].groups.length > 0 && places[pair.first] > places[pair.second];
    const turn = (value) => (turned && value !== null ? -value : value);
    const [one, other] = turned ? [pair.second, pair.first] : [pair.first, pair.second];
    const ends = [pair.low ?? -Infinity, pair.high ?? Infinity]; // JSON has no infinity
    const [low, high] = turned ? [-ends[1], -ends[0]] : ends;
    const row = make("tr", { className: pair.significant ? "significant" : "" }, make("th", { scope: "row", textContent: `${one} − ${other}` }), cell(fixed(turn(pair.difference), decimals, true)), cell(span([low, high], decimals, true)), cell(pValue(pair.p)), cell(pValue(pair.corrected_p), pair.significant ? "n best" : "n"));
    return row;
  });
  const caption = comparison.pair_count > rows.length ? `The first ${rows.length} of ${comparison.pair_count} pairs; significant ones in bold` : "Significant ones in bold";
  $("pairs").replaceChildren(make("caption", { textContent: caption }), head(["pair", comparison.estimate_of === "values" ? "difference" : `difference of ${comparison.estimate_of}`, comparison.interval_title, "p", "corrected p"], 1), make("tbody", {}, ...rows));
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
$("with-report").addEventListener("click", () => start(true));
$("cancel").addEventListener("click", () => ask(`/api/evaluations/${job}`, { method: "DELETE" }).catch((error) => complain($("error"), error)));
$("use-demo").addEventListener("click", () => use(true));
$("use-files").addEventListener("click", () => use(false));
uploads((error) => complain($("error"), error));

const asked = state();
for (const key of ["measures", "test", "correction", "scale", "alpha", "baseline"]) if (asked[key]) $(key).value = asked[key];
const files = await listFiles().catch((error) => complain($("error"), error));
if (!asked.demo && (asked.job || files > 0)) use(false);
ready();
if (asked.demo && /^\d+$/.test(asked.demo)) {
  $("seed").value = asked.demo;
  await start();
} else if (asked.job) {
  job = asked.job;
  await watch().catch((error) => complain($("error"), error));
}
