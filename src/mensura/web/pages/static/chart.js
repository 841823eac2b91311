// Vega-Lite descriptions on the page. Vega's expressions are interpreted, not compiled, so that no policy has to allow eval.

let loading = null;
const dark = matchMedia("(prefers-color-scheme: dark)");
const GREYS = { "#111": "#f2f2f2", "#222": "#e4e8ec", "#444": "#c4ccd4", "#555": "#b4bdc6", "#777": "#98a2ad", "#888": "#8b95a0", "#e8e8e8": "#2c343e", "#8a8f98": "#9aa3ad", "#2f6db3": "#6aa3e0", "#d97706": "#f0a03c", "#eceef1": "#29313b", white: "#1a2028" };
const places = new Map();
const GAP = 75; // pixels for the axis of a chart and the space beside it
const SIDE_BY_SIDE = 560;

export const vega = () => (loading ??= import("./vega.js").then(() => window.vegaEmbed));

function config() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  const font = of("--sans");
  const words = { labelColor: of("--soft"), titleColor: of("--ink"), labelFont: font, titleFont: font };
  return {
    background: "transparent",
    padding: 4,
    font,
    view: { stroke: null },
    axis: { ...words, labelFontSize: 11, titleFontSize: 12, titleFontWeight: 500, gridColor: of("--rule"), domainColor: of("--field"), tickColor: of("--field") },
    legend: { ...words, labelFontSize: 11, titleFontSize: 12, labelLimit: 240 },
    title: { color: of("--ink"), subtitleColor: of("--soft"), font: of("--serif"), subtitleFont: font, fontSize: 15, fontWeight: 600, anchor: "start", offset: 10, subtitleFontSize: 12 },
    text: { color: of("--ink") },
    rule: { color: of("--field") },
    range: { category: ["#2f6db3", "#d97706", "#2e8b57", "#c0392b", "#8a8f98", "#7b4fa3", "#17a2b8", "#b8860b"] },
  };
}

/** The same description for a narrow place: charts side by side go one below the other, and nothing is wider than the place. */
function fitted(part, width) {
  if (Array.isArray(part)) return part.map((each) => fitted(each, width));
  if (part === null || typeof part !== "object") return dark.matches && typeof part === "string" ? (GREYS[part] ?? part) : part;
  const copy = {};
  for (const [key, value] of Object.entries(part)) copy[key] = key === "values" ? value : fitted(value, width);
  if (copy.hconcat) {
    const [wide, gaps] = [total(copy), copy.hconcat.length * GAP];
    if (wide + gaps > width && width >= SIDE_BY_SIDE) {
      for (const each of copy.hconcat) if (typeof each.width === "number") each.width = Math.floor((each.width * (width - gaps)) / wide);
    } else if (wide + gaps > width) {
      copy.vconcat = copy.hconcat;
      delete copy.hconcat;
    }
  }
  if (typeof copy.width === "number" && copy.width > width - 70 && ("layer" in copy || "mark" in copy)) copy.width = Math.max(180, width - 70);
  return copy;
}

const total = (part) => part.hconcat.reduce((sum, each) => sum + (typeof each.width === "number" ? each.width : 100), 0);

/** Draws a description; the label says what it shows to those who do not see it. */
export async function chart(place, description, label) {
  places.set(place, [description, label]);
  const embed = await vega();
  if (places.get(place)?.[0] !== description) return; // a newer one came meanwhile
  const width = place.clientWidth || 600;
  const room = document.createElement("div");
  const done = await embed(room, fitted(description, width), {
    mode: "vega-lite", actions: false, renderer: "svg", ast: true, defaultStyle: false, logLevel: 1, config: config(),
    tooltip: { disableDefaultStyle: true },
  });
  if (places.get(place)?.[0] !== description) {
    done.finalize();
    return;
  }
  place.finalize?.();
  place.finalize = () => done.finalize();
  const svg = room.querySelector("svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  for (const part of svg.querySelectorAll("[role], [aria-label], [aria-roledescription]")) {
    for (const name of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(name); // one chart, one label
  }
  place.replaceChildren(room);
}

/** Nothing to draw. */
export function blank(place) {
  places.delete(place);
  place.finalize?.();
  place.replaceChildren();
}

const again = () => places.forEach(([description, label], place) => chart(place, { ...description }, label));
dark.addEventListener("change", again);
let seen = innerWidth;
addEventListener("resize", () => {
  if (Math.abs(innerWidth - seen) < 40) return;
  seen = innerWidth;
  again();
});
