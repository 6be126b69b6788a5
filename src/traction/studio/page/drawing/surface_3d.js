// A field as a surface in three dimensions: drag or use the arrow keys to turn it.

import { el } from "../core/dom.js";
import { quantity, scaleOf, short } from "../core/numbers.js";
import { isDark, palette } from "../core/theme.js";
import { Canvas } from "./canvas.js";
import { colourEnds, colourTable, css, shareOf } from "./colour_maps.js";

const MOST = 64; // cells along a side: enough to see, few enough to turn smoothly

export class Surface3D {
  constructor(host, { title } = {}) {
    this.place = el("div", { class: "plot" });
    host.append(this.place, el("p", { class: "note" }, "Drag to turn, or focus it and use the arrow keys."));
    this.turn = -0.65;
    this.tilt = 0.55;
    this.canvas = new Canvas(this.place, {
      paint: (pen, width, height) => this.paint(pen, width, height),
      shape: (width) => Math.max(220, Math.min(420, 0.7 * width)),
      label: `${title || "Surface"} in three dimensions: arrow keys turn it`,
      focusable: true,
      role: "application",
    });
    this.listen();
  }

  setData(data, layer) {
    Object.assign(this, { data, layer });
    const jx = Math.ceil(data.x.values.length / MOST),
      jy = Math.ceil(data.y.values.length / MOST);
    const pick = (list, jump) => list.filter((_, n) => n % jump === 0);
    this.xs = pick(data.x.values, jx);
    this.ys = pick(data.y.values, jy);
    this.zs = pick(layer.values, jy).map((row) => pick(row, jx).map((v) => (v === null ? 0 : v)));
    this.canvas.draw();
  }

  paint(pen, width, height) {
    if (!this.data || this.xs.length < 2 || this.ys.length < 2) return;
    const ends = colourEnds(this.layer),
      project = this.projection(width, height, ends);
    this.paintFloor(pen, project, ends);
    const colours = colourTable(this.layer.kind, isDark()),
      { xs, ys, zs } = this,
      points = zs.map((row, iy) => row.map((v, ix) => project(xs[ix], ys[iy], v)));
    const order = (n, back) => [...Array(n).keys()].map((k) => (back ? n - 1 - k : k));
    const acrossFirst = order(xs.length - 1, Math.sin(this.turn) > 0),
      upFirst = order(ys.length - 1, Math.cos(this.turn) > 0);
    pen.lineWidth = 0.5;
    for (const iy of upFirst) {
      for (const ix of acrossFirst) {
        const mean = (zs[iy][ix] + zs[iy][ix + 1] + zs[iy + 1][ix] + zs[iy + 1][ix + 1]) / 4;
        if (mean === 0 && this.layer.kind !== "signed") continue;
        const slope = (zs[iy][ix + 1] - zs[iy][ix] + zs[iy + 1][ix] - zs[iy][ix]) / (ends[1] - ends[0] || 1);
        const colour = css(colours, Math.round(255 * shareOf(mean, ends)));
        pen.beginPath();
        [
          [iy, ix],
          [iy, ix + 1],
          [iy + 1, ix + 1],
          [iy + 1, ix],
        ].forEach(([r, c], n) => (n ? pen.lineTo(...points[r][c]) : pen.moveTo(...points[r][c])));
        pen.closePath();
        pen.fillStyle = colour;
        pen.fill();
        pen.strokeStyle = slope < 0 ? "rgba(0,0,0,0.35)" : "rgba(255,255,255,0.28)";
        pen.stroke();
      }
    }
    this.paintWords(pen, project, ends);
  }

  projection(width, height, ends) {
    const { xs, ys } = this,
      [x0, x1] = [xs[0], xs[xs.length - 1]],
      [y0, y1] = [ys[0], ys[ys.length - 1]];
    const alike = this.data.x.unit === this.data.y.unit,
      most = Math.max(x1 - x0, y1 - y0);
    const [wx, wy] = alike ? [(x1 - x0) / most, (y1 - y0) / most] : [1, 0.8];
    const size = Math.min(width / 1.5, height / 1.25),
      [ct, st] = [Math.cos(this.turn), Math.sin(this.turn)],
      [ce, se] = [Math.cos(this.tilt), Math.sin(this.tilt)];
    return (x, y, z) => {
      const a = wx * ((x - x0) / (x1 - x0 || 1) - 0.5),
        b = wy * ((y - y0) / (y1 - y0 || 1) - 0.5),
        c = 0.55 * ((z - ends[0]) / (ends[1] - ends[0] || 1) - 0.35);
      const p = a * ct - b * st,
        q = a * st + b * ct;
      return [width / 2 + size * p, height / 2 - size * (q * se + c * ce)];
    };
  }

  paintFloor(pen, project, ends) {
    const { xs, ys } = this,
      z = ends[0] < 0 ? 0 : ends[0],
      ink = palette(),
      corners = [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ];
    const at = ([a, b]) => project(a ? xs[xs.length - 1] : xs[0], b ? ys[ys.length - 1] : ys[0], z);
    pen.beginPath();
    corners.forEach((one, n) => (n ? pen.lineTo(...at(one)) : pen.moveTo(...at(one))));
    pen.closePath();
    pen.fillStyle = ink.floor;
    pen.fill();
    pen.strokeStyle = ink.line;
    pen.lineWidth = 1;
    pen.stroke();
  }

  paintWords(pen, project, ends) {
    const { xs, ys, data, layer } = this,
      ink = palette(),
      z = ends[0] < 0 ? 0 : ends[0];
    const [fx, ux] = scaleOf(data.x.unit, Math.max(...xs.map(Math.abs))),
      [fy, uy] = scaleOf(data.y.unit, Math.max(...ys.map(Math.abs)));
    const out = 1.13,
      away = (list, share) => {
        const middle = (list[0] + list[list.length - 1]) / 2;
        return middle + out * (share - 0.5) * (list[list.length - 1] - list[0]);
      };
    const front = Math.cos(this.turn) > 0 ? 0 : 1,
      side = Math.sin(this.turn) < 0 ? 1 : 0;
    pen.fillStyle = ink.soft;
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    [0, 1].forEach((end) => {
      const x = end ? xs[xs.length - 1] : xs[0],
        y = end ? ys[ys.length - 1] : ys[0];
      pen.fillText(short(x * fx, 3), ...project(x, away(ys, front), z));
      pen.fillText(short(y * fy, 3), ...project(away(xs, side), y, z));
    });
    pen.fillStyle = ink.ink;
    pen.fillText(`${data.x.name || "x"} (${ux || "1"})`, ...project((xs[0] + xs[xs.length - 1]) / 2, away(ys, front), z));
    pen.fillText(`${data.y.name || "y"} (${uy || "1"})`, ...project(away(xs, side), (ys[0] + ys[ys.length - 1]) / 2, z));
    const most = Math.max(...this.zs.flat());
    pen.textAlign = "left";
    pen.fillText(`${layer.label}, largest ${quantity(most, layer.unit)}`, 8, 12);
  }

  listen() {
    const { node } = this.canvas;
    node.classList.add("turns");
    node.addEventListener("pointerdown", (event) => {
      this.from = [event.clientX, event.clientY, this.turn, this.tilt];
      node.setPointerCapture(event.pointerId);
    });
    node.addEventListener("pointermove", (event) => {
      if (!this.from) return;
      this.turn = this.from[2] + (event.clientX - this.from[0]) / 120;
      this.tilt = Math.min(1.5, Math.max(0.05, this.from[3] + (event.clientY - this.from[1]) / 160));
      this.canvas.draw();
    });
    const drop = () => {
      this.from = null;
    };
    node.addEventListener("pointerup", drop);
    node.addEventListener("pointercancel", drop);
    node.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] }[event.key];
      if (!way) return;
      this.turn += way[0];
      this.tilt = Math.min(1.5, Math.max(0.05, this.tilt + way[1]));
      this.canvas.draw();
      event.preventDefault();
    });
  }

  end() {
    this.canvas.end();
  }
}
