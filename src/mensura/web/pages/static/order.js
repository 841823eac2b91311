import { $, ask, complain, draw, latest, make, ready, remember, say, state } from "./common.js";
import { general } from "./numbers.js";

const WIDE = 30; // pixels for a run, and 9 for each rank
const HIGH = 40;
const COLOURS = 7;
let diagram = null;
let chosen = [];
let at = null; // the run that has the focus

const shownRun = (run) => [...run].join(" ");

function show() {
  const { nodes, edges, length, longest_chain: tallest } = diagram;
  const step = WIDE + 10 * length;
  const bends = diagram.bends.map((points) => points.map(([x, y]) => ({ x, y })));
  const most = Math.max(...[...nodes, ...bends.flat()].map((point) => Math.abs(point.x)));
  const x = (node) => (node.x + most + 0.5) * (step + 14);
  const y = (node) => (tallest - node.y + 0.5) * HIGH;
  const what = diagram.top > 1 ? "sum of grades" : "relevant documents:";
  const by = Object.fromEntries(nodes.map((node) => [node.run, node]));
  const svg = draw("svg", { class: "hasse", viewBox: `0 0 ${(2 * most + 1) * (step + 14)} ${(tallest + 1) * HIGH}`, role: "group", "aria-label": `Hasse diagram of ${diagram.runs} runs` });
  for (const [number, [low, high]] of edges.entries()) {
    const line = draw("polyline", { points: [by[low], ...bends[number], by[high]].map((point) => `${x(point)},${y(point)}`).join(" ") });
    line.dataset.edge = `${low} ${high}`;
    svg.append(line);
  }
  for (const node of nodes) {
    const group = draw("g", { role: "button", "aria-label": `run ${shownRun(node.run)}, ${what} ${node.relevance}`, "aria-pressed": "false", tabindex: node.run === at ? 0 : -1 },
      draw("rect", { x: x(node) - step / 2, y: y(node) - 13, width: step, height: 26, rx: 5, class: `r${node.relevance % COLOURS}` }),
      Object.assign(draw("text", { x: x(node), y: y(node) }), { textContent: node.run }));
    group.dataset.run = node.run;
    svg.append(group);
  }
  svg.style.maxWidth = `${Math.max(260, (2 * most + 1) * (step + 14) * 1.15)}px`;
  $("diagram").replaceChildren(svg);
  $("counts").textContent = `${diagram.runs} runs, ${diagram.covers} covers, ${diagram.comparable_pairs} comparable and ${diagram.incomparable_pairs} incomparable pairs, chains of ${diagram.shortest_chain === tallest ? tallest : `${diagram.shortest_chain} to ${tallest}`} steps from bottom to top.`;
  const sums = Array.from({ length: length * diagram.top + 1 }, (_, sum) => sum);
  const label = (sum) => (diagram.top > 1 ? ` ${sum}` : ` ${sum} relevant`);
  $("key").replaceChildren(...(diagram.top > 1 ? [make("li", { textContent: "sum of grades:" })] : []),
    ...sums.map((sum) => make("li", {}, draw("svg", { viewBox: "0 0 10 10", class: "hasse-key hasse", "aria-hidden": "true" }, draw("rect", { width: 10, height: 10, rx: 2, class: `r${sum % COLOURS}` })), label(sum))));
  mark([]);
}

function mark(path) {
  const chain = new Set(path.slice(1).map((run, number) => `${path[number]} ${run}`));
  for (const line of $("diagram").querySelectorAll("polyline")) line.classList.toggle("chain", chain.has(line.dataset.edge));
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

const keep = () => remember({ length: diagram.length, top: diagram.top, first: chosen[0], second: chosen[1] }, { length: 4, top: 1 });

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
  const { first, second, relation, steps, differences, distance, chain_lengths: lengths, more, measures } = pair;
  const low = relation === "greater" ? second : first;
  const high = relation === "greater" ? first : second;
  const together = relation !== "incomparable";
  const title = together ? `${low} < ${high}` : `${first} and ${second} are incomparable`;
  const parts = [make("div", { className: together ? "verdict" : "verdict warn", id: "relation" }, make("p", {}, make("strong", { className: "mono", textContent: title })),
    make("p", { textContent: together ? "Every measure that respects swaps and replacements agrees." : `Measures may order them either way: ${more.map(preference).join(", ")}.` }))];
  if (together) {
    const vectors = differences.map((vector, grade) => `(${vector.join(", ")})${differences.length > 1 ? ` from grade ${grade + 1}` : ""}`);
    const ways = distance !== null ? `, natural distance ${distance}.` : lengths === null ? "." : lengths[0] === lengths[1] ? `; all ways up have ${lengths[0]} steps.` : `; ways up have ${lengths[0]} to ${lengths[1]} steps.`;
    parts.push(make("p", {}, differences.length > 1 ? "Difference vectors Δ = " : "Difference vector Δ = ", make("span", { className: "mono", id: "difference", textContent: vectors.join(", ") }), ways));
    const rows = [make("tr", {}, make("td", { textContent: "" }), make("td", { className: "mono", textContent: low }))];
    for (const { kind, rank, lower, run } of steps) {
      const what = kind === "swap" ? `swap ranks ${rank} and ${lower}` : `replace at rank ${rank}`;
      rows.push(make("tr", {}, make("td", { textContent: what }), make("td", { className: "mono", textContent: run })));
    }
    parts.push(table("steps", "A chain from the smaller to the larger run", ["step", "run"], rows));
    mark([low, ...steps.map((step) => step.run)]);
  }
  const rows = measures.map(({ measure, values: [one, other], higher_is_better: higher, better }) => {
    const cell = (side, value) => make("td", { className: `n${better === side ? " best" : ""}`, textContent: general(value) });
    const sign = { neither: "equal", first: "better", second: "worse" }[better];
    return make("tr", {}, make("th", { scope: "row", textContent: higher ? measure : `${measure} ↓` }), cell("first", one), make("td", { className: "note", textContent: sign }), cell("second", other));
  });
  parts.push(table("measures", "Values of measures (before division by the recall base or the ideal run; ↓ lower is better)", ["measure", first, "", second], rows, [1, 3]));
  $("pair").replaceChildren(...parts);
  const votes = { first: 0, second: 0, neither: 0 };
  for (const { better } of measures) votes[better]++;
  say(`${title}. ${votes.first} measures prefer the first, ${votes.second} the second, ${votes.neither} neither.`);
}

const preference = ({ run, rank, grade, counts }) => `P${grade > 1 ? `(rel=${grade})` : ""}@${rank} prefers ${run} (${counts[0]}/${rank} > ${counts[1]}/${rank})`;

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

async function load() {
  try {
    diagram = await ask(`/api/order?length=${$("length").value}&top=${$("top").value}`);
    complain($("error"));
  } catch (error) {
    complain($("error"), error);
    return;
  }
  at = diagram.nodes.at(-1).run;
  show();
}

const longest = { 1: 6, 2: 5, 3: 4 }; // the longest runs that can be drawn, by their highest grade
for (const control of ["length", "top"]) {
  $(control).addEventListener("change", async () => {
    chosen = [];
    $("pair").replaceChildren(make("p", { className: "note", textContent: "Choose two runs." }));
    fit();
    await load();
    keep();
  });
}

function fit() {
  const most = longest[$("top").value];
  for (const option of $("length").options) option.disabled = Number(option.value) > most;
  if (Number($("length").value) > most) $("length").value = String(most);
}

const asked = state();
for (const control of ["length", "top"]) {
  if ([...$(control).options].some((option) => option.value === asked[control])) $(control).value = asked[control];
}
fit();
await load();
chosen = [asked.first, asked.second].filter((run) => diagram?.nodes.some((node) => node.run === run));
if (!asked.first && !asked.length && !asked.top) chosen = ["1100", "1011"];
mark([]);
ready();
if (chosen.length === 2) compare();
