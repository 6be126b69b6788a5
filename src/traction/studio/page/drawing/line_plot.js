// Curves over a common axis: zoom, a cursor that reads them, a mark for the sample that the slider shows.

import { el, newId, show } from "../core/dom.js";
import { extent, quantity } from "../core/numbers.js";
import { palette } from "../core/theme.js";
import { axisWords, drawAxes, marksWidth, scale } from "./axes.js";
import { Canvas, clipTo } from "./canvas.js";
import { distinct, lineStyle, logRange, positiveLow, swatch, traceAll, tracePeaks, valueAt, visible } from "./curves.js";

const MOST_READ = 6; // curves whose values are told at once
const LEFT = 62,
  RIGHT = 14,
  TOP = 8,
  BOTTOM = 42;

export class LinePlot {
  /**
   * `data` = {x: Axis, curves: [{label, unit, values, x?, style?, points?, dots?}], bands: [{label, x, low, high}], logX, logY, down, yLabel, marks: [{x, words}],
   * handles: [{x, y, axis: "x" or "y", label, move(x, y)}]}; handles are dragged with the pointer.
   * `onPoint(x)` as the pointer moves, `onPick(x, n)` at a click, `n` the curve nearest to it, `onZoom([from, to] or null)`.
   */
  constructor(host, { title, high = 240, onPoint, onPick, onZoom, hint = true, legend = true } = {}) {
    Object.assign(this, { title, onPoint, onPick, onZoom, hint, legendWanted: legend });
    this.key = el("ul", { class: "key" });
    this.place = el("div", { class: "plot" });
    this.read = el("div", { class: "read", id: newId("read") });
    host.append(this.key, this.place, this.read);
    this.data = null;
    this.canvas = new Canvas(this.place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: (width) => Math.max(170, Math.min(high, 0.75 * width)),
      label: `${title || "Curves"}: arrow keys read values, plus and minus zoom, Home shows all, Enter picks`,
      focusable: true,
      role: "application",
    });
    this.canvas.node.setAttribute("aria-describedby", this.read.id);
    this.listen();
  }

  setData(data) {
    const kept = this.data && data.keepZoom ? this.zoom : null;
    this.data = data;
    this.zoom = kept;
    this.legend();
    this.canvas.draw();
  }

  legend() {
    const { curves } = this.data;
    const named = this.legendWanted && (curves.length > 1 || curves.some((one) => one.named));
    const words = distinct(curves.map((one) => one.label));
    show(
      this.key,
      named ? curves.map((one, n) => el("li", {}, el("span", { class: "swatch", style: swatch(one, n) }), words[n])) : null,
      (this.data.bands || []).map((one, n) => el("li", {}, el("span", { class: `band-swatch${n ? " narrow" : ""}` }), one.label)),
    );
  }

  /** Shows where the slider is; null for nowhere. */
  setNow(x, index = null) {
    this.now = x;
    this.nowIndex = index;
    this.canvas.draw();
  }

  /** Shows the cursor at `x`, without telling others. */
  setPoint(x) {
    this.point = x;
    this.canvas.draw();
  }

  setZoom(ends) {
    this.zoom = ends;
    this.canvas.draw();
  }

  ranges() {
    const { x, curves, logX, logY } = this.data;
    const whole = extent(...curves.map((one) => one.x || x.values)) || [0, 1];
    let ends = this.zoom || whole;
    if (logX) ends = [Math.max(ends[0], positiveLow(curves.map((one) => one.x || x.values))), ends[1]];
    if (curves.some((one) => one.dots) && !this.zoom && !logX) {
      const room = 0.02 * (ends[1] - ends[0]);
      ends = [ends[0] - room, ends[1] + room];
    }
    if (!(ends[1] > ends[0])) ends = [ends[0] - 0.5, ends[0] + 0.5];
    const wide = (this.data.bands || []).flatMap((one) => [one.low, one.high]);
    const seen = curves.map((one) => (this.zoom ? visible(one.x || x.values, one.values, ends) : one.values));
    let range = this.data.range || extent(...seen, ...wide) || [0, 1];
    if (logY) return { ends, range: logRange(seen, range) };
    if (range[0] > 0 && range[0] < 0.35 * range[1]) range = [0, range[1]];
    const room = 0.06 * (range[1] - range[0]) || Math.abs(range[0]) * 0.1 || 0.5;
    return { ends, range: [range[0] === 0 ? 0 : range[0] - room, range[1] + room] };
  }

  /** What a cursor moves over is drawn once, and copied until data, zoom, size or colours change. */
  paint(pen, width, height) {
    if (!this.data) return;
    const { still } = this,
      wanted = [this.data, this.zoom, width, height, this.canvas.fine, palette()];
    if (!still || wanted.some((one, n) => one !== still.drawn[n])) this.still = this.canvas.copyOf((copy) => this.paintStill(copy, width, height));
    this.still.drawn = wanted;
    pen.drawImage(this.still.node, 0, 0, width, height);
    const { box } = this;
    clipTo(pen, box);
    this.paintCursor(pen, box);
    pen.restore();
    this.paintHandles(pen);
  }

  paintStill(pen, width, height) {
    const { x, curves, logX, logY, down, yLabel } = this.data,
      { ends, range } = this.ranges();
    const high = height - TOP - BOTTOM;
    this.sy = scale(range, down ? [TOP, TOP + high] : [TOP + high, TOP], logY);
    const across = axisWords(x, Math.max(...ends.map(Math.abs)));
    const label = yLabel || (curves.length === 1 ? curves[0].label : this.title) || "";
    const up = axisWords({ label, unit: curves.length ? curves[0].unit : "" }, Math.max(...range.map(Math.abs)));
    const left = Math.max(LEFT, marksWidth(pen, this.sy, up, high) + 28),
      box = { left, top: TOP, width: width - left - RIGHT, height: high };
    this.box = box;
    this.sx = scale(ends, [left, left + box.width], logX);
    drawAxes(pen, box, this.sx, this.sy, across, up);
    clipTo(pen, box);
    this.paintMarks(pen, box);
    this.paintBands(pen);
    for (let n = curves.length - 1; n >= 0; n -= 1) this.paintCurve(pen, curves[n], n, box); // the first one lies on top
    pen.restore();
  }

  /** Shares of samples: the narrower band lies on the wider one. */
  paintBands(pen) {
    pen.fillStyle = palette().c1;
    (this.data.bands || []).forEach((band, n) => {
      pen.globalAlpha = n ? 0.3 : 0.18;
      pen.beginPath();
      band.x.forEach((v, k) => pen.lineTo(this.sx(v), this.sy(band.high[k])));
      for (let k = band.x.length - 1; k >= 0; k -= 1) pen.lineTo(this.sx(band.x[k]), this.sy(band.low[k]));
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  handlePlace({ x, y }) {
    const { box } = this;
    return [
      Math.min(box.left + box.width, Math.max(box.left, this.sx(x))),
      Math.min(box.top + box.height, Math.max(box.top, this.sy(y))),
    ];
  }

  paintHandles(pen) {
    const ink = palette();
    for (const handle of this.data.handles || []) {
      const [px, py] = this.handlePlace(handle);
      pen.beginPath();
      pen.arc(px, py, 9, 0, 7);
      pen.fillStyle = handle.label === this.heldLabel ? ink.c2 : ink.paper;
      pen.fill();
      pen.strokeStyle = ink.c2;
      pen.lineWidth = 3;
      pen.stroke();
      pen.beginPath();
      const [a, b] = handle.axis === "x" ? [4, 0] : [0, 4];
      pen.moveTo(px - a, py - b);
      pen.lineTo(px + a, py + b);
      pen.lineWidth = 2;
      pen.stroke();
    }
  }

  handleAt(event) {
    if (!this.data || !this.data.handles || !this.box) return null;
    const [px, py] = this.canvas.at(event);
    let best = null,
      least = 22;
    for (const handle of this.data.handles) {
      const [hx, hy] = this.handlePlace(handle),
        far = handle.anywhere ? Math.min(21, Math.hypot(px - hx, py - hy)) : Math.hypot(px - hx, py - hy);
      if (far < least) {
        least = far;
        best = handle;
      }
    }
    return best;
  }

  paintCurve(pen, one, n, box) {
    const { colour, dash } = { ...lineStyle(n), ...(one.style || {}) },
      xs = one.x || this.data.x.values,
      ys = one.values;
    pen.strokeStyle = colour;
    pen.lineWidth = one.wide || 1.8;
    pen.setLineDash(dash);
    pen.lineJoin = "round";
    pen.beginPath();
    const many = xs.length > 3 * box.width,
      rising = xs.length < 2 || xs[xs.length - 1] >= xs[0];
    if (one.dots) pen.setLineDash([]);
    else if (many && rising) tracePeaks(pen, xs, ys, this.sx, this.sy, box);
    else traceAll(pen, xs, ys, this.sx, this.sy);
    pen.stroke();
    pen.setLineDash([]);
    if (!one.points && xs.length > 1) return;
    pen.fillStyle = colour;
    xs.forEach((v, k) => {
      if (ys[k] === null || !Number.isFinite(ys[k])) return;
      pen.beginPath();
      pen.arc(this.sx(v), this.sy(ys[k]), 3.2, 0, 7);
      pen.fill();
    });
  }

  paintMarks(pen, box) {
    const ink = palette();
    pen.textAlign = "left";
    pen.textBaseline = "top";
    (this.data.marks || []).forEach((mark, n) => {
      const at = this.sx(mark.x);
      pen.strokeStyle = ink.soft;
      pen.lineWidth = 1;
      pen.setLineDash([3, 3]);
      pen.beginPath();
      pen.moveTo(at, box.top);
      pen.lineTo(at, box.top + box.height);
      pen.stroke();
      pen.setLineDash([]);
      pen.fillStyle = ink.soft;
      pen.fillText(mark.words || "", at + 4, box.top + 4 + 15 * (n % 3));
    });
  }

  /** Of a curve that runs back and forth, only the point of the slider is marked. */
  paintLoopPoint(pen) {
    const k = this.nowIndex,
      { x, curves } = this.data;
    if (k === null || k === undefined) return;
    const read = curves.map((one, n) => [one, n, one.values[k]]).filter(([, , v]) => v !== null && v !== undefined);
    for (const [one, n, v] of read) {
      pen.fillStyle = { ...lineStyle(n), ...(one.style || {}) }.colour;
      pen.beginPath();
      pen.arc(this.sx((one.x || x.values)[k]), this.sy(v), 5, 0, 7);
      pen.fill();
    }
    this.say(read, x.values[k]);
  }

  paintCursor(pen, box) {
    const ink = palette();
    if (this.data.loop) {
      this.paintLoopPoint(pen);
      return;
    }
    if (this.now !== null && this.now !== undefined) this.paintNowLine(pen, box, ink);
    if (this.chosen) {
      pen.fillStyle = ink.accent;
      pen.globalAlpha = 0.18;
      pen.fillRect(Math.min(...this.chosen), box.top, Math.abs(this.chosen[1] - this.chosen[0]), box.height);
      pen.globalAlpha = 1;
    }
    const at = this.point === null || this.point === undefined ? this.now : this.point;
    if (at === null || at === undefined) {
      this.say([]);
      return;
    }
    if (this.point !== null && this.point !== undefined) {
      pen.strokeStyle = ink.soft;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(this.sx(at), box.top);
      pen.lineTo(this.sx(at), box.top + box.height);
      pen.stroke();
    }
    const read = this.data.curves
      .map((one, n) => [one, n, valueAt(one.x || this.data.x.values, one.values, at)])
      .filter(([, , v]) => v !== null);
    for (const [one, n, v] of read) {
      pen.fillStyle = { ...lineStyle(n), ...(one.style || {}) }.colour;
      pen.beginPath();
      pen.arc(this.sx(at), this.sy(v), 4, 0, 7);
      pen.fill();
    }
    this.say(read, at);
  }

  paintNowLine(pen, box, ink) {
    pen.strokeStyle = ink.accent;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(this.sx(this.now), box.top);
    pen.lineTo(this.sx(this.now), box.top + box.height);
    pen.stroke();
  }

  say(read, at) {
    if (!read.length) {
      if (this.said) {
        this.read.textContent = "";
        this.said = "";
      }
      return;
    }
    const { x } = this.data,
      several = this.data.curves.length > 1,
      noise = 1e-9 * Math.max(...this.sy.ends.map(Math.abs)),
      clean = (v) => (Math.abs(v) < noise ? 0 : v);
    const words = distinct(this.data.curves.map((one) => one.label)),
      told =
        `${x.label || x.name} ${quantity(at, x.unit)}: ` +
        read
          .slice(0, MOST_READ)
          .map(([one, n, v]) => `${several ? `${words[n]} ` : ""}${quantity(clean(v), one.unit)}`)
          .join(", ") +
        (read.length > MOST_READ ? " …" : "");
    if (told !== this.said) {
      this.read.textContent = told;
      this.said = told;
    }
  }

  nearestCurve(x, py) {
    const far = this.data.curves.map((one) => {
      const v = valueAt(one.x || this.data.x.values, one.values, x);
      return v === null ? Infinity : Math.abs(this.sy(v) - py);
    });
    return far.indexOf(Math.min(...far));
  }

  whole() {
    return extent(...this.data.curves.map((one) => one.x || this.data.x.values)) || [0, 1];
  }

  zoomTo(ends) {
    const whole = this.whole();
    let found = null;
    if (ends) {
      const wide = Math.min(Math.abs(ends[1] - ends[0]), whole[1] - whole[0]);
      const low = Math.min(Math.max(Math.min(...ends), whole[0]), whole[1] - wide);
      if (wide > 1e-6 * (whole[1] - whole[0]) && wide < 0.999 * (whole[1] - whole[0])) found = [low, low + wide];
    }
    this.setZoom(found);
    if (this.onZoom) this.onZoom(found);
  }

  pointAt(x) {
    this.setPoint(x);
    if (this.onPoint) this.onPoint(x);
  }

  listen() {
    const { node } = this.canvas,
      px = (event) => this.canvas.at(event)[0];
    const place = (event) => {
      const [low, high] = this.sx.ends;
      return Math.min(high, Math.max(low, this.sx.invert(px(event))));
    };
    node.addEventListener("pointerdown", (event) => {
      if (!this.data || event.button !== 0) return;
      const handle = this.handleAt(event);
      if (handle) {
        this.heldLabel = handle.label;
        this.heldMove = handle.move;
        node.setPointerCapture(event.pointerId);
        if (handle.anywhere) handle.move(place(event), this.sy.invert(this.canvas.at(event)[1]));
        return;
      }
      if (event.pointerType === "mouse") {
        this.from = px(event);
        node.setPointerCapture(event.pointerId);
      }
    });
    node.addEventListener("pointermove", (event) => {
      if (!this.data || !this.sx) return;
      if (this.heldMove) {
        this.heldMove(place(event), this.sy.invert(this.canvas.at(event)[1]));
        return;
      }
      if (this.data.handles) node.style.cursor = this.handleAt(event) ? "grab" : "crosshair";
      if (this.from !== null && this.from !== undefined && Math.abs(px(event) - this.from) > 6)
        this.chosen = [this.from, px(event)];
      this.pointAt(place(event));
    });
    node.addEventListener("pointerup", (event) => {
      const { from, chosen, heldMove } = this;
      this.from = this.chosen = this.heldMove = this.heldLabel = null;
      if (heldMove) {
        this.canvas.draw();
        return;
      }
      if (!this.data || !this.sx) return;
      if (chosen && from !== null) this.zoomTo([this.sx.invert(from), place(event)]);
      else if (this.onPick) this.onPick(place(event), this.nearestCurve(place(event), this.canvas.at(event)[1]));
      this.canvas.draw();
    });
    node.addEventListener("pointercancel", () => {
      this.from = this.chosen = this.heldMove = this.heldLabel = null;
    });
    node.addEventListener("pointerleave", () => {
      if ((this.from === null || this.from === undefined) && this.data) this.pointAt(null);
    });
    node.addEventListener("dblclick", () => {
      if (this.data) this.zoomTo(null);
    });
    node.addEventListener("keydown", (event) => this.key_(event));
    node.addEventListener("blur", () => {
      if (this.data) this.pointAt(null);
    });
  }

  key_(event) {
    if (!this.data || !this.sx || event.ctrlKey || event.metaKey || event.altKey) return;
    const { ends } = this.sx,
      wide = ends[1] - ends[0],
      given = this.point ?? this.now;
    const at = Math.min(ends[1], Math.max(ends[0], given ?? (ends[0] + ends[1]) / 2)),
      way = ((event.key === "ArrowLeft" ? -1 : 1) * wide) / 100;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (event.shiftKey) this.zoomTo([ends[0] + 10 * way, ends[1] + 10 * way]);
      else this.pointAt(Math.min(ends[1], Math.max(ends[0], at + way)));
    } else if (event.key === "+" || event.key === "=") this.zoomTo([at - wide / 4, at + wide / 4]);
    else if (event.key === "-") this.zoomTo([at - wide, at + wide]);
    else if (event.key === "Home" || event.key === "0") this.zoomTo(null);
    else if (event.key === "Enter" && this.onPick) this.onPick(at, 0);
    else return;
    event.preventDefault();
  }

  end() {
    this.canvas.end();
  }
}
