// What goes wrong while something is dragged, or that the first answer takes a while.

import { el } from "../core/dom.js";

/** `say(words)` shows a problem, `say(words, "wait")` a word of patience, `say("")` nothing. */
export function problemNote() {
  const node = el("p", { class: "problem", role: "status" });
  return { node, say: (words, mood = "bad") => {
    if (node.textContent !== words) node.textContent = words;
    node.classList.toggle("wait", mood === "wait");
  } };
}
