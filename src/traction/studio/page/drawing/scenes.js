// What moves, drawn at one time: a ball that bounces, a ball that strikes, a train that crosses. Deflections are enlarged, and it is said by how much.

import { extent, quantity, short } from "../core/numbers.js";
import { palette } from "../core/theme.js";
import { axisWords, drawAxes, scale } from "./axes.js";
import { clipTo } from "./canvas.js";
import { arrow } from "./field_layers.js";

const most = (rows) => {
  const ends = extent(...rows);
  return ends ? Math.max(Math.abs(ends[0]), Math.abs(ends[1])) : 0;
};

function polyline(pen, points, colour, wide) {
  pen.beginPath();
  points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.strokeStyle = colour;
  pen.lineWidth = wide;
  pen.lineJoin = "round";
  pen.stroke();
}

function disc(pen, x, y, r, fill, edge, wide = 2) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 7);
  pen.fillStyle = fill;
  pen.fill();
  pen.strokeStyle = edge;
  pen.lineWidth = wide;
  pen.stroke();
}

function forceArrow(pen, x, y, share, colour, down = true) {
  const long = 8 + 46 * Math.min(1, Math.abs(share));
  if (!(Math.abs(share) > 1e-3)) return;
  pen.beginPath();
  arrow(pen, x, down ? y - long : y, 0, down ? long : -long, long);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.4;
  pen.stroke();
}

function words(pen, text, x, y, align = "left", colour = palette().soft) {
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.textBaseline = "middle";
  pen.fillText(text, x, y);
}

/** The last clause of a note where the whole has no room. */
const fitNote = (pen, note, width) => (pen.measureText(note).width <= width ? note : note.split("; ").pop());

/** A body above the ground, and a close view of the surfaces that touch. */
function bounce(pen, data, k, width, height) {
  const ink = palette(),
    close = data.x && data.ground,
    narrow = width < 420,
    wide = close && !narrow ? Math.min(200, 0.34 * width) : width;
  if (close && narrow && data.force[k] > 0) {
    closeView(pen, data, k, { left: 62, top: 26, width: width - 76, height: height - 72 });
    return;
  }
  const high = extent(data.height)[1] || 1,
    floor = height - 26,
    top = 30,
    r = 22,
    sy = (v) => floor - (v / high) * (floor - top - 2 * r);
  pen.fillStyle = ink.box;
  pen.fillRect(8, floor, wide - 16, 18);
  polyline(
    pen,
    [
      [8, floor],
      [wide - 8, floor],
    ],
    ink.ink,
    2,
  );
  const y = sy(Math.max(0, data.height[k])),
    pushed = Math.min(0, data.height[k]) < 0 ? 5 : 0;
  disc(pen, wide / 2, y - r + pushed, r, ink.paper, ink.ink);
  forceArrow(pen, wide / 2 + r + 16, floor, data.force[k] / (most([data.force]) || 1), ink.c2, false);
  words(pen, `height ${quantity(data.height[k], "m")}`, 10, 14);
  if (close && !narrow) closeView(pen, data, k, { left: wide + 62, top: 26, width: width - wide - 82, height: height - 72 });
}

function closeView(pen, data, k, box) {
  const ink = palette(),
    xs = data.x.values,
    lowest = extent(...data.ground)[0],
    room = Math.abs(lowest) || 1e-6;
  const sx = scale([xs[0], xs[xs.length - 1]], [box.left, box.left + box.width]),
    sy = scale([1.25 * lowest - 0.1 * room, 1.4 * room], [box.top + box.height, box.top]);
  const across = axisWords(data.x, Math.max(Math.abs(xs[0]), Math.abs(xs[xs.length - 1]))),
    up = axisWords({ label: "height", unit: "m" }, room);
  drawAxes(pen, box, sx, sy, across, up);
  clipTo(pen, box);
  const path = (row) => row.map((v, n) => [sx(xs[n]), v === null ? box.top - 50 : sy(v)]);
  pen.beginPath();
  path(data.ground[k]).forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.lineTo(box.left + box.width, box.top + box.height);
  pen.lineTo(box.left, box.top + box.height);
  pen.fillStyle = ink.box;
  pen.fill();
  polyline(pen, path(data.ground[k]), ink.c2, 2.4);
  if (data.body) polyline(pen, path(data.body[k]), ink.c1, 2.4);
  pen.restore();
  words(pen, "ground", box.left + 6, box.top - 12, "left", ink.c2);
  words(pen, "body", box.left + 70, box.top - 12, "left", ink.c1);
}

/** A beam or bridge with its wheels; deflections enlarged. */
function crossing(pen, data, k, width, height) {
  const ink = palette(),
    length = data.length,
    before = 0.12 * length,
    deck = Math.round(0.56 * height);
  const sx = scale([-before, length + before], [12, width - 12]),
    peak = most(data.deflection) || 1,
    larger = (0.3 * height) / peak;
  const xs = data.x.values,
    sag = data.deflection[k],
    level = (x) => {
      if (x <= xs[0] || x >= xs[xs.length - 1]) return 0;
      let n = 0;
      while (n < xs.length - 2 && xs[n + 1] < x) n += 1;
      return sag[n] + ((sag[n + 1] - sag[n]) * (x - xs[n])) / (xs[n + 1] - xs[n] || 1);
    };
  pen.fillStyle = ink.box;
  pen.fillRect(0, deck, sx(0), height - deck);
  pen.fillRect(sx(length), deck, width - sx(length), height - deck);
  polyline(
    pen,
    [
      [0, deck],
      [sx(0), deck],
    ],
    ink.ink,
    2,
  );
  polyline(
    pen,
    [
      [sx(length), deck],
      [width, deck],
    ],
    ink.ink,
    2,
  );
  const path = xs.map((x, n) => [sx(x), deck + sag[n] * larger]);
  polyline(pen, path, ink.ink, 7);
  polyline(pen, path, ink.c1, 4);
  polyline(
    pen,
    [
      [sx(0), deck],
      [sx(length), deck],
    ],
    ink.line,
    1,
  );
  paintAxles(pen, data, k, { sx, deck, level, larger, ink, before });
  words(
    pen,
    `deflections enlarged ${short((larger * length) / (sx(length) - sx(0)), 2)} times; largest ${quantity(peak, "m")}`,
    10,
    height - 12,
  );
  words(pen, `midspan ${quantity(level(length / 2), "m")}`, width - 10, 12, "right", ink.c1);
}

function paintAxles(pen, data, k, { sx, deck, level, larger, ink, before }) {
  const places = data.axles[k] || [],
    forces = data.forces ? data.forces[k] : [],
    strongest = data.forces ? most(data.forces) || 1 : 1;
  const near = places.filter((x) => x >= -before && x <= data.length + before),
    gaps = near
      .slice(1)
      .map((x, n) => Math.abs(sx(near[n]) - sx(x)))
      .filter((gap) => gap > 0);
  const r = Math.max(4, Math.min(15, gaps.length ? 0.45 * Math.min(...gaps) : 15));
  places.forEach((x, n) => {
    if (x < -before || x > data.length + before) return;
    const up = data.lifted && data.lifted[k] && data.lifted[k][n],
      y = deck + level(x) * larger - r - 3 - (up ? 6 : 0);
    if (forces[n]) forceArrow(pen, sx(x), y - r - 2, forces[n] / strongest, ink.c2);
    disc(pen, sx(x), y, r, ink.paper, up ? ink.bad : ink.ink, up ? 3 : 2);
    disc(pen, sx(x), y, 1.6, ink.ink, ink.ink, 1);
  });
}

/** A ball that strikes a beam, a plate or the ground. */
function impact(pen, data, k, width, height) {
  const ink = palette(),
    level = Math.round(0.58 * height),
    peak = (data.deflection ? most(data.deflection) : most([data.struck])) || most([data.striker]) || 1;
  const larger = (0.24 * height) / peak,
    r = 24,
    length = data.x ? data.x.values[data.x.values.length - 1] : 1,
    sx = scale([0, length], [40, width - 40]);
  const at = sx(data.at === null || data.at === undefined ? length / 2 : data.at);
  if (data.x && data.deflection) {
    const path = data.x.values.map((x, n) => [sx(x), level + data.deflection[k][n] * larger]);
    polyline(pen, path, ink.ink, 7);
    polyline(pen, path, ink.c1, 4);
  } else {
    const dent = data.struck[k] * larger,
      path = [
        [20, level],
        [at - 60, level],
        [at - 18, level + dent],
        [at + 18, level + dent],
        [at + 60, level],
        [width - 20, level],
      ];
    polyline(pen, path, ink.ink, 3);
  }
  const touch = data.struck[k] * larger,
    ball = level - 3 + Math.min(data.striker[k] * larger, touch + 6) - r;
  disc(pen, at, ball, r, ink.paper, ink.ink);
  forceArrow(pen, at + r + 20, level - 6, data.force[k] / (most([data.force]) || 1), ink.c2);
  words(pen, `force ${quantity(data.force[k], "N")}`, at + r + 32, level - 34, "left", ink.c2);
  const note = `displacements enlarged; largest of the target ${quantity(peak, "m")}`;
  words(pen, fitNote(pen, note, width - 20), 10, height - 12);
}

const SCENES = { bounce, crossing, impact };

/** Draws frame `k` of `data`, as /frames gives it. */
export function drawScene(pen, data, k, width, height) {
  SCENES[data.scene](pen, data, k, width, height);
}

export const hasScene = (name) => name in SCENES;
