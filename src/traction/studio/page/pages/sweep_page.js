// A sweep: what was varied, what came out, as a curve or a map whose points open the run behind them.

import { get } from "../core/api.js";
import { announce, el, pageTitle, show } from "../core/dom.js";
import { extent, quantity } from "../core/numbers.js";
import { go, remember } from "../core/router.js";
import { stateMark } from "../core/run_words.js";
import { FieldMap } from "../drawing/field_map.js";
import { LinePlot } from "../drawing/line_plot.js";
import { nearest } from "../views/view_link.js";

const open = (run) => {
  if (run) go(`run/${run}`);
  else announce("only the key figures of this variant are stored: there is no run to open");
};

function drawMap(host, data, column) {
  if (data.y) {
    const ends = extent(...data.values) || [0, 1],
      kind = ends[0] < 0 && ends[1] > 0 ? "signed" : "other";
    const map = new FieldMap(host, {
      title: column.label,
      outside: false,
      sections: true,
      pickWords: "opens that run",
      onPick: (ix, iy) => open(data.runs[iy] && data.runs[iy][ix]),
    });
    map.setData({
      x: data.x,
      y: data.y,
      layers: [
        { name: column.name, label: column.label, unit: column.unit, values: data.values, kind, low: ends[0], high: ends[1] },
      ],
    });
    return map;
  }
  const plot = new LinePlot(host, { title: column.label, high: 320, onPick: (x) => open(data.runs[nearest(data.x.values, x)]) });
  plot.setData({ x: data.x, curves: [{ label: column.label, unit: column.unit, values: data.values, points: true }] });
  return plot;
}

function rowsPart(sweep) {
  const columns = [...sweep.varied, ...sweep.results.filter((one) => one.headline || sweep.results.length < 8)],
    all = [...sweep.varied, ...sweep.results];
  const text = (column, row) => {
    const v = row.values[all.indexOf(column)];
    return typeof v === "number" ? quantity(v, column.unit) : v === null ? "–" : String(v);
  };
  return el(
    "section",
    { class: "card", "aria-labelledby": "rows" },
    el("h2", { id: "rows" }, "Variants"),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of variants" },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Variant"),
            columns.map((one) => el("th", { scope: "col", class: "number" }, one.label)),
            el("th", { scope: "col" }, "State"),
          ),
        ),
        el(
          "tbody",
          {},
          sweep.rows.slice(0, 500).map((row) =>
            el(
              "tr",
              {},
              el("td", {}, row.run ? el("a", { href: `#/run/${row.run}` }, String(row.variant)) : String(row.variant)),
              columns.map((one) => el("td", { class: "number" }, text(one, row))),
              el("td", {}, row.message || row.status),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Labels of tables end in a unit, which the page shows with the number. */
const withoutUnit = (column) => ({ ...column, label: column.label.replace(/\s*\([^()]*\)$/, "") });

export async function sweepPage(host, { id }, query) {
  const path = `sweeps/${encodeURIComponent(id)}`,
    given = await get(path),
    sweep = { ...given, varied: given.varied.map(withoutUnit), results: given.results.map(withoutUnit) },
    place = el("div"),
    numbers = sweep.results.filter((one) => one.number);
  const headline = numbers.find((one) => one.name === query.get("result")) || numbers.find((one) => one.headline) || numbers[0];
  let drawn = null;
  const draw = async (name) => {
    const column = numbers.find((one) => one.name === name);
    if (drawn) drawn.end();
    show(place);
    drawn = null;
    try {
      const data = await get(`${path}/map?result=${encodeURIComponent(name)}`);
      drawn = drawMap(place, { ...data, x: withoutUnit(data.x), y: data.y && withoutUnit(data.y) }, column);
    } catch (reason) {
      show(place, el("p", { class: "note" }, reason.message));
    }
  };
  const pick = el(
    "select",
    {
      "aria-label": "Result to show",
      onchange: () => {
        remember({ result: pick.value });
        draw(pick.value);
      },
    },
    numbers.map((one) => el("option", { value: one.name, selected: one === headline }, one.label)),
  );
  show(
    host,
    el("div", { class: "run-head" }, pageTitle(sweep.title || sweep.name), stateMark(sweep)),
    el(
      "p",
      { class: "note" },
      `Sweep of ${sweep.kind} · ${sweep.done} of ${sweep.variants} variants · varied: ${sweep.varied.map((one) => one.label).join(", ")}`,
    ),
    headline
      ? el(
          "section",
          { class: "card", "aria-labelledby": "seen" },
          el("div", { class: "section-head" }, el("h2", { id: "seen" }, "Results over the varied values"), pick),
          place,
          el("p", { class: "note" }, "Click on a point to open its run."),
        )
      : null,
    rowsPart(sweep),
  );
  if (headline) await draw(headline.name);
  return () => {
    if (drawn) drawn.end();
  };
}
