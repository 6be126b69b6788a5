// The pictures by the modules of the Studio's page.

import { FieldMap } from "/static/drawing/field_map.js";
import { LinePlot } from "/static/drawing/line_plot.js";
import { Surface3D } from "/static/drawing/surface_3d.js";
import { startTheme } from "/static/core/theme.js";
import { time } from "./clock.js";
import { history, patch, surface } from "./pictures.js";

startTheme();
const host = document.getElementById("host"),
  axis = (label, unit, values) => ({ label, name: label, unit, values });

/** A layer with its ends, as the server sends them. */
function layer(name, values, kind) {
  const all = values.flat().filter((v) => v !== null);
  return { name, label: name, unit: "Pa", kind, values, low: Math.min(...all), high: Math.max(...all) };
}

const sides = {
  patch: () => {
    const map = new FieldMap(host, { title: "patch" });
    return (turn) => {
      const { x, y, traction, tx, ty, state } = patch(turn);
      map.setData({
        x: axis("x", "m", x),
        y: axis("y", "m", y),
        layers: [
          layer("traction", traction, "positive"),
          layer("tx", tx, "signed"),
          layer("ty", ty, "signed"),
          layer("state", state, "state"),
        ],
        arrows: { x: "tx", y: "ty" },
      });
    };
  },
  history: () => {
    const plot = new LinePlot(host, { title: "force" });
    return (turn) => {
      const { t, force } = history(turn);
      plot.setData({ x: axis("time", "s", t), curves: [{ label: "force", unit: "N", values: force }] });
      plot.setPoint(0.5);
    };
  },
  cursor: () => {
    const plot = new LinePlot(host, { title: "force" }),
      { t, force } = history(0);
    plot.setData({ x: axis("time", "s", t), curves: [{ label: "force", unit: "N", values: force }] });
    return (turn) => plot.setPoint(turn % 1);
  },
  surface: () => {
    const plot = new Surface3D(host, { title: "surface" });
    return (turn) => {
      const { x, y, z } = surface(turn);
      plot.setData({ x: axis("x", "m", x), y: axis("y", "m", y) }, layer("z", z, "positive"));
    };
  },
};

globalThis.bench = {
  run: (name, count) => {
    host.replaceChildren();
    return time(sides[name](), count);
  },
};
performance.mark("ready");
