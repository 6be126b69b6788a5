// Asks the server for what is being dragged: one question at a time, always the newest; measures from move to picture.

import { post } from "../core/api.js";
import { newestOnly } from "../core/dom.js";
import { unpack } from "../core/packed.js";

/**
 * `problem` is a `problemNote`. `ask()` sends `given()` and draws the answer by `shown(answer)`. The time from the first move that an answer covers to the
 * picture is kept as a measure of the browser, named "drag".
 */
export function liveQuestion(path, { given, shown, problem }) {
  let since = null,
    answered = false;
  setTimeout(() => {
    if (!answered) problem.say("Preparing the solver: the first result takes a few seconds.", "wait");
  }, 600);
  const run = newestOnly(async () => {
    const start = since;
    since = null;
    try {
      const answer = unpack(await post(`live/${path}`, { ...given(), packed: true }));
      answered = true;
      shown(answer);
      if (answer.notes) problem.note(answer.notes);
    } catch (reason) {
      answered = true;
      problem.say(reason.message);
      return;
    }
    problem.say("");
    if (start !== null)
      requestAnimationFrame(() => setTimeout(() => performance.measure("drag", { start, end: performance.now() }), 0));
  });
  return ({ moved = true } = {}) => {
    if (moved && since === null) since = performance.now();
    run();
  };
}
