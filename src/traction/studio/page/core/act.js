// What a button does: a request whose refusal is told.

import { announce } from "./dom.js";

/** Does it, says `words` after it, or why it was refused. */
export async function act(action, words) {
  try {
    await action();
    if (words) announce(words);
  } catch (reason) {
    announce(reason.message, "bad");
  }
}
