// Rows of words and numbers.

import { get } from "../core/api.js";
import { el } from "../core/dom.js";
import { short } from "../core/numbers.js";

const cell = (one) => (typeof one === "number" ? el("td", { class: "number" }, short(one, 5)) : el("td", {}, one === null ? "–" : String(one)));

/** A table that scrolls by itself where it is wide. */
export function tableNode({ header, rows, title }) {
  const right = (n) => rows.length > 0 && typeof rows[0][n] === "number";
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${title || "values"}` }, el("table", {}, header && header.length ? el("thead", {}, el("tr", {}, header.map((one, n) => el("th", { scope: "col", class: right(n) ? "number" : null }, one)))) : null,
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

export async function tableView(host, { path, view }) {
  host.append(tableNode({ ...(await get(`${path}/views/${encodeURIComponent(view.name)}`)), title: view.title }));
  return null;
}
