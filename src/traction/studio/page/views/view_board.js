// All views of a run: what moves, maps, curves, tables; one slider for all of them.

import { get, post } from "../core/api.js";
import { announce, el, show } from "../core/dom.js";
import { hasScene } from "../drawing/scenes.js";
import { openText } from "../pages/kept_text.js";
import { animationView } from "./animation_view.js";
import { gridView } from "./grid_view.js";
import { mapView } from "./map_view.js";
import { profileView } from "./profile_view.js";
import { railsView } from "./rails_view.js";
import { barsView, curvesView, seriesView } from "./series_view.js";
import { tableView } from "./table_view.js";
import { timeSlider } from "./time_slider.js";
import { ViewLink } from "./view_link.js";

const MAKERS = {
  series: seriesView,
  curves: curvesView,
  spectrum: seriesView,
  bars: barsView,
  profile: profileView,
  rails: railsView,
  map: mapView,
  grid: gridView,
  surface: gridView,
  table: tableView,
};
const FOLLOWS = ["map", "profile", "rails"],
  WIDE = ["scene", "rails"]; // panels over both columns
const WEIGHTS = { map: 2.4, grid: 2.2, surface: 1.8 }; // heights of panels, for two even columns

/** Shows the views of a run in `host`; returns what ends them. */
export async function viewBoard(host, { run, sample }) {
  const path = `runs/${run.id}`,
    { views, samples, label, animation } = await get(`${path}/views`);
  if (!samples || !views.length) {
    const words =
      run.state === "done"
        ? "There are no views of this kind of case here; see its report and its data."
        : "No results yet.";
    show(host, el("p", { class: "note" }, words));
    return null;
  }
  const link = new ViewLink(samples, label),
    ends = [];
  const frames = animation ? await get(`${path}/frames?count=160`).catch(() => null) : null,
    moves = samples > 1 && (frames || views.some((one) => FOLLOWS.includes(one.type)));
  link.sample =
    sample === null || sample === undefined ? tellingSample(frames, label, samples) : Math.min(samples - 1, Math.max(0, sample));
  const board = new Board();
  show(host);
  if (moves) {
    const slider = timeSlider(link);
    if (frames && frames.rows.length > 20) slider.setSteps(frames.rows);
    host.append(slider.node);
    ends.push(slider.end);
  }
  host.append(board.node);
  if (frames && hasScene(frames.scene)) {
    const place = board.panel("Animation", "scene");
    ends.push(animationView(place, { frames, link }));
  }
  const onCrossing = (train, speed) => openCrossing(path, train, speed);
  await Promise.all(
    views.map(async (view) => {
      const maker = MAKERS[view.type];
      if (!maker) return;
      const place = board.panel(view.title, view.type);
      try {
        const end = await maker(place, { path, view, link, frames, onCrossing });
        if (end) ends.push(end);
      } catch (reason) {
        place.append(el("p", { class: "bad-words" }, reason.message));
      }
    }),
  );
  return () => ends.forEach((end) => end());
}

/** Panels in two columns of about the same height; in one, where the page is narrow, in their order. */
class Board {
  constructor() {
    this.wide = el("div");
    this.columns = [el("div", { class: "column" }), el("div", { class: "column" })];
    this.filled = [0, 0];
    this.count = 0;
    this.tables = el("div");
    this.node = el("div", {}, this.wide, el("div", { class: "board" }, this.columns), this.tables);
  }

  panel(title, type) {
    const inner = el("div"),
      node = el(
        "div",
        { class: `panel card ${type}`, role: "group", "aria-label": title, style: { order: String((this.count += 1)) } },
        el("h2", {}, title),
        inner,
      );
    const n = this.filled[1] < this.filled[0] ? 1 : 0;
    if (WIDE.includes(type)) this.wide.append(node);
    else if (type === "table") this.tables.append(node); // rows need the width of both columns
    else {
      this.columns[n].append(node);
      this.filled[n] += WEIGHTS[type] || 1;
    }
    return inner;
  }
}

/** The sample to begin with: where most happens, the first mode, or the last load or step. */
function tellingSample(frames, label, samples) {
  if (!frames || frames.scene === "rolling") return label.name === "mode" ? 0 : samples - 1;
  const size = (row) => (Array.isArray(row) ? Math.max(...row.map((v) => Math.abs(v || 0))) : Math.abs(row || 0));
  const course = (frames.scene === "crossing" ? frames.deflection : frames.force).map(size);
  return frames.rows[course.indexOf(Math.max(...course))];
}

async function openCrossing(path, train, speed) {
  try {
    openText((await post(`${path}/crossing`, { train, speed })).toml);
  } catch (reason) {
    announce(reason.message, "bad");
  }
}
