// Curves along a line at the sample that the slider shows.

import { get } from "../core/api.js";
import { el, newestOnly } from "../core/dom.js";
import { extent } from "../core/numbers.js";
import { LinePlot } from "../drawing/line_plot.js";
import { grouped } from "./series_view.js";
import { remembered } from "./remembered.js";

const FLAT = 0.05;

/** Whether the curves would be flat lines in the range of all samples. */
export function isFlat(curves, [low, high]) {
  const now = extent(...curves.map((one) => one.values));
  return now !== null && now[1] > now[0] && now[1] - now[0] < FLAT * (high - low);
}

export async function profileView(host, { path, view, link }) {
  const fetchOne = remembered((sample) => get(`${path}/views/${encodeURIComponent(view.name)}?sample=${sample}`)),
    first = await fetchOne(link.sample);
  const plots = grouped(first.series).map((group) => {
    const place = el("div", { class: "group" });
    host.append(place);
    return new LinePlot(place, {
      title: group.length > 1 ? view.title : group[0].label,
      onPoint: (x) => plots.forEach((one) => one.setPoint(x)),
      onZoom: (ends) => plots.forEach((one) => one.setZoom(ends)),
    });
  });
  const fill = (data, keepZoom) =>
    grouped(data.series).forEach((curves, n) => {
      const { limits } = data,
        range =
          limits && plots.length === 1 && limits.low !== null && limits.high > limits.low ? [limits.low, limits.high] : null;
      plots[n].setData({ x: data.x, curves, down: view.down, range: range && isFlat(curves, range) ? null : range, keepZoom });
    });
  fill(first, false);
  const follow = newestOnly(async (sample) => fill(await fetchOne(sample), true));
  link.on("sample", follow);
  return () => plots.forEach((one) => one.end());
}
