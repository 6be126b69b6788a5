// A sweep: how far it is, what was varied, what came out as a curve, a map or bands whose points open the run behind them.

import { act } from "../core/act.js";
import { follow, get, post, remove } from "../core/api.js";
import { announce, el, pageTitle, show } from "../core/dom.js";
import { duration, extent, quantity, when } from "../core/numbers.js";
import { go, remember } from "../core/router.js";
import { GOING, progressCard, stateMark, sweepWords } from "../core/run_words.js";
import { FieldMap } from "../drawing/field_map.js";
import { LinePlot } from "../drawing/line_plot.js";
import { nearest } from "../views/view_link.js";
import { downloadsPart, openReport } from "./downloads.js";

const LOOK = 1500; // ms between two looks at the table of a sweep that runs
const MOST_ROWS = 500;

const open = (run) => {
  if (run) go(`run/${run}`);
  else announce("only the key figures of this variant are stored: there is no run to open");
};

function drawMap(host, data, column) {
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
    layers: [{ name: column.name, label: column.label, unit: column.unit, values: data.values, kind, low: ends[0], high: ends[1] }],
  });
  return map;
}

/** Curves over a list, points of samples, and the bands between which most of them lie. */
function drawCurves(host, data, column) {
  const plot = new LinePlot(host, {
    title: column.label,
    high: 340,
    onPick: (x, n) => {
      const one = data.series[Math.max(0, n)],
        at = nearest(one.x || data.x.values, x);
      if (!data.bands.length || data.dots) open(one.runs[at]);
    },
  });
  plot.setData({
    x: data.x,
    yLabel: column.label,
    bands: data.bands,
    curves: data.series.map((one) => ({ ...one, unit: column.unit, points: true, dots: data.dots, named: data.bands.length && !data.dots })),
  });
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
      { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Table of variants" },
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
          sweep.rows.slice(0, MOST_ROWS).map((row) =>
            el(
              "tr",
              {},
              el("td", {}, row.run ? el("a", { href: `#/run/${row.run}`, title: row.variant }, numberOf(row)) : numberOf(row)),
              columns.map((one) => el("td", { class: "number" }, text(one, row))),
              el("td", {}, row.message || row.status),
            ),
          ),
        ),
      ),
    ),
    sweep.rows.length > MOST_ROWS
      ? el("p", { class: "note" }, `The first ${MOST_ROWS} of ${sweep.rows.length} variants; all of them are in table.csv.`)
      : null,
  );
}

/** "004" of "004-speed=30": the values stand beside it. */
const numberOf = (row) => String(row.variant).split("-")[0];

/** Labels of tables end in a unit, which the page shows with the number. */
const withoutUnit = (column) => ({ ...column, label: column.label.replace(/\s*\([^()]*\)$/, "") });

class SweepPage {
  constructor(host, sweep, query) {
    Object.assign(this, { id: sweep.id, path: `sweeps/${encodeURIComponent(sweep.id)}`, drawn: null });
    this.wanted = { result: query.get("result"), over: query.get("over") };
    this.tools = el("div", { class: "buttons" });
    this.under = el("p", { class: "note under" });
    this.progress = el("div");
    this.place = el("div");
    this.seen = el("div");
    this.rest = el("div");
    show(
      host,
      el("div", { class: "run-head" }, pageTitle(sweep.title || sweep.name), this.tools),
      this.under,
      this.progress,
      this.seen,
      this.rest,
    );
  }

  tell(sweep) {
    const key = JSON.stringify([sweep.state, sweep.can_stop, sweep.can_resume, sweep.report]);
    if (key !== this.key) show(this.tools, this.toolsPart(sweep));
    else this.tools.firstChild.replaceWith(stateMark(sweep));
    this.key = key;
    this.going = GOING.includes(sweep.state) || sweep.report === "drawing";
    const words = sweepWords(sweep);
    this.under.textContent = [`sweep of ${sweep.kind}`, sweep.name, when(sweep.created), words].filter(Boolean).join(" · ");
    show(this.progress, this.progressPart(sweep));
  }

  toolsPart(sweep) {
    const button = (words, action, kind = "") => el("button", { type: "button", class: kind, onclick: action }, words);
    const away = () =>
      act(async () => {
        if (!this.sure) {
          this.sure = true;
          announce("press Delete again to delete the sweep and all its runs");
          return;
        }
        await remove(this.path);
        go("runs");
      });
    return [
      stateMark(sweep),
      sweep.can_stop ? button("Stop", () => act(() => post(`${this.path}/stop`)), "bad") : null,
      sweep.can_resume ? button("Resume", () => act(() => post(`${this.path}/resume`)), "main") : null,
      sweep.report === "ready" ? button("Report", () => openReport(this.id)) : null,
      sweep.can_delete ? button("Delete", away, "quiet") : null,
    ];
  }

  progressPart(sweep) {
    const left = sweep.seconds_left ? `about ${duration(sweep.seconds_left)} left` : sweep.message || sweep.phase || "starting";
    return progressCard(sweep, "sweep", sweep.state === "queued" ? "waiting for another run to finish" : left);
  }

  /** Everything anew, from the table as it is now. */
  async look() {
    const given = await get(this.path),
      sweep = { ...given, varied: given.varied.map(withoutUnit), results: given.results.map(withoutUnit) };
    if (this.ended) return;
    this.tell(sweep);
    this.numbers = sweep.results.filter((one) => one.number);
    const { files } = sweep.rows.length ? await get(`runs/${this.id}/files`) : { files: [] };
    const wanted = this.numbers.find((one) => one.name === this.wanted.result);
    this.column = wanted || this.numbers.find((one) => one.headline) || this.numbers[0];
    if (this.column) await this.draw();
    show(this.rest, sweep.rows.length ? rowsPart(sweep) : null, downloadsPart(this.id, files));
  }

  /** The picture, with what can be chosen about it. */
  async draw() {
    const { result, over } = { result: this.column.name, over: this.wanted.over },
      more = over ? `&over=${encodeURIComponent(over)}` : "";
    let data = null;
    try {
      data = await get(`${this.path}/map?result=${encodeURIComponent(result)}${more}`);
    } catch (reason) {
      show(this.seen, el("p", { class: "note card" }, reason.message));
      return;
    }
    if (this.ended) return;
    if (this.drawn) this.drawn.end();
    const held = document.activeElement && this.seen.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    show(this.place);
    show(this.seen, this.seenPart(data));
    const shown = { ...data, x: withoutUnit(data.x), y: data.y && withoutUnit(data.y) };
    this.drawn = data.y ? drawMap(this.place, shown, this.column) : drawCurves(this.place, shown, this.column);
    if (held) [...this.seen.querySelectorAll("select")].find((one) => one.getAttribute("aria-label") === held)?.focus();
  }

  seenPart(data) {
    const choose = (name, label, options, chosen) =>
      el(
        "select",
        {
          "aria-label": label,
          onchange: (event) => {
            this.wanted[name] = event.target.value;
            remember({ [name]: event.target.value });
            this.column = this.numbers.find((one) => one.name === this.wanted.result) || this.column;
            this.draw();
          },
        },
        options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
      );
    const result = choose("result", "Result to show", this.numbers.map((one) => [one.name, one.label]), this.column.name),
      over = data.over.length > 1 ? choose("over", "Along the axis", data.over.map((one) => [one, `over ${one}`]), data.x.name) : null,
      hint = data.bands.length && !data.dots ? "Bands hold the given share of the samples." : "Click on a point to open its run.";
    return el(
      "section",
      { class: "card", "aria-labelledby": "seen" },
      el("div", { class: "section-head" }, el("h2", { id: "seen" }, "Results over the varied values"), el("div", { class: "buttons" }, result, over)),
      this.place,
      el("p", { class: "note" }, hint),
    );
  }

  /** News of the sweep: told at once, looked at again every other second and at the end. */
  async hear(sweep) {
    this.tell(sweep);
    const over = !GOING.includes(sweep.state);
    if (over || Date.now() > (this.looked || 0) + LOOK) {
      this.looked = Date.now();
      await this.look();
    }
  }

  end() {
    this.ended = true;
    if (this.drawn) this.drawn.end();
  }
}

export async function sweepPage(host, { id }, query) {
  const sweep = await get(`sweeps/${encodeURIComponent(id)}`),
    page = new SweepPage(host, sweep, query);
  await page.look();
  let latest = Promise.resolve();
  const unfollow = follow("events", (event, data) => {
    if (event === "sweep" && data.id === id) latest = latest.then(() => (page.ended ? null : page.hear(data))).catch(() => {});
  });
  // news between the first look and the first event would be missed, and other programs send none
  const again = setInterval(() => {
    if (page.going) latest = latest.then(() => (page.ended ? null : page.look())).catch(() => {});
  }, 2 * LOOK);
  return () => {
    page.end();
    clearInterval(again);
    unfollow();
  };
}
