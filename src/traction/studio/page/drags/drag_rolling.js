// Drag the creepages, spin and load of a rolling patch: forces, stick and slip follow.

import { debounce, el, show } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";
import { LinePlot } from "../drawing/line_plot.js";
import { figureCards } from "../views/figure_cards.js";
import { LayeredMap } from "../views/map_view.js";
import { DragPad, padAxis } from "./drag_pad.js";
import { ForceCircle } from "./force_circle.js";
import { dragBoard } from "./drag_board.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { sliderRows } from "./slider_rows.js";

const MOST_CREEPAGE = 0.008,
  REFERENCE_LOAD = 1e5,
  REST = 120; // ms without a move until the curve is asked for
const SLIDERS = [
  {
    name: "longitudinal",
    label: "Longitudinal creepage",
    unit: "1",
    minimum: -MOST_CREEPAGE,
    maximum: MOST_CREEPAGE,
    percent: true,
  },
  { name: "lateral", label: "Lateral creepage", unit: "1", minimum: -MOST_CREEPAGE, maximum: MOST_CREEPAGE, percent: true },
  { name: "spin", label: "Spin", unit: "rad/m", minimum: -2, maximum: 2 },
  { name: "load", label: "Load", unit: "N", minimum: 5e3, maximum: 3e5, log: true },
  { name: "friction", label: "Friction coefficient", unit: "1", minimum: 0.05, maximum: 0.6 },
  { name: "along", label: "Longitudinal semi-axis at 100 kN", unit: "m", minimum: 3e-3, maximum: 1e-2 },
  { name: "across", label: "Lateral semi-axis at 100 kN", unit: "m", minimum: 3e-3, maximum: 1e-2 },
];

/** Both semi-axes grow with the cube root of the load: the bodies stay the same (Hertz). */
const semiAxes = (v) => {
  const grown = Math.cbrt(v.load / REFERENCE_LOAD);
  return [v.along * grown, v.across * grown];
};

const patchOf = (v) => ({ load: v.load, semi_axes: semiAxes(v), friction: v.friction, spin: v.spin });

function numbers(host, answer) {
  const rows = [
    ["Longitudinal force", quantity(answer.force[0], "N")],
    ["Lateral force", quantity(answer.force[1], "N")],
    ["Spin moment", quantity(answer.moment, "N m")],
    ["Share of the friction limit", `${short(100 * answer.utilisation, 3)} %`],
    ["Stick area", `${short(100 * answer.stick_share, 3)} %`],
    ["Peak pressure", quantity(answer.peak_pressure, "Pa")],
  ];
  show(host, figureCards(rows));
}

export async function dragRolling(host) {
  const v = { longitudinal: 0.0015, lateral: 0.0008, spin: 0.3, load: 1e5, friction: 0.3, along: 6e-3, across: 5e-3 };
  const controls = el("div", { class: "card" }),
    hand = el("div", { class: "card hand" }),
    figures = el("dl", { class: "figures" }),
    picture = el("section", { class: "card", "aria-label": "Patch" }, el("h2", {}, "Contact patch, rolling to the right")),
    side = el("section", { class: "card", "aria-label": "Forces" }, el("h2", {}, "Force over creepage")),
    problem = problemNote();
  show(host, dragBoard([hand, controls], [problem.node, picture, figures, problem.limits], [side]));
  const pad = new DragPad(hand, {
    label: "Creepages",
    x: padAxis("longitudinal creepage", "1", MOST_CREEPAGE, true),
    y: padAxis("lateral creepage", "1", MOST_CREEPAGE, true),
    moved: (x, y) => {
      v.longitudinal = x;
      v.lateral = y;
      refresh();
      moved("lateral");
    },
  });
  const map = new LayeredMap(picture, { title: "Contact patch", first: "state" }),
    plot = new LinePlot(side, { title: "force" }),
    circle = new ForceCircle(side);
  const ask = liveQuestion("rolling", {
    problem,
    given: () => ({ ...patchOf(v), creepage: [v.longitudinal, v.lateral], elements: 40, maps: true }),
    shown: (answer) => {
      numbers(figures, answer);
      map.setData(answer);
      circle.set(answer.force, v.friction * v.load);
    },
  });
  const askCurve = liveQuestion("creep-curve", {
    problem,
    patience: false,
    given: () => ({ ...patchOf(v), eta: v.lateral }),
    shown: (answer) => {
      plot.setData({ x: { ...answer.x, label: "longitudinal creepage" }, curves: answer.series, yLabel: "force" });
      plot.setNow(v.longitudinal);
    },
  });
  const curveAtRest = debounce(() => askCurve({ moved: false }), REST);
  const moved = (name) => {
    pad.set(v.longitudinal, v.lateral);
    plot.setNow(v.longitudinal);
    ask();
    if (name !== "longitudinal") curveAtRest();
  };
  const refresh = sliderRows(controls, SLIDERS, v, moved);
  moved("all");
  return () => [pad, map, plot, circle].forEach((one) => one.end());
}
