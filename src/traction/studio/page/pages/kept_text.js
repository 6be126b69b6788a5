// Texts of cases that go from one page to another: kept for this visit, under a key that the address holds.

import { go } from "../core/router.js";

const place = (key) => `traction-text-${key}`;

/** Keeps a text and goes to a page of it. */
export function openText(toml, page = "text") {
  const key = Date.now().toString(36);
  sessionStorage.setItem(place(key), toml);
  go(`${page}/${key}`);
}

/** The text under a key. */
export function keptText(key) {
  const toml = sessionStorage.getItem(place(key));
  if (!toml) throw new Error("This case is no longer stored; open it again from its run.");
  return toml;
}
