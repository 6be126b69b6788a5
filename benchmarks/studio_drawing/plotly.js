// The same pictures by plotly, each in the way its documentation advises for data that change: `Plotly.react`.

import { time } from "./clock.js";
import { history, patch, surface } from "./pictures.js";

const { Plotly } = globalThis,
  host = document.getElementById("host"),
  quiet = { displayModeBar: false, responsive: false },
  frame = { width: 640, height: 480, margin: { l: 60, r: 20, t: 10, b: 40 }, showlegend: false };

/** Arrows as one line with gaps: annotations would be an element for each of them. */
function arrows({ x, y, tx, ty }) {
  const line = { x: [], y: [] };
  for (let iy = 0; iy < y.length; iy += 2)
    for (let ix = 0; ix < x.length; ix += 2) {
      if (tx[iy][ix] === null) continue;
      const [a, b] = [tx[iy][ix] * 1.5e-12, ty[iy][ix] * 1.5e-12],
        [px, py] = [x[ix] + a, y[iy] + b];
      line.x.push(x[ix], px, px - 0.3 * (a - b), null, px, px - 0.3 * (a + b), null);
      line.y.push(y[iy], py, py - 0.3 * (b + a), null, py, py - 0.3 * (b - a), null);
    }
  return { type: "scatter", mode: "lines", ...line, line: { width: 1, color: "black" }, hoverinfo: "skip" };
}

function drawPatch(turn) {
  const data = patch(turn),
    { x, y } = data;
  return Plotly.react(
    host,
    [
      { type: "heatmap", x, y, z: data.traction },
      {
        type: "contour",
        x,
        y,
        z: data.state,
        contours: { start: 1.5, end: 1.5, size: 1, coloring: "none" },
        showscale: false,
      },
      arrows(data),
    ],
    { ...frame, yaxis: { scaleanchor: "x" } },
    quiet,
  );
}

const cursorAt = (at) => [{ type: "line", x0: at, x1: at, y0: 0, y1: 1, yref: "paper", line: { width: 1 } }];

function drawHistory(turn) {
  const { t, force } = history(turn);
  return Plotly.react(host, [{ type: "scatter", mode: "lines", x: t, y: force }], { ...frame, shapes: cursorAt(0.5) }, quiet);
}

const sides = {
  patch: async () => drawPatch,
  history: async () => drawHistory,
  cursor: async () => {
    await drawHistory(0);
    return (turn) => Plotly.relayout(host, { shapes: cursorAt(turn % 1) });
  },
  surface: async () => (turn) => Plotly.react(host, [{ type: "surface", ...surface(turn) }], frame, quiet),
};

globalThis.bench = {
  run: async (name, count) => {
    Plotly.purge(host);
    return time(await sides[name](), count);
  },
};
performance.mark("ready");
