// A field over an area: colours, arrows, stick and slip, and sections along x and y that follow the pointer.

import { el, newId } from "../core/dom.js";
import { extent, quantity, scaleOf, ticks } from "../core/numbers.js";
import { isDark, palette } from "../core/theme.js";
import { axisWords, drawAxes, fitWords, scale } from "./axes.js";
import { Canvas, clipTo } from "./canvas.js";
import { colourEnds, colourTable, css } from "./colour_maps.js";
import { drawArrows, drawBoundaries, edgesOf, fieldImage } from "./field_layers.js";

const LEFT = 62,
  TOP = 8,
  BAR = 78,
  GAP = 12,
  BOTTOM = 44,
  MOST_HIGH = 380;

/** What a layer is at one element: a number in its units, or the words of a state. */
export function layerWords(layer, value) {
  if (layer.kind === "state") return (layer.names || ["apart", "stick", "slip"])[value] || "outside";
  return `${layer.label} ${value === null || value === undefined ? "outside" : quantity(value, layer.unit)}`;
}

export class FieldMap {
  /** `onPick(ix, iy)` at a click or Enter; `sections` draws cuts along both axes; `outside` hides zeros. */
  constructor(host, { title, onPick, sections = true, outside = true, pickWords = "" } = {}) {
    Object.assign(this, { title, onPick, sections, outside });
    this.place = el("div", { class: "plot" });
    this.read = el("div", { class: "read", id: newId("read") });
    host.append(this.place, this.read);
    this.aspect = 1;
    this.arrowsOn = true;
    this.canvas = new Canvas(this.place, {
      paint: (pen, width) => this.paint(pen, width),
      shape: (width) => this.layout(width).total,
      label: `${title || "Map"}: arrow keys move the cross${pickWords ? `, Enter ${pickWords}` : ""}`,
      focusable: true,
      role: "application",
    });
    this.canvas.node.setAttribute("aria-describedby", this.read.id);
    this.listen();
  }

  /** `data` = {x: Axis, y: Axis, layers, arrows, window}; `window` = {x: [low, high], y: [low, high]} keeps the axes still. */
  setData(data) {
    const before = this.aspect;
    this.data = data;
    this.ex = edgesOf(data.x.values);
    this.ey = edgesOf(data.y.values);
    const all = (edges) => [edges[0], edges[edges.length - 1]],
      held = data.window || {};
    this.ends = { x: held.x || all(this.ex), y: held.y || all(this.ey) };
    const ratio = (this.ends.y[1] - this.ends.y[0]) / (this.ends.x[1] - this.ends.x[0] || 1);
    this.alike = data.x.unit === data.y.unit && ratio > 0.1 && ratio < 10;
    this.aspect = this.alike ? ratio : 0.5;
    if (!data.layers.some((one) => one.name === this.shown)) this.shown = data.layers[0] && data.layers[0].name;
    if (!this.cross || this.cross[0] >= data.x.values.length || this.cross[1] >= data.y.values.length)
      this.cross = peakPlace(this.layer());
    this.image = null;
    if (before !== this.aspect) this.canvas.fit();
    this.canvas.draw();
  }

  layer(name = this.shown) {
    return this.data.layers.find((one) => one.name === name);
  }

  /** What sections show: of stick and slip there is nothing to cut, but of the tractions. */
  cutLayer() {
    const layer = this.layer();
    return layer.kind === "state" ? this.layer("traction") || this.layer("pressure") || layer : layer;
  }

  showLayer(name) {
    this.shown = name;
    this.image = null;
    this.canvas.draw();
  }


  layout(width) {
    const right = this.sections && width > 520 && (!this.data || this.data.y.values.length > 5) ? Math.min(150, 0.22 * width) : 0,
      below = this.sections ? 110 : 0;
    let wide = width - LEFT - BAR - (right ? right + GAP : 0),
      high = wide * this.aspect,
      left = LEFT;
    if (high > MOST_HIGH) {
      high = MOST_HIGH;
      const thin = Math.max(high / this.aspect, 60);
      left += Math.max(0, (wide - thin) / 2);
      wide = Math.min(wide, thin);
    }
    high = Math.max(high, 70);
    const main = { left, top: TOP, width: wide, height: high };
    const side = right ? { left: left + wide + GAP, top: TOP, width: right, height: high } : null;
    const under = below ? { left, top: TOP + high + GAP, width: wide, height: below } : null;
    const bar = { left: left + wide + (side ? right + 2 * GAP : GAP), top: TOP, width: 12, height: high };
    return { main, side, under, bar, total: TOP + high + (under ? GAP + below : 0) + BOTTOM };
  }

  paint(pen, width) {
    if (!this.data || !this.layer()) return;
    const { main, side, under, bar } = this.layout(width),
      { x, y } = this.data,
      layer = this.layer();
    this.sx = scale(this.ends.x, [main.left, main.left + main.width]);
    this.sy = scale(this.ends.y, [main.top + main.height, main.top]);
    this.main = main;
    const ex = Math.max(...this.ends.x.map(Math.abs)),
      ey = Math.max(...this.ends.y.map(Math.abs));
    const across = axisWords(x, this.alike ? Math.max(ex, ey) : ex),
      up = axisWords(y, this.alike ? Math.max(ex, ey) : ey);
    const ends = colourEnds(layer);
    pen.fillStyle = palette().floor;
    pen.fillRect(main.left, main.top, main.width, main.height);
    this.paintField(pen, main, layer, ends);
    drawAxes(pen, main, this.sx, this.sy, under ? { ...across, words: "" } : across, up, { grid: false, along: !under });
    const cut = this.cutLayer(),
      cutEnds = colourEnds(cut);
    if (under) this.paintUnder(pen, under, cut, cutEnds, across);
    if (side) this.paintSide(pen, side, cut, cutEnds, up);
    this.paintBar(pen, bar, layer, ends);
    this.paintCross(pen, main);
  }

  paintField(pen, main, layer, ends) {
    const key = `${this.shown}${isDark()}`;
    if (!this.image || this.imageKey !== key) {
      this.image = fieldImage(layer, ends, this.outside);
      this.imageKey = key;
    }
    pen.imageSmoothingEnabled = false;
    const [left, top] = [this.sx(this.ex[0]), this.sy(this.ey[this.ey.length - 1])];
    clipTo(pen, main);
    pen.drawImage(this.image, left, top, this.sx(this.ex[this.ex.length - 1]) - left, this.sy(this.ey[0]) - top);
    const state = this.data.layers.find((one) => one.kind === "state");
    if (state && layer !== state) drawBoundaries(pen, state, this.ex, this.ey, this.sx, this.sy);
    pen.restore();
    const { arrows } = this.data;
    if (arrows && this.arrowsOn) drawArrows(pen, this.data, this.layer(arrows.x), this.layer(arrows.y), this.sx, this.sy, main);
  }

  paintUnder(pen, box, layer, ends, across) {
    const row = layer.values[this.cross[1]],
      xs = this.data.x.values;
    const sy = scale(sectionEnds(layer, ends, row), [box.top + box.height, box.top]),
      [factor, unit] = this.units(layer, ends),
      name = layer === this.layer() ? "" : "traction, ";
    drawAxes(pen, box, this.sx, sy, across, { factor, words: name + unit, unit });
    this.paintSection(
      pen,
      box,
      layer,
      xs.map((v, n) => [this.sx(v), row[n] === null ? null : sy(row[n])]),
    );
  }

  paintSide(pen, box, layer, ends, up) {
    const ys = this.data.y.values,
      column = layer.values.map((row) => row[this.cross[0]]);
    const sx = scale(sectionEnds(layer, ends, column), [box.left, box.left + box.width]),
      [factor, unit] = this.units(layer, ends);
    drawAxes(pen, box, sx, this.sy, { factor, words: unit, unit }, { ...up, words: "" }, { grid: false, up: false });
    this.paintSection(
      pen,
      box,
      layer,
      ys.map((v, n) => [column[n] === null ? null : sx(column[n]), this.sy(v)]),
    );
  }

  units(layer, ends) {
    return layer.kind === "state" ? [1, ""] : scaleOf(layer.unit, Math.max(...ends.map(Math.abs)));
  }

  paintSection(pen, box, layer, points) {
    clipTo(pen, box);
    pen.strokeStyle = palette().accent;
    pen.lineWidth = 1.8;
    pen.beginPath();
    let down = false;
    for (const [px, py] of points) {
      if (px === null || py === null) {
        down = false;
        continue;
      }
      if (down) pen.lineTo(px, py);
      else pen.moveTo(px, py);
      down = true;
    }
    pen.stroke();
    pen.restore();
  }

  paintBar(pen, box, layer, ends) {
    const ink = palette();
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    if (layer.kind === "state") {
      [
        ["stick", ink.stick, 1],
        ["slip", ink.slip, 2],
      ].forEach(([word, colour, code], n) => {
        pen.fillStyle = colour;
        pen.fillRect(box.left, box.top + 6 + 24 * n, 14, 14);
        pen.fillStyle = ink.ink;
        pen.fillText((layer.names && layer.names[code]) || word, box.left + 20, box.top + 14 + 24 * n);
      });
      return;
    }
    const colours = colourTable(layer.kind, isDark());
    const shades = pen.createLinearGradient(0, box.top + box.height, 0, box.top);
    for (let n = 0; n <= 16; n += 1) shades.addColorStop(n / 16, css(colours, Math.round((255 * n) / 16)));
    pen.fillStyle = shades;
    pen.fillRect(box.left, box.top, box.width, box.height);
    const [factor, unit] = this.units(layer, ends),
      place = scale(ends, [box.top + box.height, box.top]);
    pen.fillStyle = ink.soft;
    for (const [v, text] of ticks(ends[0] * factor, ends[1] * factor, box.height / 45))
      pen.fillText(text, box.left + box.width + 4, place(v / factor));
    pen.fillStyle = ink.ink;
    pen.save();
    pen.translate(box.left + box.width + 50, box.top + box.height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(fitWords(pen, `${layer.label}${unit ? ` (${unit})` : ""}`, Math.max(box.height, 80)), 0, 0);
    pen.restore();
  }

  paintCross(pen, main) {
    const [ix, iy] = this.cross,
      ink = palette(),
      px = this.sx(this.data.x.values[ix]),
      py = this.sy(this.data.y.values[iy]);
    pen.strokeStyle = ink.ink;
    pen.globalAlpha = 0.75;
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(main.left, py);
    pen.lineTo(main.left + main.width, py);
    pen.moveTo(px, main.top);
    pen.lineTo(px, main.top + main.height);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    this.say();
  }

  say() {
    const { x, y, layers } = this.data,
      [ix, iy] = this.cross;
    const told =
      `${x.label || x.name} ${quantity(x.values[ix], x.unit)}, ${y.label || y.name} ${y.names ? y.names[iy] : quantity(y.values[iy], y.unit)}: ` +
      layers.map((one) => layerWords(one, one.values[iy][ix])).join(", ");
    if (told !== this.said) {
      this.read.textContent = told;
      this.said = told;
    }
  }

  listen() {
    const { node } = this.canvas;
    const follow = (event) => {
      if (!this.data || !this.main) return false;
      const [px, py] = this.canvas.at(event),
        { main } = this;
      if (px < main.left || px > main.left + main.width || py < main.top || py > main.top + main.height) return false;
      this.cross = [cellAt(this.ex, this.sx.invert(px)), cellAt(this.ey, this.sy.invert(py))];
      this.canvas.draw();
      return true;
    };
    node.addEventListener("pointermove", follow);
    node.addEventListener("pointerup", (event) => {
      if (follow(event) && this.onPick) this.onPick(...this.cross);
    });
    node.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (event.key === "Enter" && this.onPick) {
        this.onPick(...this.cross);
        return;
      }
      if (!way || !this.data) return;
      const step = event.shiftKey ? 5 : 1,
        hold = (v, n) => Math.min(n - 1, Math.max(0, v));
      this.cross = [
        hold(this.cross[0] + step * way[0], this.data.x.values.length),
        hold(this.cross[1] + step * way[1], this.data.y.values.length),
      ];
      this.canvas.draw();
      event.preventDefault();
    });
  }

  end() {
    this.canvas.end();
  }
}

function sectionEnds(layer, ends, cut) {
  if (layer.kind === "state") return [0, 2.2];
  const [low, high] = extent(cut, ends),
    room = 0.06 * (high - low);
  return [low === 0 ? 0 : low - room, high + room];
}

function cellAt(edges, v) {
  for (let n = 0; n < edges.length - 1; n += 1) if (v < edges[n + 1]) return n;
  return edges.length - 2;
}

function peakPlace(layer) {
  let best = -1,
    found = [Math.floor((layer.values[0] || [0]).length / 2), Math.floor(layer.values.length / 2)];
  if (layer.kind === "state") return found;
  layer.values.forEach((row, iy) =>
    row.forEach((v, ix) => {
      if (v !== null && Math.abs(v) > best) {
        best = Math.abs(v);
        found = [ix, iy];
      }
    }),
  );
  return found;
}
