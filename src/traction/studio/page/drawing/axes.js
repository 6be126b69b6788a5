// Axes of a drawing: scales both ways, marks, labels, a fine grid.

import { palette } from "../core/theme.js";
import { scaleOf, short, ticks } from "../core/numbers.js";

/** A straight scale from [low, high] to pixels [from, to]; `log` for powers of ten. */
export function scale([low, high], [from, to], log = false) {
  const [a, b] = log ? [Math.log10(low), Math.log10(high)] : [low, high],
    span = b - a || 1;
  const place = (v) => from + ((to - from) * ((log ? Math.log10(Math.max(v, 1e-300)) : v) - a)) / span;
  place.invert = (pixel) => {
    const v = a + (span * (pixel - from)) / (to - from || 1);
    return log ? 10 ** v : v;
  };
  place.ends = [low, high];
  place.log = log;
  return place;
}

function marks(place, { factor, names, values }, count) {
  const [low, high] = place.ends;
  if (names) return values.map((v, n) => [v, names[n]]);
  if (!place.log) return ticks(low * factor, high * factor, count).map(([v, text]) => [v / factor, text]);
  const found = [],
    first = Math.ceil(Math.log10(low * factor) - 1e-9),
    last = Math.floor(Math.log10(high * factor) + 1e-9);
  const jump = Math.max(1, Math.ceil((last - first + 1) / Math.max(count, 1)));
  for (let k = first; k <= last; k += jump)
    found.push([10 ** k / factor, Math.abs(k) <= 3 ? short(10 ** k) : `1e${k}`.replace("-", "\u2212")]);
  return found;
}

/** The words of an axis: label and unit as they are shown. */
export function axisWords(axis, size) {
  const [factor, unit] = scaleOf(axis.unit, size);
  return {
    factor,
    unit,
    names: axis.names,
    values: axis.values,
    words: axis.names ? "" : `${axis.label || axis.name || ""}${unit ? ` (${unit})` : ""}`,
  };
}

const upMarks = (sy, y, height) => marks(sy, y, Math.max(3, height / 45));

/** Pixels that the marks of an upright axis take. */
export const marksWidth = (pen, sy, y, height) =>
  Math.max(0, ...upMarks(sy, y, height).map(([, text]) => pen.measureText(text).width));

/** Draws the frame of a plot in `box` = {left, top, width, height}. */
export function drawAxes(pen, box, sx, sy, x, y, { grid = true, up = true, along = true } = {}) {
  const ink = palette(),
    right = box.left + box.width,
    bottom = box.top + box.height,
    edge = pen.canvas.width / pen.getTransform().a;
  pen.lineWidth = 1;
  pen.fillStyle = ink.soft;
  pen.strokeStyle = ink.line;
  pen.beginPath();
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const [v, text] of along ? marks(sx, x, Math.max(4, box.width / 75)) : []) {
    const at = Math.round(sx(v)) + 0.5;
    if (grid) {
      pen.moveTo(at, box.top);
      pen.lineTo(at, bottom);
    }
    const half = pen.measureText(text).width / 2 + 1;
    pen.fillText(text, Math.max(half, Math.min(at, edge - half)), bottom + 6); // no mark is cut at the edge
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const [v, text] of up ? upMarks(sy, y, box.height) : []) {
    const at = Math.round(sy(v)) + 0.5;
    if (grid) {
      pen.moveTo(box.left, at);
      pen.lineTo(right, at);
    }
    pen.fillText(text, box.left - 6, at);
  }
  pen.stroke();
  pen.strokeStyle = ink.soft;
  pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width, box.height);
  pen.fillStyle = ink.ink;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  pen.fillText(x.words, box.left + box.width / 2, bottom + 38);
  if (!y.words) return;
  pen.save();
  const wide = up ? marksWidth(pen, sy, y, box.height) : 0;
  pen.translate(Math.max(8, Math.min(box.left - 49, box.left - wide - 16)), box.top + box.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText(fitWords(pen, y.words, box.height + 2 * Math.min(box.top, 10)), 0, 0);
  pen.restore();
}

const LAST_PART = /(,| (at|of|over|under|along|across|in|from|with|less)) (?!.*(,| (at|of|over|under|along|across|in|from|with|less)) ).*$/;

/** Words of an axis as far as they have room: "velocity of the striker (m/s)", "velocity (m/s)", "(m/s)". */
export function fitWords(pen, words, width) {
  const fits = (text) => pen.measureText(text).width <= width,
    [unit] = /(\s\([^)]*\))?$/.exec(words);
  let name = words.slice(0, words.length - unit.length);
  while (!fits(name + unit)) {
    const shorter = name.replace(LAST_PART, "");
    if (shorter === name) return unit.trim();
    name = shorter;
  }
  return name + unit;
}
