// Key figures as cards: a name and what it is.

import { el } from "../core/dom.js";

/** Cards of `rows` = [[name, text]]. */
export const figureCards = (rows) =>
  rows.map(([name, text]) => el("div", { class: "figure" }, el("dt", {}, name), el("dd", {}, text)));
