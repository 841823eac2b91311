import { $, ask, complain, make, remember, say, shown, state } from "./common.js";
import { blank, chart } from "./chart.js";
import { listFiles, uploads } from "./uploads.js";

const TESTS = "auto sign rank-sum signed-rank t randomisation bootstrap anova anova-topics kruskal friedman randomised-tukey dunnett nemenyi".split(" ");
const CORRECTIONS = "auto none bonferroni holm hochberg bh by tukey dunnett maxT".split(" ");
const FIRST = { measures: "nDCG@10 AP P@10 RR", test: "auto", correction: "auto", scale: "original", alpha: "0.05", baseline: "", demo: "8" };
const PAIRS = 15;
const WAIT = 250; // milliseconds between looks at a job
let job = null;
let picture = "intervals";

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
    complain($("error"), error);
  }
}

async function watch() {
  const mine = job;
  busy(true);
  try {
    while (job === mine) {
      const found = await ask(`/api/evaluations/${mine}`);
      if (found.state === "waiting" || found.state === "running") {
        showProgress(found);
        await new Promise((go) => setTimeout(go, WAIT));
        continue;
      }
      if (found.state === "done") show(found.result);
      else complain($("error"), new Error(found.state === "cancelled" ? "The evaluation was cancelled." : found.error));
      $("report").hidden = !found.report;
      if (found.report) $("report").href = `/api/evaluations/${mine}/report`;
      if (found.state === "cancelled") say("cancelled");
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
  $("stage").textContent = is === "waiting" ? "waiting for others to end" : far;
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
  const rows = result.rows.map((row) => make("tr", {}, cell(String(row.place)), make("th", { scope: "row", textContent: row.system }), ...row.means.map((mean, at) => cell(shown(mean, result.decimals[at]), row.best[at] ? "n best" : "n"))));
  $("board").replaceChildren(head(["", "system", ...names], 2), make("tbody", {}, ...rows));
  $("csv").hidden = false;
  $("csv").onclick = () => save(result);
  $("remarks").replaceChildren(...result.remarks.map((text) => make("li", { textContent: text })));
  $("remarks-panel").hidden = result.remarks.length === 0;
  compared(result.comparison);
  say(`${result.rows[0].system} leads by ${names[0]} with ${shown(result.rows[0].means[0], result.decimals[0])}`);
}

function save(result) {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = ["system,measure,mean", ...result.rows.flatMap((row) => row.means.map((mean, at) => `${quoted(row.system)},${quoted(result.measures[at].measure)},${mean ?? ""}`))];
  const address = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
  make("a", { href: address, download: "leaderboard.csv" }).click();
  URL.revokeObjectURL(address);
}

function compared(found) {
  $("comparison").hidden = found === null;
  if (found === null) {
    blank($("chart"));
    return;
  }
  const title = found.test.title;
  $("method").textContent = `By ${found.measure}${found.scale === "interval" ? " on its interval scale" : ""}: ${title}, correction ${found.family.correction}, α = ${found.alpha}. ${found.significant} of ${found.pair_count} ${found.pair_count === 1 ? "pair differs" : "pairs differ"} significantly. ${found.remarks.join(" ")}`;
  const all = Object.keys(found.charts);
  if (!all.includes(picture)) [picture] = all;
  const paint = () => {
    for (const button of $("pictures").children) button.setAttribute("aria-pressed", String(button.value === picture));
    chart($("chart"), found.charts[picture], `${picture} of ${found.systems.length} systems by ${found.measure}`);
  };
  $("pictures").replaceChildren(...all.map((name) => {
    const button = make("button", { type: "button", value: name, textContent: name });
    button.addEventListener("click", () => {
      picture = name;
      paint();
    });
    return button;
  }));
  paint();
  const places = Object.fromEntries(found.systems.map((row) => [row.system, row.place]));
  const p = (value) => (value < 0.0001 ? "<0.0001" : value.toFixed(4));
  const rows = found.pairs.slice(0, PAIRS).map((pair) => {
    const turned = found.systems[0].groups.length > 0 && places[pair.first] > places[pair.second];
    const sign = turned ? -1 : 1;
    const [one, other] = turned ? [pair.second, pair.first] : [pair.first, pair.second];
    const [low, high] = turned ? [-pair.high, -pair.low] : [pair.low, pair.high];
    const row = make("tr", { className: pair.significant ? "significant" : "" }, make("th", { scope: "row", textContent: `${one} − ${other}` }), cell(shown(sign * pair.difference, found.decimals)), cell(`${shown(low, found.decimals)} … ${shown(high, found.decimals)}`), cell(p(pair.p)), cell(p(pair.corrected_p), pair.significant ? "n best" : "n"));
    return row;
  });
  const caption = found.pair_count > rows.length ? `The first ${rows.length} of ${found.pair_count} pairs; significant ones in bold` : "Significant ones in bold";
  $("pairs").replaceChildren(make("caption", { textContent: caption }), head(["pair", "difference", `${100 * (1 - found.alpha)} % interval`, "p", "corrected p"], 1), make("tbody", {}, ...rows));
}

for (const [id, names] of [["test", TESTS], ["correction", CORRECTIONS]]) $(id).replaceChildren(...names.map((name) => make("option", { textContent: name })));
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
const files = await listFiles();
if (asked.demo && /^\d+$/.test(asked.demo)) {
  $("seed").value = asked.demo;
  await start();
} else if (asked.job) {
  use(false);
  job = asked.job;
  await watch().catch((error) => complain($("error"), error));
} else if (files > 0) use(false);
