// Drag the speed of a train along its resonance curve; the bridge answers beside it.

import { get } from "../core/api.js";
import { el, show } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";
import { valueAt } from "../drawing/curves.js";
import { LinePlot } from "../drawing/line_plot.js";
import { figureCards } from "../views/figure_cards.js";
import { dragBoard } from "./drag_board.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { sliderRows } from "./slider_rows.js";

const KMH = 3.6,
  START = { speed: 70, length: 15, bending_stiffness: 7.694081e9, mass_per_length: 15000, damping: 0.01 };
const SLIDERS = [
  { name: "speed", label: "Speed", unit: "m/s", minimum: 20, maximum: 120 },
  { name: "length", label: "Length of the bridge", unit: "m", minimum: 8, maximum: 40 },
  { name: "bending_stiffness", label: "Bending stiffness", unit: "N m2", minimum: 1e9, maximum: 1e11, log: true },
  { name: "mass_per_length", label: "Mass per length", unit: "kg/m", minimum: 3000, maximum: 40000 },
  { name: "damping", label: "Damping ratio", unit: "1", minimum: 0.002, maximum: 0.06, percent: true },
];

function numbers(host, answer) {
  const { point } = answer,
    rows = [
      ["Speed", `${Math.round(point.speed * KMH)} km/h`],
      ["Peak deflection", quantity(point.deflection, "m")],
      ["Peak acceleration", quantity(point.acceleration, "m/s2")],
      ["Dynamic amplification", point.static ? `${short(point.deflection / point.static, 3)}` : "–"],
      ["Lowest natural frequency", quantity(answer.frequency, "Hz")],
    ];
  show(host, figureCards(rows));
}

/** The resonance curve with its handle: dragged anywhere in the plot, the speed follows. */
function curveData(answer, n, v, setSpeed) {
  const { x, series } = answer.curve,
    one = series[n],
    at = valueAt(x.values, one.values, v.speed);
  return {
    x,
    curves: [one],
    keepZoom: true,
    marks: n
      ? []
      : (answer.expected || [])
          .filter((mark) => mark.speed >= x.values[0] && mark.speed <= x.values[x.values.length - 1])
          .sort((a, b) => b.speed - a.speed)
          .slice(0, 3)
          .map((mark) => ({ x: mark.speed, words: quantity(mark.speed, "m/s", 3) })),
    handles: [{ x: v.speed, y: at ?? one.values[0], axis: "x", label: "speed", anywhere: true, move: setSpeed }],
  };
}

/** What the server offers: trains, first values, and sliders within its limits. */
async function offers() {
  const { trains, parameters } = await get("live/train"),
    of = (name) => parameters.find((one) => one.name === name) || {};
  const sliders = SLIDERS.map((one) => ({
    ...one,
    minimum: Math.max(one.minimum, of(one.name).minimum ?? -Infinity),
    maximum: Math.min(one.maximum, of(one.name).maximum ?? Infinity),
  }));
  const start = Object.fromEntries(SLIDERS.map(({ name }) => [name, of(name).default ?? START[name]]));
  return { trains, sliders, v: { ...start, train: trains[0] } };
}

export async function dragTrain(host) {
  const { trains, sliders, v } = await offers();
  const controls = el("div", { class: "card" }),
    figures = el("dl", { class: "figures" }),
    problem = problemNote();
  const resonance = el("section", { class: "card", "aria-label": "Resonance" }, el("h2", {}, "Peak response over speed")),
    history = el("section", { class: "card", "aria-label": "History" }, el("h2", {}, "Midspan during the crossing"));
  show(host, dragBoard(controls, [problem.node, resonance, problem.limits], [history, figures]));
  const pick = el(
    "select",
    {
      onchange: () => {
        v.train = pick.value;
        ask();
      },
    },
    trains.map((name) => el("option", { value: name }, name)),
  );
  controls.append(el("label", { class: "slider-row" }, el("span", {}, "Train"), pick));
  const first = new LinePlot(resonance, { title: "Peak deflection", high: 230 }),
    second = new LinePlot(resonance, { title: "Peak acceleration", high: 200 }),
    course = new LinePlot(history, { title: "Deflection", high: 260 });
  let latest = null;
  const setSpeed = (x) => {
    v.speed = Math.min(sliders[0].maximum, Math.max(sliders[0].minimum, Number(x.toPrecision(5))));
    refresh();
    moved("speed");
  };
  const drawCurves = () =>
    [first, second].forEach((plot, n) => {
      if (latest.curve.series[n]) plot.setData(curveData(latest, n, v, setSpeed));
    });
  const ask = liveQuestion("train", {
    problem,
    given: () => ({ ...v }),
    shown: (answer) => {
      latest = answer;
      numbers(figures, answer);
      drawCurves();
      course.setData({ x: answer.history.x, curves: answer.history.series });
    },
  });
  const moved = () => {
    if (latest) drawCurves();
    ask();
  };
  const refresh = sliderRows(controls, sliders, v, moved);
  ask();
  return () => [first, second, course].forEach((one) => one.end());
}
