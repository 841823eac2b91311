// Pictures to keep: the chart as `mensura … --chart` draws it, in the colours of paper whatever the page's are.

import { $, make } from "./common.js";
import { vega } from "./chart.js";

const SCALE = 2; // pixels of a PNG for each of the chart's

/** Saves a description as an SVG or a PNG file. */
export async function savePicture(description, name, kind) {
  const embed = await vega();
  const options = { mode: "vega-lite", actions: false, renderer: "none", ast: true, defaultStyle: false, tooltip: false, logLevel: 1, config: JSON.parse($("chart").dataset.theme) };
  const { view, finalize } = await embed(document.createElement("div"), description, options);
  const blob = kind === "svg" ? new Blob([await view.toSVG()], { type: "image/svg+xml" }) : await bitmap(await view.toCanvas(SCALE));
  finalize();
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: `${name}.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000); // the download reads it
}

const bitmap = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));
