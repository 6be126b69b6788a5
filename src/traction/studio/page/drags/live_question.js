// Asks the server for what is being dragged: one question at a time, always the newest; measures from move to picture.

import { post } from "../core/api.js";
import { newestOnly } from "../core/dom.js";

/**
 * `ask()` sends `given()` and draws the answer by `shown(answer)`. The time from the first move that an answer covers to the
 * picture is kept as a measure of the browser, named "drag".
 */
export function liveQuestion(path, { given, shown, failed }) {
  let since = null;
  const run = newestOnly(async () => {
    const start = since;
    since = null;
    try {
      shown(await post(`live/${path}`, given()));
    } catch (reason) { failed(reason.message); return; }
    failed("");
    if (start !== null) requestAnimationFrame(() => setTimeout(() => performance.measure("drag", { start, end: performance.now() }), 0));
  });
  return () => {
    if (since === null) since = performance.now();
    run();
  };
}
