// Drag a wheelset over its rails, sideways and in yaw: both patches follow.

import { el, show } from "../core/dom.js";
import { dragBoard } from "./drag_board.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { SidePart, windowOf } from "./side_part.js";
import { sliderRows } from "./slider_rows.js";
import { FrontView, PlanView } from "./wheelset_scene.js";

const SLIDERS = [
  { name: "y", label: "Lateral shift", unit: "m", minimum: -8e-3, maximum: 8e-3 },
  { name: "yaw", label: "Yaw", unit: "rad", minimum: -0.03, maximum: 0.03 },
  { name: "load", label: "Axle load", unit: "N", minimum: 4e4, maximum: 3e5, log: true },
  { name: "friction", label: "Friction coefficient", unit: "1", minimum: 0.05, maximum: 0.6 },
];

export async function dragWheelset(host) {
  const v = { y: 2e-3, yaw: 0, load: 1.6e5, friction: 0.3 },
    controls = el("div", { class: "card" }),
    problem = problemNote(),
    scene = el(
      "section",
      { class: "card", "aria-label": "Wheelset" },
      el("h2", {}, "Wheelset: drag it sideways; yaw it in the view from above"),
    ),
    sides = el("div", { class: "two" });
  show(host, dragBoard(controls, [problem.node, scene, sides, problem.limits]));
  const hold = (name, value) => {
    const { minimum, maximum } = SLIDERS.find((one) => one.name === name);
    v[name] = Math.min(maximum, Math.max(minimum, value));
    refresh();
    moved();
  };
  const front = new FrontView(scene, { moved: (y) => hold("y", y) }),
    plan = new PlanView(scene, { moved: (yaw) => hold("yaw", yaw) }),
    parts = { left: new SidePart(sides, "left"), right: new SidePart(sides, "right") };
  let latest = null;
  const shown = (answer) => {
    latest = answer;
    front.set(answer, v.y);
    const window = windowOf(answer.sides);
    parts.left.set(answer.sides.left, window);
    parts.right.set(answer.sides.right, window);
  };
  const ask = liveQuestion("wheelset", { problem, given: () => ({ ...v, maps: true }), shown });
  const moved = () => {
    plan.set(v.y, v.yaw);
    if (latest) front.set(latest, v.y);
    ask();
  };
  const refresh = sliderRows(controls, SLIDERS, v, moved);
  moved();
  return () => [front, plan, parts.left, parts.right].forEach((one) => one.end());
}
