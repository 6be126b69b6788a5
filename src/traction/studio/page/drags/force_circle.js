// The force of a patch inside the circle that friction bounds.

import { el } from "../core/dom.js";
import { quantity } from "../core/numbers.js";
import { palette } from "../core/theme.js";
import { Canvas } from "../drawing/canvas.js";
import { arrow } from "../drawing/field_layers.js";

export class ForceCircle {
  constructor(host) {
    this.place = el("div", { class: "plot" });
    host.append(this.place);
    this.canvas = new Canvas(this.place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: () => 190,
      label: "Force inside the friction circle",
    });
  }

  set(force, bound) {
    Object.assign(this, { force, bound });
    this.canvas.draw();
  }

  paint(pen, width, height) {
    if (!this.force) return;
    const ink = palette(),
      r = Math.min(width, height) / 2 - 22,
      [cx, cy] = [width / 2, height / 2];
    pen.beginPath();
    pen.arc(cx, cy, r, 0, 7);
    pen.fillStyle = ink.floor;
    pen.fill();
    pen.setLineDash([5, 4]);
    pen.strokeStyle = ink.soft;
    pen.lineWidth = 1.5;
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(cx - r, cy);
    pen.lineTo(cx + r, cy);
    pen.moveTo(cx, cy - r);
    pen.lineTo(cx, cy + r);
    pen.strokeStyle = ink.line;
    pen.lineWidth = 1;
    pen.stroke();
    const [dx, dy] = [(r * this.force[0]) / this.bound, (-r * this.force[1]) / this.bound],
      size = Math.hypot(dx, dy);
    if (size > 1) {
      pen.beginPath();
      arrow(pen, cx, cy, dx, dy, size);
      pen.strokeStyle = ink.c1;
      pen.lineWidth = 4;
      pen.stroke();
    }
    pen.fillStyle = ink.soft;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(`limit ${quantity(this.bound, "N", 3)}`, cx, height - 8);
  }

  end() {
    this.canvas.end();
  }
}
