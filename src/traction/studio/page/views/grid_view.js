// Numbers over two varied values, and heights over time and place: a map whose cells can be opened.

import { get } from "../core/api.js";
import { el, show } from "../core/dom.js";
import { FieldMap } from "../drawing/field_map.js";
import { nearest } from "./view_link.js";

export async function gridView(host, { path, view, link, onCrossing }) {
  const data = await get(`${path}/views/${encodeURIComponent(view.name)}`),
    bar = el("div", { class: "layer-bar", role: "group", "aria-label": "What the map shows" }),
    place = el("div");
  host.append(bar, place);
  const time =
    view.type === "surface" ? (data.x.name === link.label.name ? "x" : data.y.name === link.label.name ? "y" : null) : null;
  const onCell =
    view.pick === "crossing"
      ? (_, ix, iy) => (data.x.name === "speed" ? onCrossing(iy, data.x.values[ix]) : onCrossing(ix, data.y.values[iy]))
      : null;
  const onPick = onCell
    ? (ix, iy) => onCell(data, ix, iy)
    : time
      ? (ix, iy) => link.setSample(link.rows[nearest(link.label.values, data[time].values[time === "x" ? ix : iy])])
      : null;
  if (onCell)
    host.append(el("p", { class: "note" }, "Click on a cell, or focus the map and press Enter, to open that crossing."));
  const map = new FieldMap(place, {
    title: view.title,
    onPick,
    sections: view.type !== "grid" || data.y.values.length > 2,
    outside: false,
    pickWords: onCell ? "opens the case there" : "shows that sample",
  });
  const buttons = () => {
    if (data.layers.length > 1)
      show(
        bar,
        data.layers.map((one) =>
          el(
            "button",
            {
              type: "button",
              "aria-pressed": String(one.name === map.shown),
              onclick: () => {
                map.showLayer(one.name);
                buttons();
              },
            },
            one.label,
          ),
        ),
      );
  };
  map.setData(data);
  buttons();
  return () => map.end();
}
