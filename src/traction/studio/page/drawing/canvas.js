// A canvas that keeps the size of its place, is sharp on fine screens, and is drawn once per picture of the screen.

import { el } from "../core/dom.js";
import { onTheme } from "../core/theme.js";

export const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Keeps what is drawn inside a box, until the pen is restored. */
export function clipTo(pen, { left, top, width, height }) {
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
}

export class Canvas {
  /** `paint(pen, width, height)` draws; `shape(width)` gives the height of a width. */
  constructor(host, { paint, shape, label, focusable = false, role = "img" }) {
    this.paint = paint;
    this.shape = shape;
    this.node = el("canvas", { role, "aria-label": label, tabindex: focusable ? "0" : null });
    host.append(this.node);
    this.pen = this.node.getContext("2d");
    this.width = 0;
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(host);
    this.host = host;
    this.endTheme = onTheme(() => this.draw());
    this.fit();
  }

  fit() {
    const width = Math.floor(this.host.clientWidth);
    if (!width) return;
    const height = Math.round(this.shape(width)),
      fine = Math.min(3, devicePixelRatio || 1);
    if (width !== this.width || height !== this.height || fine !== this.fine) {
      Object.assign(this, { width, height, fine });
      this.node.width = width * fine;
      this.node.height = height * fine;
      this.node.style.width = `${width}px`;
      this.node.style.height = `${height}px`;
    }
    this.draw(true);
  }

  /** Draws before the next picture of the screen; `now` at once. */
  draw(now = false) {
    if (now) {
      this.paintNow();
      return;
    }
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    if (this.asked) cancelAnimationFrame(this.asked);
    this.asked = null;
    if (!this.width || this.ended) return;
    this.pen.setTransform(this.fine, 0, 0, this.fine, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.font = FONT;
    this.paint(this.pen, this.width, this.height);
  }

  /** A drawing of the same size and fineness beside this one, made by `paint(pen)`. */
  copyOf(paint) {
    const node = el("canvas", { width: this.node.width, height: this.node.height }),
      pen = node.getContext("2d");
    pen.setTransform(this.fine, 0, 0, this.fine, 0, 0);
    pen.font = FONT;
    paint(pen);
    return { node };
  }

  /** Place of a pointer in the canvas. */
  at(event) {
    const box = this.node.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  end() {
    this.ended = true;
    this.watch.disconnect();
    this.endTheme();
    this.node.remove();
  }
}
