import { $, ask, complain, draw, latest, make, ready, remember, say, short, state } from "./common.js";

const WIDE = 30; // pixels for a run, and 9 for each rank
const HIGH = 40;
let diagram = null;
let chosen = [];
let at = null; // the run that has the focus

const shownRun = (run) => [...run].join(" ");

function show() {
  const { nodes, edges, length, longest_chain: tallest } = diagram;
  const step = WIDE + 10 * length;
  const most = Math.max(...nodes.map((node) => Math.abs(node.x)));
  const x = (node) => (node.x + most + 0.5) * (step + 14);
  const y = (node) => (tallest - node.y + 0.5) * HIGH;
  const by = Object.fromEntries(nodes.map((node) => [node.run, node]));
  const svg = draw("svg", { class: "hasse", viewBox: `0 0 ${(2 * most + 1) * (step + 14)} ${(tallest + 1) * HIGH}`, role: "group", "aria-label": `Hasse diagram of ${diagram.runs} runs` });
  for (const [low, high] of edges) {
    const line = draw("line", { x1: x(by[low]), y1: y(by[low]), x2: x(by[high]), y2: y(by[high]) });
    line.dataset.edge = `${low} ${high}`;
    svg.append(line);
  }
  for (const node of nodes) {
    const group = draw("g", { role: "button", "aria-label": `run ${shownRun(node.run)}, ${node.relevant} relevant`, "aria-pressed": "false", tabindex: node.run === at ? 0 : -1 },
      draw("rect", { x: x(node) - step / 2, y: y(node) - 13, width: step, height: 26, rx: 5, class: `r${node.relevant}` }),
      Object.assign(draw("text", { x: x(node), y: y(node) }), { textContent: node.run }));
    group.dataset.run = node.run;
    svg.append(group);
  }
  svg.style.maxWidth = `${Math.max(260, (2 * most + 1) * (step + 14) * 1.15)}px`;
  $("diagram").replaceChildren(svg);
  $("counts").textContent = `${diagram.runs} runs, ${diagram.covers} covers, ${diagram.comparable_pairs} comparable and ${diagram.incomparable_pairs} incomparable pairs, longest chains of ${tallest} steps.`;
  $("key").replaceChildren(...Array.from({ length: length + 1 }, (_, relevant) => make("li", {}, draw("svg", { viewBox: "0 0 10 10", class: "hasse-key hasse", "aria-hidden": "true" }, draw("rect", { width: 10, height: 10, rx: 2, class: `r${relevant}` })), ` ${relevant} relevant`)));
  mark([]);
}

function mark(path) {
  const chain = new Set(path.slice(1).map((run, number) => `${path[number]} ${run}`));
  for (const line of $("diagram").querySelectorAll("line")) line.classList.toggle("chain", chain.has(line.dataset.edge));
  for (const group of $("diagram").querySelectorAll("g")) group.setAttribute("aria-pressed", String(chosen.includes(group.dataset.run)));
}

function focus(run) {
  if (!run) return;
  at = run;
  for (const group of $("diagram").querySelectorAll("g")) {
    group.setAttribute("tabindex", group.dataset.run === run ? 0 : -1);
    if (group.dataset.run === run) group.focus();
  }
}

function choose(run) {
  if (chosen.length === 2) chosen = [];
  chosen = chosen.includes(run) ? chosen.filter((other) => other !== run) : [...chosen, run];
  mark([]);
  keep();
  if (chosen.length === 2) compare();
  else {
    $("pair").replaceChildren(make("p", { className: "note", textContent: chosen.length ? `${chosen[0]} and … choose another run.` : "Choose two runs." }));
    say(chosen.length ? `${shownRun(run)} chosen: choose another` : "none chosen");
  }
}

const keep = () => remember({ length: diagram.length, first: chosen[0], second: chosen[1] }, { length: 4 });

const compare = latest(async (signal) => {
  try {
    const pair = await ask(`/api/order/pair?first=${chosen[0]}&second=${chosen[1]}`, { signal });
    complain($("error"));
    tell(pair);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    complain($("error"), error);
  }
});

function tell(pair) {
  const { first, second, relation, steps, difference, distance, measures } = pair;
  const low = relation === "greater" ? second : first;
  const high = relation === "greater" ? first : second;
  const together = relation !== "incomparable";
  const title = together ? `${low} < ${high}` : `${first} and ${second} are incomparable`;
  const parts = [make("div", { className: together ? "verdict" : "verdict warn", id: "relation" }, make("p", {}, make("strong", { className: "mono", textContent: title })),
    make("p", { textContent: together ? "Every measure that respects swaps and replacements agrees." : "Neither has as many relevant documents as the other in every prefix; measures may order them either way." }))];
  if (together) {
    parts.push(make("p", {}, "Difference vector Δ = ", make("span", { className: "mono", id: "difference", textContent: `(${difference.join(", ")})` }), `, natural distance ${distance}.`));
    const rows = [make("tr", {}, make("td", { textContent: "" }), make("td", { className: "mono", textContent: low }))];
    for (const { kind, rank, run } of steps) {
      const what = kind === "swap" ? `swap ranks ${rank} and ${rank + 1}` : `replace at rank ${rank}`;
      rows.push(make("tr", {}, make("td", { textContent: what }), make("td", { className: "mono", textContent: run })));
    }
    parts.push(table("steps", "A chain from the smaller to the larger run", ["step", "run"], rows));
    mark([low, ...steps.map((step) => step.run)]);
  }
  const rows = measures.map(({ measure, first: one, second: other, higher_is_better: higher, better }) => {
    const cell = (side, value) => make("td", { className: `n${better === side ? " best" : ""}`, textContent: short(value) });
    const sign = { neither: "equal", first: "better", second: "worse" }[better];
    return make("tr", {}, make("th", { scope: "row", textContent: higher ? measure : `${measure} ↓` }), cell("first", one), make("td", { className: "note", textContent: sign }), cell("second", other));
  });
  parts.push(table("measures", "Values of measures (the recall base is the length; ↓ lower is better)", ["measure", first, "", second], rows, [1, 3]));
  $("pair").replaceChildren(...parts);
  const votes = { first: 0, second: 0, neither: 0 };
  for (const { better } of measures) votes[better]++;
  say(`${title}. ${votes.first} measures prefer the first, ${votes.second} the second, ${votes.neither} neither.`);
}

function table(id, caption, heads, rows, numbers = []) {
  const head = make("tr", {}, ...heads.map((text, number) => make(text ? "th" : "td", { scope: "col", className: numbers.includes(number) ? "n" : "", textContent: text })));
  return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, make("table", { id }, make("caption", { textContent: caption }), make("thead", {}, head), make("tbody", {}, ...rows)));
}

$("diagram").addEventListener("click", (event) => {
  const group = event.target.closest("g");
  if (!group) return;
  focus(group.dataset.run);
  choose(group.dataset.run);
});
$("diagram").addEventListener("keydown", (event) => {
  const run = event.target.closest("g")?.dataset.run;
  if (!run) return;
  if (event.key === " " || event.key === "Enter") {
    event.preventDefault();
    choose(run);
    return;
  }
  const here = diagram.nodes.find((node) => node.run === run);
  const level = diagram.nodes.filter((node) => node.y === here.y).sort((a, b) => a.x - b.x);
  const place = level.indexOf(here);
  const next = {
    ArrowUp: () => diagram.edges.find(([low]) => low === run)?.[1],
    ArrowDown: () => diagram.edges.find(([, high]) => high === run)?.[0],
    ArrowLeft: () => level[place - 1]?.run,
    ArrowRight: () => level[place + 1]?.run,
    Home: () => diagram.nodes.at(-1).run,
    End: () => diagram.nodes[0].run,
  }[event.key];
  if (next) {
    event.preventDefault();
    focus(next());
  }
});

async function load(length) {
  try {
    diagram = await ask(`/api/order?length=${length}`);
  } catch (error) {
    complain($("error"), error);
    return;
  }
  at = diagram.nodes.at(-1).run;
  show();
}

$("length").addEventListener("change", async () => {
  chosen = [];
  $("pair").replaceChildren(make("p", { className: "note", textContent: "Choose two runs." }));
  await load($("length").value);
  keep();
});

const asked = state();
if ([...$("length").options].some((option) => option.value === asked.length)) $("length").value = asked.length;
await load($("length").value);
chosen = [asked.first, asked.second].filter((run) => diagram?.nodes.some((node) => node.run === run));
if (!asked.first && !asked.length) chosen = ["1100", "1011"];
mark([]);
ready();
if (chosen.length === 2) compare();
