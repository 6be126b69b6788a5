// Drag a wheelset over its rails, sideways and in yaw: both patches follow.

import { el, show } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";
import { LayeredMap } from "../views/map_view.js";
import { dragBoard } from "./drag_board.js";
import { liveQuestion } from "./live_question.js";
import { problemNote } from "./problem_note.js";
import { sliderRows } from "./slider_rows.js";
import { FrontView, PlanView } from "./wheelset_scene.js";

const WINDOW = { x: [-12e-3, 12e-3], y: [-12e-3, 12e-3] }; // of both maps, so that sizes can be compared
const SLIDERS = [
  { name: "y", label: "Lateral shift", unit: "m", minimum: -8e-3, maximum: 8e-3 },
  { name: "yaw", label: "Yaw", unit: "rad", minimum: -0.03, maximum: 0.03 },
  { name: "load", label: "Axle load", unit: "N", minimum: 4e4, maximum: 3e5, log: true },
  { name: "friction", label: "Friction coefficient", unit: "1", minimum: 0.05, maximum: 0.6 },
];

function sideRows(side) {
  const rows = [["rolling radius", quantity(side.rolling_radius, "m", 5)]];
  side.patches.forEach((one, n) => {
    const name = side.patches.length > 1 ? ` ${n + 1}` : "";
    rows.push(
      [`normal force${name}`, quantity(one.force[0], "N")],
      [`creep forces${name}`, `${quantity(one.force[1], "N", 3)}, ${quantity(one.force[2], "N", 3)}`],
      [`contact angle${name}`, `${short((180 / Math.PI) * one.angle, 3)}°`],
      [`peak pressure${name}`, quantity(one.peak_pressure, "Pa")],
      [`stick area${name}`, `${short(100 * one.stick_share, 3)} %`],
    );
  });
  return rows;
}

class SidePart {
  constructor(host, name) {
    this.table = el("dl", { class: "pairs" });
    this.map = el("div");
    this.status = el("p", { class: "note" });
    host.append(
      el(
        "section",
        { class: "card", "aria-label": `${name} wheel` },
        el("h2", {}, `${name.charAt(0).toUpperCase()}${name.slice(1)} wheel`),
        this.status,
        this.map,
        this.table,
      ),
    );
  }

  set(side) {
    this.status.textContent = side.status && side.status !== "converged" ? side.status : "";
    show(
      this.table,
      sideRows(side).map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]),
    );
    const one = side.patches.find((patch) => patch.layers && patch.layers.length);
    if (!one) return;
    if (!this.drawn) this.drawn = new LayeredMap(this.map, { title: "Contact patch" });
    this.drawn.setData({ ...one, window: WINDOW });
  }

  end() {
    if (this.drawn) this.drawn.end();
  }
}

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
    parts.left.set(answer.sides.left);
    parts.right.set(answer.sides.right);
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
