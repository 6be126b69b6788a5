// Curves over the samples, and spectra: one plot for each unit; all share pointer, zoom and slider.

import { get } from "../core/api.js";
import { debounce, el } from "../core/dom.js";
import { quantity } from "../core/numbers.js";
import { distinct } from "../drawing/curves.js";
import { LinePlot } from "../drawing/line_plot.js";
import { BarPlot } from "../drawing/bar_plot.js";
import { figureCards } from "./figure_cards.js";
import { nearest } from "./view_link.js";

const FEW = 40; // samples that are marked by points
const rising = (xs) => xs.every((v, n) => n === 0 || v >= xs[n - 1]);

/** Curves of a unit belong together. */
export function grouped(series) {
  const groups = new Map();
  for (const one of series) {
    const key = one.group || one.unit || "";
    groups.set(key, [...(groups.get(key) || []), one]);
  }
  return [...groups.values()];
}

/** Whether all curves of a group have one and the same value throughout: a sentence says it better than a plot. */
const isConstant = (group) => {
  const [{ values }] = group;
  return values[0] !== null && (values.length > 1 || values[0] === 0) && group.every((one) => one.values.every((v) => v === values[0]));
};
const sentence = (group) => {
  const labels = distinct(group.map((one) => one.label)),
    words = labels.length > 3 ? `${labels[0]} to ${labels[labels.length - 1]}` : labels.join(", "),
    [value] = group[0].values;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${value === 0 ? "zero" : quantity(value, group[0].unit)} throughout.`;
};

/** Curves of one view, a plot for each unit, linked with the other views where they share the axis of the slider. */
class SeriesPlots {
  constructor(host, { path, view, link }, whole) {
    Object.assign(this, { path, view, link, whole, data: whole });
    this.follows = view.type === "series" && Boolean(whole.rows);
    this.linked = this.follows && rising(whole.x.values) && whole.x.name === link.label.name;
    const groups = grouped(whole.series),
      [some, none] = [groups.filter((group) => !isConstant(group)), groups.filter(isConstant)];
    this.plots = some.map((group) => this.plot(host, group));
    none.forEach((group) => host.append(el("p", { class: "note" }, sentence(group))));
    this.finer = debounce((ends) => this.fetchFiner(ends), 120);
    this.fill(false);
    this.showNow();
    link.on("sample", () => this.showNow());
    if (!this.linked) return;
    link.on("point", (x, from) => from !== view.name && this.plots.forEach((one) => one.setPoint(x)));
    link.on("zoom", (ends, from) => from !== view.name && this.zoom(ends));
  }

  plot(host, group) {
    const { view, link } = this,
      place = el("div", { class: "group" });
    host.append(place);
    return new LinePlot(place, {
      title: group.length > 1 ? view.title : group[0].label,
      onPoint: (x) => {
        this.plots.forEach((one) => one.setPoint(x));
        if (this.linked) link.setPoint(x, view.name);
      },
      onPick:
        this.follows && rising(this.whole.x.values)
          ? (x) => link.setSample(this.data.rows[nearest(this.data.x.values, x)])
          : null,
      onZoom: (ends) => {
        this.zoom(ends);
        if (this.linked) link.setZoom(ends, view.name);
      },
    });
  }

  zoom(ends) {
    this.plots.forEach((one) => one.setZoom(ends));
    if (this.linked) this.finer(ends);
  }

  /** The stretch that is zoomed into, with all its samples as far as they can be seen. */
  async fetchFiner(ends) {
    const { rows, x } = this.whole;
    if (ends) {
      const first = rows[Math.max(0, nearest(x.values, ends[0]) - 1)],
        last = rows[Math.min(rows.length - 1, nearest(x.values, ends[1]) + 1)];
      this.data = await get(`${address(this.path, this.view)}&first=${first}&last=${last}`);
    } else this.data = this.whole;
    this.fill(true);
  }

  fill(keepZoom) {
    const { x, series } = this.data,
      { log_x: logX, log_y: logY } = this.view,
      points = x.values.length < FEW;
    grouped(this.whole.series).forEach((group, k, groups) => {
      if (isConstant(group)) return;
      const n = groups.slice(0, k).filter((one) => !isConstant(one)).length,
        curves = grouped(series)[k].map((one) => ({ ...one, points: one.points || points }));
      this.plots[n].setData({ x, curves, logX, logY, keepZoom, loop: !rising(x.values) });
    });
  }

  showNow() {
    const { rows, x } = this.data,
      k = this.follows ? nearest(rows, this.link.sample) : null;
    this.plots.forEach((one) => one.setNow(k === null ? null : x.values[k], k));
  }
}

const address = (path, view) => `${path}/views/${encodeURIComponent(view.name)}?points=1200`;

export async function seriesView(host, given) {
  const shown = new SeriesPlots(host, given, await get(address(given.path, given.view)));
  return () => shown.plots.forEach((one) => one.end());
}

export async function barsView(host, { path, view, link }) {
  const data = await get(`${path}/views/${encodeURIComponent(view.name)}`),
    alone = data.x.values.length < 2,
    plots = (alone ? [] : data.series).map((curve) => {
      const plot = new BarPlot(host, { title: curve.label, onPick: (n) => link.setSample(data.rows ? data.rows[n] : n) });
      plot.setData({ x: data.x, curve });
      return plot;
    });
  if (alone)
    host.append(
      el(
        "dl",
        { class: "figures" },
        figureCards(data.series.map((one) => [one.label, quantity(one.values[0], one.unit)])),
      ),
    );
  const now = () => plots.forEach((one) => one.setNow(data.rows ? nearest(data.rows, link.sample) : link.sample));
  now();
  link.on("sample", now);
  return () => plots.forEach((one) => one.end());
}

/** Curves that have an x of their own each, such as one for every train; a click may open the case behind it. */
export async function curvesView(host, { path, view, onCrossing }) {
  const data = await get(`${path}/views/${encodeURIComponent(view.name)}`),
    pickable = view.pick === "crossing" && onCrossing;
  const plots = grouped(data.series).map((curves) => {
    const place = el("div", { class: "group" });
    host.append(place);
    const plot = new LinePlot(place, {
      title: curves.length > 1 ? view.title : curves[0].label,
      high: 300,
      onPick: pickable
        ? (x, n) => {
            const one = curves[Math.max(0, n)];
            onCrossing(one.member, one.x[nearest(one.x, x)]);
          }
        : null,
    });
    plot.setData({
      x: data.x,
      yLabel: view.title,
      curves: curves.map((one) => ({ ...one, points: one.x.length < 25 })),
      logX: view.log_x,
      logY: view.log_y,
    });
    return plot;
  });
  if (pickable) host.append(el("p", { class: "note" }, "Click on a curve to open that crossing."));
  return () => plots.forEach((one) => one.end());
}
