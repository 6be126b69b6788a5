// The page of what is dragged: controls, the picture, and what is beside it.

import { el } from "../core/dom.js";

/** Three columns; without anything beside it, the picture takes two. */
export const dragBoard = (controls, picture, beside = null) =>
  el(
    "div",
    { class: "drag-board" },
    el("div", {}, controls),
    el("div", { class: beside ? null : "span-2" }, picture),
    beside ? el("div", {}, beside) : null,
  );
