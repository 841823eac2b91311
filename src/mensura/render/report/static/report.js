// Makes the page answer: charts with tooltips, the matrix of pairs, two systems topic by topic, sorting, copying, saving.
// Everything is readable without it. Names reach the page as text only, never as markup. numbers.js is before it in the page.
const data = JSON.parse(document.getElementById("data").textContent);
const MINUS = "\u2212";

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
};

// Tooltips

const tip = element("div", { id: "tip", hidden: true });
document.body.append(tip);

function tooltip(_handler, event, _item, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const rows = typeof value === "object" ? Object.entries(value).map(([key, text]) => `${key}: ${text}`) : [String(value)];
  tip.textContent = rows.join("\n");
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, innerHeight - height - 8))}px`;
}

// Charts: drawn again when they come into sight, with an interpreter of expressions, so that nothing is evaluated as code

const views = new Map();

async function enliven(figure) {
  const chart = figure.querySelector(".chart");
  const description = chart.querySelector("script");
  if (!description || views.has(figure.id)) return;
  views.set(figure.id, null);
  const live = element("div", { className: "live", ariaHidden: "true" });
  chart.append(live);
  const options = { mode: "vega-lite", ast: true, actions: false, defaultStyle: false, renderer: "svg", tooltip };
  const { view } = await window.vegaEmbed(live, JSON.parse(description.textContent), options);
  views.set(figure.id, view);
  chart.classList.add("is-live");
  if (figure.id === "differences") showPair();
}

const seen = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => enliven(entry.target)),
  { rootMargin: "400px" },
);
document.querySelectorAll("figure").forEach((figure) => seen.observe(figure));

// Saving as SVG: the picture as it was drawn, with its own colours

document.querySelectorAll("figure .save").forEach((links) => {
  const figure = links.closest("figure");
  const link = element("a", { href: "#", textContent: "SVG", download: `${figure.id}.svg` });
  link.addEventListener("click", () => {
    const svg = figure.querySelector(".static svg").cloneNode(true);
    svg.querySelectorAll(".cursor").forEach((cursor) => cursor.remove());
    const text = new XMLSerializer().serializeToString(svg);
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  });
  links.append(" or ", link);
});

// The matrix of pairs

const pOf = (units) => pEquation(units === null ? null : units / 10000);
const pairNumber = (count, row, column) => row * count - (row * (row + 1)) / 2 + column - row - 1;

document.querySelectorAll("output[data-matrix]").forEach((answer) => {
  const measure = data.measures[Number(answer.dataset.matrix)];
  const figure = answer.closest("figure");
  const svg = figure.querySelector("svg.matrix");
  const { cells, left, top, cell } = Object.fromEntries(Object.entries(svg.dataset).map(([key, text]) => [key, Number(text)]));
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  cursor.setAttribute("class", "cursor");
  for (const side of ["width", "height"]) cursor.setAttribute(side, cell);
  let at = null;

  const show = (row, column) => {
    if (row < 0 || column < 0 || row >= cells || column >= cells || row === column) return;
    at = [row, column];
    cursor.setAttribute("x", left + column * cell);
    cursor.setAttribute("y", top + row * cell);
    svg.append(cursor);
    const number = pairNumber(cells, Math.min(row, column), Math.max(row, column));
    const [first, second] = [row, column].map((place) => measure.ranking[place]);
    const units = measure.differences[number] * (row < column ? 1 : -1);
    const difference = fixed(units / 10 ** measure.decimals, measure.decimals, true);
    const names = `${data.systems[first]} (${row + 1}) ${MINUS} ${data.systems[second]} (${column + 1})`;
    const interval = measure.intervalP ? `; on the interval scale ${pOf(measure.intervalP[number])}` : "";
    answer.value = `${names}: ${difference}, corrected ${pOf(measure.p[number])}${interval}`;
  };

  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const unit = box.width / svg.viewBox.baseVal.width;
    const [x, y] = [(event.clientX - box.left) / unit, (event.clientY - box.top) / unit];
    show(Math.floor((y - top) / cell), Math.floor((x - left) / cell));
  });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  figure.querySelector(".chart").addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    let [row, column] = at ?? [0, 0];
    [row, column] = [row + step[0], column + step[1]];
    if (row === column) [row, column] = [row + step[0], column + step[1]];
    show(row, column);
  });
});

// Two systems, topic by topic

const choices = document.querySelector(".choices");
const choose = (label, options, value) => {
  const select = element("select", {}, ...options.map(([number, text]) => element("option", { value: number, textContent: text })));
  select.value = value;
  select.addEventListener("change", showPair);
  choices.append(element("label", {}, label, select));
  return select;
};
const byName = data.kept.map((system) => [system, data.systems[system]]).sort((a, b) => a[1].localeCompare(b[1]));
const measures = data.measures.map((measure, number) => [number, measure.name]);
const [whichMeasure, whichFirst, whichSecond] = [
  choose("measure", measures, 0),
  choose("first system", byName, data.measures[0].ranking[0]),
  choose("second system", byName, data.measures[0].ranking[1]),
];
choices.hidden = false;
choices.addEventListener("submit", (event) => event.preventDefault());

function showPair() {
  const measure = data.measures[Number(whichMeasure.value)];
  const [first, second] = [whichFirst, whichSecond].map((select) => Number(select.value));
  const [a, b] = [first, second].map((system) => measure.values[data.kept.indexOf(system)]);
  const better = measure.higher ? 1 : -1;
  const rows = data.topics
    .map((topic, at) => ({ topic, first: a[at], second: b[at], difference: a[at] - b[at] }))
    .sort((x, y) => better * (y.difference - x.difference))
    .map((row, place) => ({
      ...row,
      place,
      better: better * row.difference > 0 ? "first" : better * row.difference < 0 ? "second" : "none",
    }));
  const count = (which) => rows.filter((row) => row.better === which).length;
  const names = [first, second].map((system) => data.systems[system]);
  document.querySelector(".pair-summary").textContent =
    `Topics on which ${names[0]} is better: ${count("first")}; ${names[1]}: ${count("second")}; equal: ${count("none")}.`;
  document.getElementById("differences-caption").textContent =
    `${names[0]} ${MINUS} ${names[1]} by ${measure.name}, topic by topic.`;
  const cells = (row) => [fixed(row.first), fixed(row.second), fixed(row.difference, 4, true)];
  document.querySelector(".pair-table tbody").replaceChildren(
    ...rows.slice(0, 200).map((row) => {
      const head = element("th", { scope: "row", textContent: row.topic });
      return element("tr", {}, head, ...cells(row).map((text) => element("td", { className: "n", textContent: text })));
    }),
  );
  const view = views.get("differences");
  if (view) view.data("differences", rows.slice(0, 200)).runAsync();
}

// Sorting

const number = (text) => Number.parseFloat(text.replace(MINUS, "-"));
document.querySelectorAll("table.sortable").forEach((table) => {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = element("button", { type: "button", ariaLabel: `sort by ${head.textContent}` });
    head.append(button); // the heading itself stays text: browsers do not repeat buttons on the next printed page
    button.addEventListener("click", () => {
      const rising = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const key = (row) => row.cells[column].textContent;
      const order =
        head.dataset.sort === "number" ? (a, b) => number(key(a)) - number(key(b)) : (a, b) => key(a).localeCompare(key(b), undefined, { numeric: true });
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => (rising ? 1 : -1) * order(a, b)));
    });
  });
});

// Copying

document.querySelectorAll("[data-paste]").forEach((block) => {
  const text = document.getElementById(block.dataset.paste);
  const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected: press Ctrl+C";
    }
  });
  block.append(button);
});
