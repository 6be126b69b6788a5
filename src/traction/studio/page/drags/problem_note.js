// What goes wrong while something is dragged, or that the first answer takes a while.

import { el } from "../core/dom.js";

/** `limits` holds sentences on the validity of an answer, set by `note`; `say(words)` shows a problem, `say(words, "wait")` a word of patience, `say("")` nothing. */
export function problemNote() {
  const node = el("p", { class: "problem", role: "status" });
  const limits = el("p", { class: "note limits" });
  return {
    node,
    limits,
    say: (words, mood = "bad") => {
      if (node.textContent !== words) node.textContent = words;
      node.classList.toggle("wait", mood === "wait");
    },
    note: (sentences = []) => {
      const words = sentences.join(" ");
      if (limits.textContent !== words) limits.textContent = words;
    },
  };
}
