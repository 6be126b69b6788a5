// The parts of a map: cells as an image, arrows of a vector field, lines between stick and slip.

import { isDark, palette } from "../core/theme.js";
import { clipTo } from "./canvas.js";
import { colourTable, shareOf } from "./colour_maps.js";

/** Edges of cells with these centres. */
export function edgesOf(centres) {
  const n = centres.length;
  if (n === 1) return [centres[0] - 0.5, centres[0] + 0.5];
  const edges = [centres[0] - (centres[1] - centres[0]) / 2];
  for (let k = 1; k < n; k += 1) edges.push((centres[k - 1] + centres[k]) / 2);
  edges.push(centres[n - 1] + (centres[n - 1] - centres[n - 2]) / 2);
  return edges;
}

const bytes = (colour) =>
  colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);

/** A layer as an image of one pixel per cell, first row of the layer at the bottom. */
export function fieldImage(layer, ends, outside) {
  const rows = layer.values.length,
    columns = layer.values[0].length;
  const image = document.createElement("canvas");
  image.width = columns;
  image.height = rows;
  const pen = image.getContext("2d"),
    data = pen.createImageData(columns, rows),
    colours = colourTable(layer.kind, isDark());
  const ink = palette(),
    states = layer.kind === "state" ? [null, bytes(ink.stick), bytes(ink.slip)] : null;
  layer.values.forEach((row, iy) =>
    row.forEach((v, ix) => {
      const at = 4 * ((rows - 1 - iy) * columns + ix);
      if (v === null || !Number.isFinite(v)) return;
      if (states) {
        const colour = states[v] || null;
        if (!colour) return;
        data.data.set(colour, at);
      } else {
        if (outside && v === 0) return;
        const n = 3 * Math.round(255 * shareOf(v, ends));
        data.data.set(colours.subarray(n, n + 3), at);
      }
      data.data[at + 3] = 255;
    }),
  );
  pen.putImageData(data, 0, 0);
  return image;
}

/** The line between stick and slip, light on dark so that it is seen on every colour. */
export function drawBoundaries(pen, state, ex, ey, sx, sy) {
  const inside = (iy, ix) => state.values[iy] && state.values[iy][ix] === 1;
  pen.beginPath();
  state.values.forEach((row, iy) =>
    row.forEach((v, ix) => {
      if (v !== 1) return;
      if (!inside(iy, ix - 1)) {
        pen.moveTo(sx(ex[ix]), sy(ey[iy]));
        pen.lineTo(sx(ex[ix]), sy(ey[iy + 1]));
      }
      if (!inside(iy, ix + 1)) {
        pen.moveTo(sx(ex[ix + 1]), sy(ey[iy]));
        pen.lineTo(sx(ex[ix + 1]), sy(ey[iy + 1]));
      }
      if (!inside(iy - 1, ix)) {
        pen.moveTo(sx(ex[ix]), sy(ey[iy]));
        pen.lineTo(sx(ex[ix + 1]), sy(ey[iy]));
      }
      if (!inside(iy + 1, ix)) {
        pen.moveTo(sx(ex[ix]), sy(ey[iy + 1]));
        pen.lineTo(sx(ex[ix + 1]), sy(ey[iy + 1]));
      }
    }),
  );
  pen.lineCap = "square";
  strokeTwice(pen, 0.75, 1.4);
  pen.lineCap = "butt";
}

/** The path in white of a `width` on a dark edge: seen on every colour. */
function strokeTwice(pen, shade, width) {
  for (const [style, wide] of [
    [`rgba(0,0,0,${shade})`, 3],
    ["#ffffff", width],
  ]) {
    pen.strokeStyle = style;
    pen.lineWidth = wide;
    pen.stroke();
  }
}

/** Arrows of the vector with components `u` and `v`, thinned so that they do not touch. */
export function drawArrows(pen, data, u, v, sx, sy, box) {
  if (!u || !v) return;
  const xs = data.x.values,
    ys = data.y.values,
    cell = Math.abs(sx(xs[1] ?? 1) - sx(xs[0])) || 10;
  const tall = Math.abs(sy(ys[1] ?? 1) - sy(ys[0])) || 10,
    jump = Math.max(1, Math.round(21 / cell)),
    rise = Math.max(1, Math.round(21 / tall));
  let most = Math.max(Math.abs(u.low || 0), Math.abs(u.high || 0), Math.abs(v.low || 0), Math.abs(v.high || 0));
  if (!(most > 0)) return;
  const long = Math.min(24, 1.35 * jump * cell);
  clipTo(pen, box);
  pen.beginPath();
  for (let iy = Math.floor(rise / 2); iy < ys.length; iy += rise) {
    for (let ix = Math.floor(jump / 2); ix < xs.length; ix += jump) {
      const p = u.values[iy][ix],
        q = v.values[iy][ix];
      if (p === null || q === null) continue;
      const dx = (long * p) / most,
        dy = (-long * q) / most,
        size = Math.hypot(dx, dy);
      if (size > 1.5) arrow(pen, sx(xs[ix]) - dx / 2, sy(ys[iy]) - dy / 2, dx, dy, size);
    }
  }
  strokeTwice(pen, 0.8, 1.3);
  pen.restore();
}

/** One arrow of length `size` from (x, y), added to the path of the pen. */
export function arrow(pen, x, y, dx, dy, size) {
  const tip = Math.min(6, 0.45 * size),
    a = (dx / size) * tip,
    b = (dy / size) * tip,
    ex = x + dx,
    ey = y + dy;
  pen.moveTo(x, y);
  pen.lineTo(ex, ey);
  pen.moveTo(ex - a - 0.6 * b, ey - b + 0.6 * a);
  pen.lineTo(ex, ey);
  pen.lineTo(ex - a + 0.6 * b, ey - b - 0.6 * a);
}
