// Drag the handles of a friction law's curve.

import { get } from "../core/api.js";
import { el, show } from "../core/dom.js";
import { LinePlot, valueAt } from "../drawing/line_plot.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { sliderRows } from "./slider_rows.js";

const isSpeed = (one) => one.unit === "m/s";

/** Coefficients are dragged up and down along the curve, speeds to and fro on it. */
function handlesOf(law, v, { x, series }, set) {
  const [low, high] = [x.values[0], x.values[x.values.length - 1]], levels = law.parameters.filter((one) => !isSpeed(one) && one.maximum <= 5);
  const on = (at) => valueAt(x.values, series[0].values, Math.min(high, Math.max(low, at))) ?? 0;
  return law.parameters.map((one) => {
    if (isSpeed(one)) return { x: v[one.name], y: on(v[one.name]), axis: "x", label: one.label, move: (at) => set(one, at) };
    const n = levels.indexOf(one);
    if (n < 0) return null;
    return { x: levels.length < 2 ? low : low + ((high - low) * n) / (levels.length - 1), y: v[one.name], axis: "y", label: one.label, move: (_, level) => set(one, level) };
  }).filter(Boolean);
}

export async function dragFriction(host) {
  const { laws } = await get("live/friction"), controls = el("div", { class: "card" }), problem = problemNote();
  const picture = el("section", { class: "card", "aria-label": "Friction law" }, el("h2", {}, "Coefficient of friction over slip speed: drag the handles")), code = el("pre", { tabindex: "0", "aria-label": "The law as Python" });
  show(host, el("div", { class: "drag-board" }, el("div", {}, controls), el("div", { class: "span-2" }, problem.node, picture, el("section", { class: "card", "aria-label": "Python" }, el("h2", {}, "The same law in Python"), code))));
  const plot = new LinePlot(picture, { title: "Coefficient of friction", high: 360 }), rows = el("div"), pick = el("select", { onchange: () => choose(laws[Number(pick.value)]) }, laws.map((one, n) => el("option", { value: n }, one.title || one.name)));
  controls.append(el("label", { class: "slider-row" }, el("span", {}, "Law"), pick), rows);
  let law = null, v = {}, refresh = () => {};
  const set = (one, value) => { v[one.name] = Number(Math.min(one.maximum, Math.max(one.minimum, value)).toPrecision(4)); refresh(); ask(); };
  const ask = liveQuestion("friction", { failed: problem.say, given: () => ({ law: law.name, parameters: { ...v } }),
    shown: (answer) => { plot.setData({ x: answer.curve.x, curves: answer.curve.series, range: [0, Math.max(...answer.curve.series[0].values, ...law.parameters.filter((one) => !isSpeed(one) && one.maximum <= 5).map((one) => v[one.name])) * 1.15], handles: handlesOf(law, v, answer.curve, set) }); code.textContent = answer.python || ""; } });
  const choose = (one) => {
    law = one;
    v = Object.fromEntries(one.parameters.map((parameter) => [parameter.name, parameter.default]));
    show(rows);
    refresh = sliderRows(rows, one.parameters, v, () => ask());
    ask();
  };
  choose(laws[0]);
  return () => plot.end();
}
