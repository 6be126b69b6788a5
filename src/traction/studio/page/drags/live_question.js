// Asks the server for what is being dragged: one question at a time, always the newest; measures from move to picture.

import { post } from "../core/api.js";
import { newestOnly } from "../core/dom.js";
import { unpack } from "../core/packed.js";

/**
 * `problem` is a `problemNote`; without `patience` a first answer that takes long is not announced. `ask()` sends `given()` and draws the answer by `shown(answer)`. The time from the first move that an answer covers to the
 * picture is kept as a measure of the browser, named "drag".
 */
export function liveQuestion(path, { given, shown, problem, patience = true }) {
  let since = null,
    answered = false;
  setTimeout(() => {
    if (!answered && patience) problem.say("Preparing the solver: the first result takes a few seconds.", "wait");
  }, 600);
  const draw = (answer, start) => {
    shown(answer);
    if (answer.notes) problem.note(answer.notes);
    problem.say("");
    if (start !== null)
      requestAnimationFrame(() => setTimeout(() => performance.measure("drag", { start, end: performance.now() }), 0));
  };
  const run = newestOnly(async () => {
    const start = since;
    since = null;
    try {
      const answer = await post(`live/${path}`, { ...given(), packed: true });
      setTimeout(() => draw(unpack(answer), start), 0); // the next question goes out first, and is solved meanwhile
    } catch (reason) {
      problem.say(reason.message);
    }
    answered = true;
  });
  return ({ moved = true } = {}) => {
    if (moved && since === null) since = performance.now();
    run();
  };
}
