// Rows of words and numbers.

import { get } from "../core/api.js";
import { el } from "../core/dom.js";
import { short } from "../core/numbers.js";

const EMPTY = ["–", "same", "", null];
const numeric = (one) => typeof one === "number" || (typeof one === "string" && /^[-+\u2212]?\d/.test(one));
const text = (one) => (typeof one === "number" ? short(one, 5) : one === null ? "–" : one);

/** A table that scrolls by itself where it is wide; columns of numbers stand to the right. */
export function tableNode({ header, rows, title }) {
  const right = (header || rows[0] || []).map(
    (_, n) => rows.some((row) => numeric(row[n])) && rows.every((row) => numeric(row[n]) || EMPTY.includes(row[n])),
  );
  const name = (n) => (right[n] ? "number" : null);
  const head =
    header && header.length
      ? el(
          "thead",
          {},
          el(
            "tr",
            {},
            header.map((one, n) => el("th", { scope: "col", class: name(n) }, one)),
          ),
        )
      : null;
  const body = rows.map((row) =>
    el(
      "tr",
      {},
      row.map((one, n) => el("td", { class: name(n) }, text(one))),
    ),
  );
  const label = `Table: ${title || "values"}`;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el("table", {}, head, el("tbody", {}, body)),
  );
}

export async function tableView(host, { path, view }) {
  host.append(tableNode({ ...(await get(`${path}/views/${encodeURIComponent(view.name)}`)), title: view.title }));
  return null;
}
