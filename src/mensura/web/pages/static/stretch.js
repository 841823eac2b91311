// A monotone function to be dragged: knobs that keep their order, with the values before and after along the axes.

import { draw } from "./common.js";
import { general } from "./numbers.js";

const [WIDE, HIGH, EDGE] = [560, 400, 46];

export function stretch(place, moved) {
  let knots = [];
  let domain = [0, 1];
  let range = [0, 1];
  const svg = draw("svg", { class: "stretch", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": "An increasing transformation of the values" });
  const ground = draw("g");
  const ticks = draw("g");
  const curve = draw("path", { class: "curve" });
  const knobs = draw("g");
  svg.append(ground, ticks, curve, knobs);
  place.replaceChildren(svg);

  const along = (value, [low, high], from, to) => from + ((value - low) / (high - low || 1)) * (to - from);
  const x = (value) => along(value, domain, EDGE + 14, WIDE - 14);
  const y = (value) => along(value, range, HIGH - EDGE - 8, 14);
  const value = (pixels) => range[0] + ((HIGH - EDGE - 8 - pixels) / (HIGH - EDGE - 22)) * (range[1] - range[0]);

  function measure() {
    domain = [knots[0][0], knots.at(-1)[0]];
    const span = domain[1] - domain[0] || 1;
    range = [Math.min(domain[0], knots[0][1]) - 0.15 * span, Math.max(domain[1], knots.at(-1)[1]) + 0.15 * span];
  }

  function show() {
    ground.replaceChildren(
      draw("path", { class: "axis", d: `M${EDGE} 8V${HIGH - EDGE}H${WIDE - 4}` }),
      draw("path", { class: "same", d: `M${x(domain[0])} ${y(domain[0])}L${x(domain[1])} ${y(domain[1])}` }),
      ...[domain[0], domain[1]].map((at, number) => Object.assign(draw("text", { x: x(at), y: HIGH - 10, "text-anchor": number ? "end" : "start" }), { textContent: general(at) })),
      Object.assign(draw("text", { x: WIDE / 2, y: HIGH - 10, "text-anchor": "middle" }), { textContent: "value" }),
      Object.assign(draw("text", { x: 12, y: HIGH / 2, transform: `rotate(-90 12 ${HIGH / 2})`, "text-anchor": "middle" }), { textContent: "transformed value" }),
    );
    curve.setAttribute("d", knots.map(([from, to], at) => `${at ? "L" : "M"}${x(from)} ${y(to)}`).join(""));
    knobs.replaceChildren(...knots.map(([from, to], at) => {
      const knob = draw("circle", { class: "knot", cx: x(from), cy: y(to), r: 10, tabindex: 0, role: "slider", "aria-orientation": "vertical", "aria-label": `transformed value of ${general(from)}`, "aria-valuenow": to, "aria-valuemin": limits(at)[0], "aria-valuemax": limits(at)[1], "aria-valuetext": general(to) });
      knob.dataset.at = at;
      return knob;
    }));
  }

  // Neighbours stay apart: the function must increase.
  function limits(at) {
    const least = (domain[1] - domain[0] || 1) / 1000;
    return [at > 0 ? knots[at - 1][1] + least : range[0], at + 1 < knots.length ? knots[at + 1][1] - least : range[1]];
  }

  function set(at, to) {
    const [low, high] = limits(at);
    knots[at] = [knots[at][0], Math.min(Math.max(to, low), high)];
    const focused = document.activeElement?.dataset?.at;
    show();
    if (focused !== undefined) knobs.children[focused]?.focus();
    moved(knots.map((knot) => [...knot]));
  }

  svg.addEventListener("pointerdown", (event) => {
    const at = Number(event.target.dataset.at ?? NaN);
    if (Number.isNaN(at)) return;
    event.preventDefault();
    event.target.focus();
    const follow = (move) => {
      const box = svg.getBoundingClientRect();
      set(at, value(((move.clientY - box.top) / box.height) * HIGH));
    };
    const end = () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
  });
  svg.addEventListener("keydown", (event) => {
    const at = Number(event.target.dataset.at ?? NaN);
    const step = (range[1] - range[0]) / 50;
    const by = { ArrowUp: step, ArrowRight: step, ArrowDown: -step, ArrowLeft: -step, PageUp: 5 * step, PageDown: -5 * step }[event.key];
    if (Number.isNaN(at) || by === undefined) return;
    event.preventDefault();
    set(at, knots[at][1] + by);
  });

  return {
    knots(points) {
      knots = points.map((knot) => [...knot]);
      ticks.replaceChildren();
      measure();
      show();
    },
    values(before, after, means, moved_) {
      ticks.replaceChildren(...["first", "second"].flatMap((side, at) => [
        ...before[at].map((value_) => draw("rect", { class: side, x: x(value_) - 1, y: HIGH - EDGE + 2 + 8 * at, width: 2, height: 7 })),
        ...after[at].map((value_) => draw("rect", { class: side, x: EDGE - 9 - 8 * at, y: y(value_) - 1, width: 7, height: 2 })),
        draw("path", { class: `mean ${side}`, d: `M${EDGE - 18} ${y(moved_[at])}H${EDGE + 16}` }),
        draw("path", { class: `mean ${side}`, d: `M${x(means[at])} ${HIGH - EDGE - 14}V${HIGH - EDGE + 18}` }),
      ]));
    },
  };
}
