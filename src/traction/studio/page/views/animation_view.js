// The scene of a run at the sample of the slider.

import { el } from "../core/dom.js";
import { Canvas } from "../drawing/canvas.js";
import { drawScene } from "../drawing/scenes.js";
import { nearest } from "./view_link.js";

const WORDS = {
  bounce: "The body above the ground, and a close view of the contact",
  crossing: "The bridge and its wheels",
  impact: "The ball and the target",
};

export function animationView(host, { frames, link }) {
  const place = el("div", { class: "plot" });
  host.append(place);
  const canvas = new Canvas(place, {
    paint: (pen, width, height) => drawScene(pen, frames, nearest(frames.rows, link.sample), width, height),
    shape: (width) => Math.max(210, Math.min(300, 0.42 * width)),
    label: WORDS[frames.scene],
  });
  link.on("sample", () => canvas.draw());
  return () => canvas.end();
}
