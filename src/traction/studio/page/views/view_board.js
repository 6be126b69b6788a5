// All views of a run: what moves, maps, curves, tables; one slider for all of them.

import { get, post } from "../core/api.js";
import { announce, el, show } from "../core/dom.js";
import { hasScene } from "../drawing/scenes.js";
import { openText } from "../pages/case_page.js";
import { animationView } from "./animation_view.js";
import { gridView } from "./grid_view.js";
import { mapView } from "./map_view.js";
import { profileView } from "./profile_view.js";
import { barsView, curvesView, seriesView } from "./series_view.js";
import { tableView } from "./table_view.js";
import { timeSlider } from "./time_slider.js";
import { ViewLink } from "./view_link.js";

const MAKERS = { series: seriesView, curves: curvesView, spectrum: seriesView, bars: barsView, profile: profileView, map: mapView, grid: gridView, surface: gridView, table: tableView };
const FOLLOWS = ["map", "profile"];

/** Shows the views of a run in `host`; returns what ends them. */
export async function viewBoard(host, { run, sample }) {
  const path = `runs/${run.id}`, { views, samples, label, animation } = await get(`${path}/views`);
  if (!samples || !views.length) { show(host, el("p", { class: "note" }, "Nothing to see yet.")); return null; }
  const link = new ViewLink(samples, label), ends = [];
  if (sample !== null && sample !== undefined) link.sample = Math.min(samples - 1, Math.max(0, sample));
  const frames = animation ? await get(`${path}/frames?count=160`).catch(() => null) : null, moves = samples > 1 && (frames || views.some((one) => FOLLOWS.includes(one.type)));
  const board = el("div", { class: "board" });
  show(host);
  if (moves) {
    const slider = timeSlider(link);
    if (frames && frames.rows.length > 20) slider.setSteps(frames.rows);
    host.append(slider.node);
    ends.push(slider.end);
  }
  host.append(board);
  if (frames && hasScene(frames.scene)) {
    const place = panel(board, "What happens", "wide");
    ends.push(animationView(place, { frames, link }));
  }
  const onCrossing = (train, speed) => openCrossing(path, train, speed);
  await Promise.all(views.map(async (view) => {
    const maker = MAKERS[view.type];
    if (!maker) return;
    const place = panel(board, view.title, view.type === "map" || view.type === "table" || view.type === "grid" ? "large" : "");
    try {
      const end = await maker(place, { path, view, link, frames, onCrossing });
      if (end) ends.push(end);
    } catch (reason) {
      place.append(el("p", { class: "bad-words" }, reason.message));
    }
  }));
  return () => ends.forEach((end) => end());
}

function panel(board, title, size) {
  const inner = el("div"), node = el("section", { class: `panel card ${size}`, "aria-label": title }, el("h2", {}, title), inner);
  board.append(node);
  return inner;
}

async function openCrossing(path, train, speed) {
  try { openText((await post(`${path}/crossing`, { train, speed })).toml); } catch (reason) { announce(reason.message, "bad"); }
}
