// A few values as bars.

import { el } from "../core/dom.js";
import { extent, quantity, short } from "../core/numbers.js";
import { palette } from "../core/theme.js";
import { axisWords, drawAxes, scale } from "./axes.js";
import { Canvas } from "./canvas.js";

export class BarPlot {
  constructor(host, { title, onPick } = {}) {
    Object.assign(this, { title, onPick });
    this.place = el("div", { class: "plot" });
    this.read = el("div", { class: "read" });
    host.append(this.place, this.read);
    this.canvas = new Canvas(this.place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: (width) => Math.max(170, Math.min(240, 0.6 * width)),
      label: title || "Bars",
    });
    this.canvas.node.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.node.addEventListener("pointerup", (event) => {
      const n = this.point(event);
      if (n !== null && onPick) onPick(n);
    });
  }

  setData({ x, curve }) {
    Object.assign(this, { x, curve });
    this.canvas.draw();
  }

  setNow(n) {
    this.now = n;
    this.canvas.draw();
  }

  point(event) {
    if (!this.box) return null;
    const n = Math.floor(((this.canvas.at(event)[0] - this.box.left) / this.box.width) * this.curve.values.length);
    if (n < 0 || n >= this.curve.values.length) return null;
    this.read.textContent = `${this.x.label} ${quantity(this.x.values[n], this.x.unit)}: ${quantity(this.curve.values[n], this.curve.unit)}`;
    return n;
  }

  paint(pen, width, height) {
    if (!this.curve) return;
    const { values } = this.curve,
      ends = extent(values, [0]) || [0, 1],
      ink = palette(),
      n = values.length;
    const box = { left: 62, top: 8, width: width - 76, height: height - 50 },
      sx = scale([0.5, n + 0.5], [box.left, box.left + box.width]);
    const sy = scale([ends[0] < 0 ? 1.06 * ends[0] : 0, 1.06 * ends[1] || 1], [box.top + box.height, box.top]);
    this.box = box;
    const few = n <= 24 ? { names: this.x.values.map((v) => short(v)), values: this.x.values.map((_, k) => k + 1) } : {};
    drawAxes(
      pen,
      box,
      sx,
      sy,
      { factor: 1, words: this.x.label, ...few },
      axisWords(this.curve, Math.max(...ends.map(Math.abs))),
    );
    const wide = Math.min(46, (0.7 * box.width) / n);
    values.forEach((v, k) => {
      if (v === null) return;
      pen.fillStyle = k === this.now ? ink.c2 : ink.c1;
      pen.fillRect(sx(k + 1) - wide / 2, Math.min(sy(0), sy(v)), wide, Math.abs(sy(v) - sy(0)));
    });
  }

  end() {
    this.canvas.end();
  }
}
