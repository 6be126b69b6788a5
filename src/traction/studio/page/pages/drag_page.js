// Things to drag: each answers while it is moved.

import { getOnce } from "../core/api.js";
import { el, pageLead, show } from "../core/dom.js";
import { dragFriction } from "../drags/drag_friction.js";
import { dragRolling } from "../drags/drag_rolling.js";
import { dragTrain } from "../drags/drag_train.js";
import { dragWheelset } from "../drags/drag_wheelset.js";

const DRAGS = {
  rolling: ["Rolling contact", "Drag the creepages; forces, stick and slip follow.", dragRolling],
  wheelset: ["Wheelset", "Drag a wheelset over its rails; contact patches and forces follow.", dragWheelset],
  train: ["Train", "Drag the speed of a train through the resonances of a bridge.", dragTrain],
  friction: ["Friction law", "Drag the curve of a friction law by its handles.", dragFriction],
};

export async function dragPage(host, { name = "rolling" }) {
  const { live } = await getOnce("info"),
    there = Object.entries(DRAGS).filter(([key]) => live.includes(key)),
    found = there.find(([key]) => key === name),
    place = el("div", { "data-tour": "drag" });
  if (!found)
    throw new Error(name in DRAGS ? `The drag "${name}" is not available in this installation.` : `There is no drag named "${name}".`);
  const [title, words, open] = found[1];
  show(
    host,
    pageLead(
      title,
      words,
      el(
        "nav",
        { class: "filters", "aria-label": "Things to drag" },
        there.map(([key, [word]]) =>
          el("a", { class: "button", href: `#/drag/${key}`, "aria-current": key === name ? "true" : null }, word),
        ),
      ),
    ),
    place,
  );
  return open(place);
}
