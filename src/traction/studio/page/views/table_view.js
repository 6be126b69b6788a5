// Rows of words and numbers.

import { get } from "../core/api.js";
import { el } from "../core/dom.js";
import { short } from "../core/numbers.js";

const isNumber = (one) => typeof one === "number" || (typeof one === "string" && /^[-+\u2212]?[\d.]+(e[-+\u2212]?\d+)?( ?[a-zA-Zµ%/²³ ]{1,8})?$/.test(one));
const cell = (one) => el("td", { class: isNumber(one) ? "number" : null }, typeof one === "number" ? short(one, 5) : one === null ? "–" : String(one));

/** A table that scrolls by itself where it is wide. */
export function tableNode({ header, rows, title }) {
  const right = (n) => rows.length > 0 && isNumber(rows[0][n]);
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${title || "values"}` }, el("table", {}, header && header.length ? el("thead", {}, el("tr", {}, header.map((one, n) => el("th", { scope: "col", class: right(n) ? "number" : null }, one)))) : null,
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

export async function tableView(host, { path, view }) {
  host.append(tableNode({ ...(await get(`${path}/views/${encodeURIComponent(view.name)}`)), title: view.title }));
  return null;
}
