import { $, ask, complain, latest, make, ready, remember, say, state } from "./common.js";
import { fixed, general, spaced } from "./numbers.js";
import { blank, chart } from "./chart.js";

const FIRST = { measure: "AP@5", grades: "0,1" };
let families = [];
let run = [];

const top = () => Number($("grades").value.split(",").at(-1));
const length = () => Math.max(1, Math.min(100, Math.round(Number($("length").value)) || 1));

function measure() {
  const parameters = [...$("parameters").querySelectorAll("input")].filter((field) => field.value.trim() !== "").map((field) => `${field.name}=${value(field.value.trim())}`);
  return `${$("family").value}${parameters.length ? `(${parameters.join(", ")})` : ""}@${length()}`;
}

const value = (text) => (/^[-\d.eE]+$/.test(text) ? text : `'${text}'`);

function showFamily(parameters = {}) {
  const family = families.find((each) => each.name === $("family").value);
  $("summary").textContent = family.summary;
  $("parameters").replaceChildren(...family.parameters.map(({ name, default: usual }) => {
    const field = make("input", { id: `parameter-${name}`, name, value: parameters[name] ?? "", size: 8, placeholder: usual ?? "none", autocomplete: "off" });
    return make("div", { className: "field" }, make("label", { htmlFor: field.id, textContent: name }), field);
  }));
}

function showRun() {
  run = Array.from({ length: length() }, (_, at) => Math.min(run[at] ?? 0, top()));
  const focused = [...$("bits").children].indexOf(document.activeElement);
  $("bits").replaceChildren(...run.map((grade, at) => {
    const bit = make("button", { type: "button", textContent: String(grade), tabIndex: at === Math.max(focused, 0) ? 0 : -1 });
    bit.dataset.grade = grade;
    bit.setAttribute("aria-label", `rank ${at + 1}: grade ${grade}`);
    return bit;
  }));
  if (focused >= 0) $("bits").children[Math.min(focused, run.length - 1)].focus();
}

function query() {
  return new URLSearchParams({ measure: measure(), grades: $("grades").value }).toString();
}

const whole = latest(async (signal) => {
  const asked = query();
  const panels = [$("chart"), $("properties")];
  panels.forEach((panel) => panel.classList.add("busy"));
  $("chart-note").textContent = "";
  await Promise.all([
    place(true),
    ask(`/api/scale/chart?${asked}`, { signal }).then(
      (scale) => chart($("chart"), scale.chart, `The values of ${measure()} and equally spaced steps`),
      (error) => {
        if (error.name === "AbortError") throw error;
        blank($("chart"));
        $("chart-note").textContent = `No chart: ${error.message}`;
      }),
    ask(`/api/properties?${asked}`, { signal }).then(showProperties, (error) => {
      if (error.name === "AbortError") throw error;
      $("properties").tBodies[0].replaceChildren();
      $("type").textContent = error.message;
    }),
  ]);
  panels.forEach((panel) => panel.classList.remove("busy"));
});

const place = latest(async (signal, anew = false) => {
  remember({ measure: measure(), grades: $("grades").value, run: run.some(Boolean) ? run.join("") : "" }, { grades: "0,1" });
  try {
    const scale = await ask(`/api/scale?${query()}&run=${run.join("")}`, { signal });
    complain($("error"));
    complain($("run-error"));
    showFacts(scale);
    showPlace(scale);
    if (!anew) say(scale.run.rank ? `rank ${scale.run.rank} of ${scale.steps}, value ${general(scale.run.value)}` : "only bounds are known");
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain(anew ? $("error") : $("run-error"), error);
    if (anew) $("facts").replaceChildren();
    $("neighbours").tBodies[0].replaceChildren();
  }
});

function showFacts(scale) {
  const equal = { true: ["yes", "yes: an interval scale"], false: ["no", "no"], null: ["unknown", "not known"] }[scale.interval];
  const rows = [
    ["measure", (scale.numerator ? "numerator of " : "") + scale.measure + (scale.numerator ? ", a surrogate for topics with different recall bases" : ""), ""],
    ["different values", scale.steps === null ? "too many to count" : spaced(scale.steps), "big", "steps"],
    ["runs", scale.runs.length > 24 ? `about 10^${scale.runs.length - 1}` : spaced(scale.runs), ""],
    ["equally spaced", equal[1], equal[0], "equally"],
    ["counted by", scale.exact ? scale.method + (scale.assumes ? `; exact if ${scale.assumes} is true` : "") : `${scale.method}; only bounds`, ""],
  ];
  $("facts").replaceChildren(...rows.map(([name, text, style, id]) => {
    const fact = make("dd", { className: style, textContent: text });
    if (id) fact.id = id;
    return make("div", {}, make("dt", { textContent: name }), fact);
  }));
}

function showPlace({ run: at }) {
  const body = $("neighbours").tBodies[0];
  if (at.rank === null) {
    const what = at.of === "values" ? "rank / steps" : "the proportion of runs whose value is not larger";
    body.replaceChildren(make("tr", {}, make("td", { colSpan: 3, textContent: `${what} is between ${fixed(at.low, 6)} and ${fixed(at.high, 6)} (certified bounds)` })));
    return;
  }
  body.replaceChildren(...at.neighbours.map((step) => {
    const here = step.rank === at.rank;
    const runs = step.runs.join(" ") + (step.more ? ` +${step.more}` : "");
    const row = make("tr", { className: here ? "here" : "" }, make("td", { className: "n", textContent: spaced(step.rank) }),
      make("td", { className: "n", textContent: general(step.value), title: step.exact }), make("td", { className: "mono", textContent: runs || (here ? at.run : "") }));
    if (here) {
      row.id = "here";
      row.setAttribute("aria-current", "true");
    }
    return row;
  }));
}

function showProperties(proven) {
  const word = { true: ["yes", "yes"], false: ["no", "no"], null: ["unknown", "not known"] };
  $("type").replaceChildren("As far as is proven, ", make("strong", { textContent: `${/^[io]/.test(proven.scale) ? "an" : "a"} ${proven.scale} scale` }), ` for runs of length ${proven.length} on one topic.`);
  $("properties").tBodies[0].replaceChildren(...proven.properties.map(({ key, question, holds, reason }) =>
    make("tr", { id: `property-${key}` }, make("th", { scope: "row", textContent: question }), make("td", { className: word[holds][0], textContent: word[holds][1] }), make("td", { textContent: reason }))));
}

$("pick").addEventListener("submit", (event) => event.preventDefault());
$("pick").addEventListener("change", (event) => {
  if (event.target.id === "family") showFamily();
  showRun();
  whole();
});
$("bits").addEventListener("click", (event) => {
  const at = [...$("bits").children].indexOf(event.target);
  if (at < 0) return;
  run[at] = (run[at] + 1) % (top() + 1);
  showRun();
  place();
});
$("bits").addEventListener("keydown", (event) => {
  const bits = [...$("bits").children];
  const at = bits.indexOf(event.target);
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by !== undefined && bits[at + by]) {
    event.preventDefault();
    bits.forEach((bit, other) => (bit.tabIndex = other === at + by ? 0 : -1));
    bits[at + by].focus();
  } else if (/^\d$/.test(event.key) && Number(event.key) <= top()) {
    run[at] = Number(event.key);
    showRun();
    place();
  }
});

const asked = { ...FIRST, ...state() };
families = (await ask("/api/measures").catch((error) => {
  complain($("error"), error);
  ready();
  throw error;
})).filter((family) => family.countable);
$("family").replaceChildren(...families.map(({ name }) => make("option", { textContent: name })));
if ([...$("grades").options].some((option) => option.value === asked.grades)) $("grades").value = asked.grades;
try {
  const scale = await ask(`/api/scale?${new URLSearchParams({ measure: asked.measure, grades: $("grades").value })}`);
  $("family").value = scale.name;
  $("length").value = scale.length;
  run = [...(asked.run ?? "")].map(Number);
  showFamily(scale.parameters);
} catch (error) {
  complain($("error"), error);
  $("family").value = "AP";
  showFamily();
}
if (!run.length) run = [0, 1, 0, 1, 0].slice(0, length());
showRun();
ready();
whole();
