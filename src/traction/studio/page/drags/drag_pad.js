// A square in which a handle is dragged both ways, such as two creepages at once.

import { el } from "../core/dom.js";
import { palette } from "../core/theme.js";
import { axisWords, drawAxes, scale } from "../drawing/axes.js";
import { Canvas } from "../drawing/canvas.js";

export class DragPad {
  /** `x` and `y` = {label, unit, most, factor}; `moved(x, y)`. */
  constructor(host, { x, y, moved, label }) {
    Object.assign(this, { x, y, moved, value: [0, 0] });
    this.place = el("div", { class: "plot" });
    host.append(this.place);
    this.canvas = new Canvas(this.place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: (width) => Math.min(320, width - 20),
      label: `${label}: arrow keys move the handle, Home centres it`,
      focusable: true,
      role: "application",
    });
    this.canvas.node.classList.add("pad");
    this.listen();
  }

  set(x, y) {
    this.value = [x, y];
    this.canvas.draw();
  }

  paint(pen, width, height) {
    const { x, y } = this,
      ink = palette(),
      side = Math.min(width - 76, height - 50),
      box = { left: 62, top: 8, width: side, height: side };
    this.box = box;
    this.sx = scale([-x.most, x.most], [box.left, box.left + side]);
    this.sy = scale([-y.most, y.most], [box.top + side, box.top]);
    pen.fillStyle = ink.floor;
    pen.fillRect(box.left, box.top, side, side);
    drawAxes(pen, box, this.sx, this.sy, { factor: x.factor, words: x.words }, { factor: y.factor, words: y.words });
    const [px, py] = [this.sx(this.value[0]), this.sy(this.value[1])];
    pen.beginPath();
    pen.moveTo(this.sx(0), this.sy(0));
    pen.lineTo(px, py);
    pen.strokeStyle = ink.c2;
    pen.lineWidth = 2.5;
    pen.stroke();
    pen.beginPath();
    pen.arc(px, py, 11, 0, 7);
    pen.fillStyle = this.held ? ink.c2 : ink.paper;
    pen.fill();
    pen.lineWidth = 3.5;
    pen.stroke();
  }

  tell(x, y) {
    const hold = (v, most) => {
      const kept = Math.min(most, Math.max(-most, v));
      return Math.abs(kept) < most / 100 ? 0 : Number(kept.toPrecision(4));
    };
    this.value = [hold(x, this.x.most), hold(y, this.y.most)];
    this.canvas.draw();
    this.moved(...this.value);
  }

  listen() {
    const { node } = this.canvas,
      follow = (event) => {
        const [px, py] = this.canvas.at(event);
        this.tell(this.sx.invert(px), this.sy.invert(py));
      };
    node.addEventListener("pointerdown", (event) => {
      this.held = true;
      node.setPointerCapture(event.pointerId);
      follow(event);
    });
    node.addEventListener("pointermove", (event) => {
      if (this.held) follow(event);
    });
    const drop = () => {
      this.held = false;
      this.canvas.draw();
    };
    node.addEventListener("pointerup", drop);
    node.addEventListener("pointercancel", drop);
    node.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key],
        part = event.shiftKey ? 0.1 : 0.025;
      if (event.key === "Home") this.tell(0, 0);
      else if (way) this.tell(this.value[0] + 2 * part * way[0] * this.x.most, this.value[1] + 2 * part * way[1] * this.y.most);
      else return;
      event.preventDefault();
    });
  }

  end() {
    this.canvas.end();
  }
}

/** Words of an axis of the pad. */
export const padAxis = (label, unit, most, percent) =>
  percent ? { most, factor: 100, words: `${label} (%)` } : { most, ...axisWords({ label, unit }, most) };
