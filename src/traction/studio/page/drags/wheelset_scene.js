// A wheelset on its rails, from the front and from above; both can be dragged.

import { el } from "../core/dom.js";
import { extent, quantity } from "../core/numbers.js";
import { palette } from "../core/theme.js";
import { Canvas, clipTo } from "../drawing/canvas.js";

/** A profile and the body behind it, which reaches to the height `far`. */
function body(pen, xs, ys, far, fill, edge) {
  pen.beginPath();
  xs.forEach((x, n) => (n ? pen.lineTo(x, ys[n]) : pen.moveTo(x, ys[n])));
  pen.strokeStyle = edge;
  pen.lineWidth = 2.4;
  pen.stroke();
  pen.lineTo(xs[xs.length - 1], far);
  pen.lineTo(xs[0], far);
  pen.fillStyle = fill;
  pen.globalAlpha = 0.6;
  pen.fill();
  pen.globalAlpha = 1;
}

const AS_DRAWN = 2500; // pixels for a metre of lateral shift, from above

function words(pen, text, x, y, align) {
  pen.fillStyle = palette().soft;
  pen.textAlign = align;
  pen.textBaseline = "top";
  pen.fillText(text, x, y);
}

/**
 * A picture of the wheelset that shows its `value`; where it can be `moved`, by pulling or by keys, it tells the new one.
 * Each has its `words`, what it shows and how it is moved; its `heights`, least, of its width and largest; the steps of its
 * `keys`; and `pull`, the change of the value by a way of the pointer.
 */
class WheelsetPicture {
  constructor(host, { moved }) {
    const place = el("div", { class: "plot" }),
      { words, heights, keys } = this.constructor,
      [least, share, most] = heights;
    host.append(place);
    this.canvas = new Canvas(place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: (width) => Math.max(least, Math.min(most, share * width)),
      label: moved ? words.join(": ") : words[0],
      focusable: Boolean(moved),
      role: moved ? "application" : "img",
    });
    if (!moved) return;
    this.canvas.node.classList.add("pad");
    dragging(
      this.canvas,
      (...way) => moved(this.value + this.pull(...way)),
      (step) => moved(this.value + step),
      keys,
      () => this.value,
    );
  }

  end() {
    this.canvas.end();
  }
}

/** Profiles of wheel and rail on both sides, enlarged; dragging sideways shifts the wheelset, where it can be `moved`. */
export class FrontView extends WheelsetPicture {
  static words = ["Wheels on rails from behind", "drag sideways, or left and right arrow keys"];
  static heights = [150, 0.3, 230];
  static keys = { ArrowRight: -0.1e-3, ArrowLeft: 0.1e-3 };

  pull(dx) {
    return -dx / this.perMetre;
  }

  set(answer, y) {
    Object.assign(this, { answer, value: y });
    this.canvas.draw();
  }

  paint(pen, width, height) {
    if (!this.answer) return;
    const sides = Object.keys(this.answer.profiles),
      half = width / sides.length - 10;
    sides.forEach((side, n) => this.paintSide(pen, side, { left: 4 + n * (half + 12), width: half, height }));
    words(pen, `${sides[0]} wheel, shifted ${quantity(this.value, "m", 3) || "0"}`, 8, 4, "left");
    if (sides.length > 1) words(pen, "right wheel", width - 8, 4, "right");
  }

  paintSide(pen, side, box) {
    const ink = palette(),
      { wheel, rail } = this.answer.profiles[side],
      railEnds = extent(rail.y),
      room = 0.14 * (railEnds[1] - railEnds[0]),
      ends = [railEnds[0] - room, railEnds[1] + room];
    const seen = wheel.z.filter((_, k) => wheel.y[k] >= ends[0] && wheel.y[k] <= ends[1]),
      zs = extent(rail.z, seen);
    const per = Math.min(box.width / (ends[1] - ends[0]), (box.height - 40) / (zs[1] - zs[0])),
      middle = box.left + box.width / 2,
      between = (ends[0] + ends[1]) / 2,
      zMiddle = (zs[0] + zs[1]) / 2;
    const sx = (y) => middle - per * (y - between),
      sz = (z) => box.height / 2 + 10 - per * (z - zMiddle); // y to the left, z up
    const ahead = this.value - (this.answer.y ?? this.value); // the wheels move at once, their patches with the next answer
    this.perMetre = per;
    clipTo(pen, { ...box, top: 18, height: box.height - 18 });
    body(pen, rail.y.map(sx), rail.z.map(sz), box.height + 4, ink.box, ink.ink);
    body(
      pen,
      wheel.y.map((y) => sx(y + ahead)),
      wheel.z.map(sz),
      14,
      ink.floor,
      ink.c1,
    );
    for (const patch of this.answer.sides[side].patches) {
      const at = patch.origin || patch.place;
      pen.beginPath();
      pen.arc(sx(at[0] + ahead), sz(at[1]), 5, 0, 7);
      pen.fillStyle = ink.c2;
      pen.fill();
    }
    pen.restore();
  }
}

/** The wheelset from above; dragging turns it in yaw, drawn larger than it is. */
export class PlanView extends WheelsetPicture {
  static words = ["Wheelset from above", "drag up and down to yaw it, or up and down arrow keys"];
  static heights = [130, 0.25, 170];
  static keys = { ArrowDown: -0.5e-3, ArrowUp: 0.5e-3 };

  pull(_, dy, from) {
    return ((from > this.canvas.width / 2 ? -1 : 1) * dy) / 3500;
  }

  set(y, yaw) {
    const seen = `${Math.round(4 * y * AS_DRAWN)} ${yaw}`; // quarters of a pixel
    Object.assign(this, { lateral: y, value: yaw });
    if (seen !== this.seen) this.canvas.draw();
    this.seen = seen;
  }

  paint(pen, width, height) {
    if (this.value === undefined) return;
    const ink = palette(),
      gauge = 0.52 * width,
      cx = width / 2 - this.lateral * AS_DRAWN,
      cy = height / 2;
    pen.strokeStyle = ink.soft;
    pen.lineWidth = 5;
    [-1, 1].forEach((side) => {
      pen.beginPath();
      pen.moveTo(width / 2 + (side * gauge) / 2, 26);
      pen.lineTo(width / 2 + (side * gauge) / 2, height);
      pen.stroke();
    });
    pen.save();
    pen.translate(cx, cy);
    pen.rotate(-this.value * 12);
    pen.strokeStyle = ink.ink;
    pen.lineWidth = 6;
    pen.beginPath();
    pen.moveTo(-gauge / 2 - 24, 0);
    pen.lineTo(gauge / 2 + 24, 0);
    pen.stroke();
    pen.fillStyle = ink.paper;
    pen.strokeStyle = ink.c1;
    pen.lineWidth = 3;
    [-1, 1].forEach((side) => {
      pen.beginPath();
      pen.roundRect((side * gauge) / 2 - 8, -34, 16, 68, 4);
      pen.fill();
      pen.stroke();
    });
    pen.restore();
    words(pen, `from above: yaw ${quantity(this.value, "rad", 3) || "0"}, enlarged 12 times`, width / 2, 6, "center");
  }
}

function dragging(canvas, pull, step, keys, value) {
  const { node } = canvas;
  let from = null;
  node.addEventListener("pointerdown", (event) => {
    from = canvas.at(event);
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!from || value() === undefined) return;
    const at = canvas.at(event);
    pull(at[0] - from[0], at[1] - from[1], from[0]);
    from = at;
  });
  const drop = () => {
    from = null;
  };
  node.addEventListener("pointerup", drop);
  node.addEventListener("pointercancel", drop);
  node.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || value() === undefined) return;
    step(keys[event.key] * (event.shiftKey ? 5 : 1));
    event.preventDefault();
  });
}
