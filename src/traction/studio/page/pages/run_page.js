// A run: how far it is, what came of it, what can be seen and taken away.

import { act } from "../core/act.js";
import { download, follow, get, post } from "../core/api.js";
import { announce, el, pageTitle, show } from "../core/dom.js";
import { duration, when } from "../core/numbers.js";
import { GOING, progressCard, progressWords, stateMark } from "../core/run_words.js";
import { figureCards } from "../views/figure_cards.js";
import { tableNode } from "../views/table_view.js";
import { viewBoard } from "../views/view_board.js";
import { fileGroups, openReport } from "./downloads.js";

const LOOK = 4000; // ms between looks at a run of which nothing is heard
const EXPORTS = [
  ["nc", "netCDF"],
  ["csv", "CSV"],
  ["mat", "MATLAB"],
  ["toml", "TOML"],
];
function headPart(run) {
  const path = `runs/${run.id}`;
  return [
    stateMark(run),
    run.can_stop ? el("button", { type: "button", class: "bad", onclick: () => act(() => post(`${path}/stop`)) }, "Stop") : null,
    run.can_resume
      ? el("button", { type: "button", class: "main", onclick: () => act(() => post(`${path}/resume`)) }, "Resume")
      : null,
    run.report === "ready" ? el("button", { type: "button", onclick: () => openReport(run.id) }, "Report") : null,
    el("a", { class: "button", href: `#/edit/${run.id}` }, "Change and run again"),
    el("a", { class: "button", href: `#/compare?a=${run.id}` }, "Compare"),
    run.sweep ? el("a", { class: "button", href: `#/sweep/${run.sweep}` }, "Its sweep") : null,
  ];
}

function figuresPart({ figures = [] }) {
  const rows = figures.slice(0, 8).map((one) => [one.name, one.text]);
  return rows.length ? el("dl", { class: "figures", "data-tour": "figures" }, figureCards(rows)) : null;
}

function storyPart(details) {
  const { story = [], tables = [] } = details;
  if (!story.length && !tables.length) return null;
  return el(
    "details",
    { class: "card" },
    el("summary", {}, "Summary of the report"),
    story.map((one) => el("p", {}, one)),
    tables.map((one) => [el("h3", {}, one.title), tableNode(one)]),
  );
}

function takeAwayPart(run, details) {
  const files = (details.files || []).filter((one) => one.group !== "scenario");
  return el(
    "section",
    { class: "card", "aria-labelledby": "take", "data-tour": "take" },
    el("h2", { id: "take" }, "Download"),
    el(
      "div",
      { class: "buttons" },
      EXPORTS.map(([format, words]) =>
        el(
          "button",
          { type: "button", onclick: () => act(() => download(`runs/${run.id}/export/${format}`, `${run.name}.${format}`)) },
          words,
        ),
      ),
      run.report === "ready"
        ? el(
            "button",
            { type: "button", onclick: () => act(() => download(`runs/${run.id}/files/report.html`, `${run.name}-report.html`)) },
            "Report",
          )
        : null,
    ),
    files.length ? el("details", {}, el("summary", { class: "note" }, "Individual files"), fileGroups(run.id, files)) : null,
  );
}

function casePart(details) {
  return el(
    "details",
    { class: "card" },
    el("summary", {}, "The case as TOML and as Python"),
    el(
      "div",
      { class: "two" },
      el("div", {}, el("h3", {}, "TOML, in SI"), el("pre", { tabindex: "0", "aria-label": "TOML" }, details.toml || "")),
      el("div", {}, el("h3", {}, "Python"), el("pre", { tabindex: "0", "aria-label": "Python" }, details.python || "")),
    ),
  );
}

class RunPage {
  constructor(host, run, sample) {
    Object.assign(this, { host, run, sample, endBoard: null });
    this.head = el("div", { class: "run-head" });
    this.title = pageTitle(run.title || run.name);
    this.tools = el("div", { class: "buttons" });
    this.head.append(this.title, this.tools);
    this.under = el("p", { class: "note under" });
    this.progress = el("div", { "aria-live": "off" });
    this.figures = el("div");
    this.views = el("div", { "data-tour": "views" });
    this.rest = el("div");
    show(host, this.head, this.under, this.progress, this.figures, this.views, this.rest);
  }

  async update(run, force = false) {
    const before = this.run;
    this.run = run;
    this.under.textContent = [
      run.kind,
      run.name,
      when(run.created),
      GOING.includes(run.state) || !run.seconds ? null : `took ${duration(run.seconds)}`,
      run.report === "drawing" ? "its report is being written" : null,
    ]
      .filter(Boolean)
      .join(" · ");
    const key = JSON.stringify([run.state, run.can_stop, run.can_resume, run.report]);
    if (key !== this.key) {
      const held = this.tools.contains(document.activeElement) ? document.activeElement.textContent : null;
      show(this.tools, headPart(run));
      if (held) ([...this.tools.children].find((one) => one.textContent === held) || this.title).focus();
      this.key = key;
    } else this.tools.firstChild.replaceWith(stateMark(run));
    show(this.progress, progressCard(run, "run", progressWords(run)));
    const ended = !GOING.includes(run.state) && (force || GOING.includes(before.state) || before.state !== run.state),
      drawn = before.report !== run.report && run.report === "ready";
    if (ended) {
      if (!force) announce(`${run.title || run.name}: ${run.state}`, run.state === "done" ? "plain" : "bad");
      await this.showResults();
    } else if (drawn) await this.showDetails();
    else if (force || this.worthAnotherLook(run)) await this.showResults();
  }

  /** While it runs the views follow, each time a tenth more is there. */
  worthAnotherLook(run) {
    if (run.state !== "running" || !run.total || this.looking) return false;
    const tenth = Math.floor((10 * run.samples) / run.total);
    if (run.samples < 2 || tenth === this.tenth) return false;
    this.tenth = tenth;
    return true;
  }

  async showDetails() {
    const details = await get(`runs/${this.run.id}/details`);
    show(
      this.figures,
      figuresPart(details),
      (details.damage || []).map((one) => el("p", { class: "bad-words" }, one)),
    );
    show(this.rest, storyPart(details), takeAwayPart(this.run, details), casePart(details));
  }

  async showResults() {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    try {
      await this.showDetails();
      const place = el("div"),
        { run } = this,
        end = await viewBoard(place, { run, sample: this.sample });
      if (this.ended) {
        if (end) end();
        return;
      }
      const slid =
        document.activeElement && document.activeElement.closest(".slider-bar")
          ? document.activeElement.tagName.toLowerCase()
          : null;
      if (this.endBoard) this.endBoard();
      this.endBoard = end;
      show(this.views, place);
      this.views.dataset.state = run.state;
      if (slid) place.querySelector(`.slider-bar ${slid}`)?.focus();
    } catch (reason) {
      if (!GOING.includes(this.run.state)) show(this.views, el("p", { class: "note" }, reason.message));
    } finally {
      this.looking = false;
    }
    if (this.again) {
      this.again = false;
      await this.showResults();
    }
  }

  end() {
    this.ended = true;
    if (this.endBoard) this.endBoard();
  }
}

export async function runPage(host, { id }, query) {
  const run = await get(`runs/${encodeURIComponent(id)}`),
    given = query.get("sample"),
    page = new RunPage(host, run, given === null ? null : Number(given));
  await page.update(run, true);
  const unfollow = GOING.includes(run.state) || run.report === "drawing" || run.can_resume ? followRun(id, page) : null;
  const again = setInterval(async () => {
    if (!GOING.includes(page.run.state) || page.looking) return;
    const now = await get(`runs/${encodeURIComponent(id)}`).catch(() => null); // an end before the first event would be missed
    if (now && !page.ended && !GOING.includes(now.state) && GOING.includes(page.run.state)) await page.update(now);
  }, LOOK);
  return () => {
    page.end();
    clearInterval(again);
    if (unfollow) unfollow();
  };
}

/** Changes of this run, among those of all: a run that is resumed is followed too. */
function followRun(id, page) {
  let latest = Promise.resolve();
  return follow("events", (event, data) => {
    if (event === "run" && data.id === id) latest = latest.then(() => (page.ended ? null : page.update(data))).catch(() => {});
  });
}
