// Wheels on rails at the sample of the slider: profiles where they touch, and the patches of each wheel.

import { get } from "../core/api.js";
import { el, newestOnly } from "../core/dom.js";
import { unpack } from "../core/packed.js";
import { SidePart, windowOf } from "../drags/side_part.js";
import { FrontView } from "../drags/wheelset_scene.js";
import { remembered } from "./remembered.js";

export async function railsView(host, { path, view, link }) {
  const fetchOne = remembered(async (sample) => unpack((await get(`${path}/views/${encodeURIComponent(view.name)}?sample=${sample}`)).scene)),
    first = await fetchOne(link.sample),
    place = el("div", { class: "two" }),
    front = new FrontView(host, {});
  host.append(place);
  const parts = Object.keys(first.sides).map((name) => [name, new SidePart(place, name, "plain-part")]);
  const fill = (scene) => {
    front.set(scene, scene.y);
    parts.forEach(([name, part]) => part.set(scene.sides[name], windowOf(scene.sides)));
  };
  fill(first);
  link.on("sample", newestOnly(async (sample) => fill(await fetchOne(sample))));
  return () => [front, ...parts.map(([, part]) => part)].forEach((one) => one.end());
}
