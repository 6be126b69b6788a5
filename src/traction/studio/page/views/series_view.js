// Curves over the samples, and spectra: one plot for each unit; all share pointer, zoom and slider.

import { get } from "../core/api.js";
import { debounce, el } from "../core/dom.js";
import { LinePlot } from "../drawing/line_plot.js";
import { BarPlot } from "../drawing/bar_plot.js";
import { nearest } from "./view_link.js";

const rising = (xs) => xs.every((v, n) => n === 0 || v >= xs[n - 1]);

/** Curves of a unit belong together. */
export function grouped(series) {
  const groups = new Map();
  for (const one of series) { const key = one.group || one.unit || ""; groups.set(key, [...(groups.get(key) || []), one]); }
  return [...groups.values()];
}

export async function seriesView(host, { path, view, link }) {
  const address = (more = "") => `${path}/views/${encodeURIComponent(view.name)}?points=1200${more}`, whole = await get(address());
  let data = whole;
  const linked = view.type === "series" && rising(whole.x.values) && whole.x.name === link.label.name, plots = [];
  const each = (action) => plots.forEach(action), pick = (x) => { if (data.rows) link.setSample(data.rows[nearest(data.x.values, x)]); };
  const finer = debounce(async (ends) => {
    data = ends ? await get(address(`&first=${whole.rows[Math.max(0, nearest(whole.x.values, ends[0]) - 1)]}&last=${whole.rows[Math.min(whole.rows.length - 1, nearest(whole.x.values, ends[1]) + 1)]}`)) : whole;
    fill(true);
  }, 120);
  const zoom = (ends, from) => { each((one) => { if (one !== from) one.setZoom(ends); }); if (linked) { finer(ends); link.setZoom(ends, view.name); } };
  for (const group of grouped(whole.series)) {
    const place = el("div", { class: "group" });
    host.append(place);
    const plot = new LinePlot(place, { title: group.length > 1 ? view.title : group[0].label, onPoint: (x) => { each((one) => one.setPoint(x)); if (linked) link.setPoint(x, view.name); }, onPick: data.rows && view.type === "series" ? pick : null, onZoom: (ends) => zoom(ends, plot) });
    plots.push(plot);
  }
  const fill = (keepZoom) => grouped(data.series).forEach((curves, n) => plots[n].setData({ x: data.x, curves: curves.map((one) => ({ ...one, points: one.points || data.x.values.length < 40 })), logX: view.log_x, logY: view.log_y, keepZoom, loop: !rising(data.x.values) }));
  const now = () => { const k = data.rows && view.type === "series" ? nearest(data.rows, link.sample) : null; each((one) => one.setNow(k === null ? null : data.x.values[k], k)); };
  fill(false);
  now();
  link.on("sample", now);
  if (linked) {
    link.on("point", (x, from) => { if (from !== view.name) each((one) => one.setPoint(x)); });
    link.on("zoom", (ends, from) => { if (from !== view.name) { each((one) => one.setZoom(ends)); finer(ends); } });
  }
  return () => each((one) => one.end());
}

export async function barsView(host, { path, view, link }) {
  const data = await get(`${path}/views/${encodeURIComponent(view.name)}`), plots = data.series.map((curve) => {
    const plot = new BarPlot(host, { title: curve.label, onPick: (n) => link.setSample(data.rows ? data.rows[n] : n) });
    plot.setData({ x: data.x, curve });
    return plot;
  });
  const now = () => plots.forEach((one) => one.setNow(data.rows ? nearest(data.rows, link.sample) : link.sample));
  now();
  link.on("sample", now);
  return () => plots.forEach((one) => one.end());
}

/** Curves that have an x of their own each, such as one for every train; a click may open the case behind it. */
export async function curvesView(host, { path, view, onCrossing }) {
  const data = await get(`${path}/views/${encodeURIComponent(view.name)}`), pickable = view.pick === "crossing" && onCrossing;
  const plots = grouped(data.series).map((curves) => {
    const place = el("div", { class: "group" });
    host.append(place);
    const plot = new LinePlot(place, { title: curves.length > 1 ? view.title : curves[0].label, high: 300, onPick: pickable ? (x, n) => { const one = curves[Math.max(0, n)]; onCrossing(one.member, one.x[nearest(one.x, x)]); } : null });
    plot.setData({ x: data.x, yLabel: view.title, curves: curves.map((one) => ({ ...one, points: one.x.length < 25 })), logX: view.log_x, logY: view.log_y });
    return plot;
  });
  if (pickable) host.append(el("p", { class: "note" }, "Click on a curve to open that crossing."));
  return () => plots.forEach((one) => one.end());
}
