// Parts of curves: their colours and dashes, values between points, ranges, strokes.

import { palette } from "../core/theme.js";

const DASHES = [[], [7, 4], [2, 3], [9, 4, 2, 4], [], [7, 4], [2, 3]];

/** Colour and dashes of the curve number `n`. */
export const lineStyle = (n) => ({ colour: palette().lines[n % 7], dash: DASHES[n % DASHES.length] });

/** Position in the rising list `xs` of the last entry not above `x`. */
export function below(xs, x) {
  let a = 0,
    b = xs.length - 1;
  while (b - a > 1) {
    const m = (a + b) >> 1;
    if (xs[m] <= x) a = m;
    else b = m;
  }
  return xs[b] <= x ? b : a;
}

/** Labels without what they all begin with: "deflection, A1" and "deflection, A2" are A1 and A2. */
export function distinct(labels) {
  if (labels.length < 2) return labels;
  const parts = labels.map((one) => one.split(", "));
  let same = 0;
  while (parts.every((one) => one.length > same + 1 && one[same] === parts[0][same])) same += 1;
  return parts.map((one) => one.slice(same).join(", "));
}

export function swatch(one, n) {
  const name = one.style && one.style.name ? one.style.name : `c${(n % 7) + 1}`,
    dash = ((one.style && one.style.dash) || DASHES[n % DASHES.length]).length;
  return { "border-top": `3px ${dash ? "dashed" : "solid"} var(--${name})` };
}

export function positiveLow(lists) {
  let low = Infinity;
  for (const list of lists) for (const v of list) if (v > 0 && v < low) low = v;
  return Number.isFinite(low) ? low : 1;
}

export function logRange(lists, range) {
  const low = Math.max(positiveLow(lists), range[1] * 1e-6);
  return [low, Math.max(range[1], low * 10) * 1.5];
}

export function visible(xs, ys, [low, high]) {
  const found = [];
  for (let k = 0; k < xs.length; k += 1) if (xs[k] >= low && xs[k] <= high) found.push(ys[k]);
  return found;
}

/** Value of a curve at `x`, between its points; null outside of it. */
export function valueAt(xs, ys, x) {
  if (!xs.length || x < xs[0] || x > xs[xs.length - 1]) return null;
  const k = below(xs, x),
    n = Math.min(xs.length - 1, k + 1),
    p = ys[k],
    q = ys[n];
  if (p === null || q === null || p === undefined) return null;
  return xs[n] === xs[k] ? p : p + ((q - p) * (x - xs[k])) / (xs[n] - xs[k]);
}

export function traceAll(pen, xs, ys, sx, sy) {
  let down = false;
  for (let k = 0; k < xs.length; k += 1) {
    const y = ys[k];
    if (y === null || y === undefined || !Number.isFinite(y)) {
      down = false;
      continue;
    }
    if (down) pen.lineTo(sx(xs[k]), sy(y));
    else pen.moveTo(sx(xs[k]), sy(y));
    down = true;
  }
}

/** The highest and the lowest value in each column of pixels: as seen, but a stroke per column. */
export function tracePeaks(pen, xs, ys, sx, sy, box) {
  let column = null,
    low = 0,
    high = 0,
    down = false;
  const put = () => {
    if (column === null) return;
    if (down) pen.lineTo(column, sy(low));
    else pen.moveTo(column, sy(low));
    pen.lineTo(column, sy(high));
    down = true;
  };
  for (let k = 0; k < xs.length; k += 1) {
    const y = ys[k];
    if (y === null || !Number.isFinite(y)) continue;
    const at = Math.round(sx(xs[k]));
    if (at < box.left - 2 || at > box.left + box.width + 2) continue;
    if (at !== column) {
      put();
      column = at;
      low = y;
      high = y;
    } else {
      if (y < low) low = y;
      if (y > high) high = y;
    }
  }
  put();
}
