// Drag the handles of a friction law's curve.

import { get } from "../core/api.js";
import { el, show } from "../core/dom.js";
import { valueAt } from "../drawing/curves.js";
import { LinePlot } from "../drawing/line_plot.js";
import { dragBoard } from "./drag_board.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { sliderRows } from "./slider_rows.js";

/**
 * Where the handle of a parameter is and what dragging it sets. `end` handles are levels at rest or at high slip speed, dragged up
 * and down; the others lie on the curve, at the slip speed where half of the fall is over, and are dragged to and fro.
 */
const HANDLES = {
  static: { end: "rest", level: (v) => v.static, set: (v, level) => ({ static: level }) },
  fall: { end: "rest", level: (v) => v.kinetic + v.fall, set: (v, level) => ({ fall: level - v.kinetic }) },
  kinetic: { end: "fast", level: (v) => v.kinetic, set: (v, level) => ({ kinetic: level, fall: v.kinetic + v.fall - level }) },
  ratio: { end: "fast", level: (v) => v.ratio * v.static, set: (v, level) => ({ ratio: level / v.static }) },
  half_speed: { speed: (v) => v.half_speed, set: (v, speed) => ({ half_speed: speed }) },
  decay: { speed: (v) => Math.LN2 / v.decay, set: (v, speed) => ({ decay: Math.LN2 / Math.max(speed, 1e-3) }) },
};

function handlesOf(law, v, { x, series }, set) {
  const first = x.values[0],
    last = x.values[x.values.length - 1];
  return law.parameters
    .filter((one) => HANDLES[one.name])
    .map((one) => {
      const kind = HANDLES[one.name];
      if (kind.end)
        return {
          x: kind.end === "rest" ? first : last,
          y: kind.level(v),
          axis: "y",
          label: one.label,
          move: (_, level) => set(kind.set(v, level)),
        };
      const at = Math.min(last, kind.speed(v));
      return {
        x: at,
        y: valueAt(x.values, series[0].values, at) ?? 0,
        axis: "x",
        label: one.label,
        move: (speed) => set(kind.set(v, speed)),
      };
    });
}

export async function dragFriction(host) {
  const { laws } = await get("live/friction"),
    controls = el("div", { class: "card" }),
    problem = problemNote();
  const picture = el(
      "section",
      { class: "card", "aria-label": "Friction law" },
      el("h2", {}, "Coefficient of friction over slip speed: drag the handles"),
    ),
    code = el("pre", { tabindex: "0", "aria-label": "The law as Python" });
  const python = el("section", { class: "card", "aria-label": "Python" }, el("h2", {}, "The same law in Python"), code);
  show(host, dragBoard(controls, [problem.node, picture, problem.limits, python]));
  const plot = new LinePlot(picture, { title: "Coefficient of friction", high: 360 }),
    rows = el("div"),
    pick = el(
      "select",
      { onchange: () => choose(laws[Number(pick.value)]) },
      laws.map((one, n) => el("option", { value: n }, one.title || one.name)),
    );
  controls.append(el("label", { class: "slider-row" }, el("span", {}, "Law"), pick), rows);
  let law = null,
    v = {},
    refresh = () => {};
  const set = (given) => {
    for (const [name, value] of Object.entries(given)) {
      const one = law.parameters.find((parameter) => parameter.name === name);
      v[name] = Number(Math.min(one.maximum, Math.max(one.minimum, value)).toPrecision(4));
    }
    refresh();
    ask();
  };
  const shown = (answer) => {
    const handles = handlesOf(law, v, answer.curve, set),
      top = 1.15 * Math.max(...answer.curve.series[0].values, ...handles.map((one) => one.y));
    plot.setData({ x: answer.curve.x, curves: answer.curve.series, range: [0, top || 1], handles });
    code.textContent = answer.python || "";
  };
  const ask = liveQuestion("friction", { problem, given: () => ({ law: law.name, parameters: { ...v } }), shown });
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
