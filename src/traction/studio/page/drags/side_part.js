// One wheel on its rail: the patch as a map, and its numbers.

import { el, show } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";
import { LayeredMap } from "../views/map_view.js";

const SIZES = [3e-3, 5e-3, 7e-3, 10e-3, 14e-3, 20e-3]; // half of the width of maps

/** The window of all maps, so that sizes can be compared: the smallest in which all patches have room. */
export function windowOf(sides) {
  let most = 0;
  for (const { layers, x, y } of Object.values(sides).flatMap((side) => side.patches.filter((one) => one.layers)))
    layers[0].values.forEach((row, iy) =>
      row.forEach((v, ix) => {
        if (v) most = Math.max(most, Math.abs(x.values[ix]), Math.abs(y.values[iy]));
      }),
    );
  const half = SIZES.find((one) => one > 1.1 * most) || 1.1 * most;
  return { x: [-half, half], y: [-half, half] };
}


function sideRows(side) {
  const rows = [["rolling radius", quantity(side.rolling_radius, "m", 5)]];
  side.patches.forEach((one, n) => {
    const name = side.patches.length > 1 ? ` ${n + 1}` : "";
    rows.push(
      [`normal force${name}`, quantity(one.force[0], "N")],
      [`creep forces${name}`, `${quantity(one.force[1], "N", 3)}, ${quantity(one.force[2], "N", 3)}`],
      [`contact angle${name}`, `${short((180 / Math.PI) * one.angle, 3)}°`],
      [`peak pressure${name}`, quantity(one.peak_pressure, "Pa")],
      [`stick area${name}`, `${short(100 * one.stick_share, 3)} %`],
    );
  });
  return rows;
}

/** Patch, forces and angle of one wheel. */
export class SidePart {
  constructor(host, name, look = "card") {
    this.table = el("dl", { class: "pairs" });
    this.map = el("div");
    this.pick = el("div", { class: "layer-bar", role: "group", "aria-label": `Patch of the ${name} wheel` });
    this.status = el("p", { class: "note" });
    host.append(
      el(
        "section",
        { class: look, "aria-label": `${name} wheel` },
        el("h2", {}, `${name.charAt(0).toUpperCase()}${name.slice(1)} wheel`),
        this.status,
        this.pick,
        this.map,
        this.table,
      ),
    );
  }

  set(side, window) {
    this.window = window;
    this.status.textContent = side.status && side.status !== "converged" ? side.status : "";
    this.tell(sideRows(side));
    this.patches = side.patches.filter((patch) => patch.layers && patch.layers.length);
    this.choose();
    const one = this.patches[Math.min(this.chosen || 0, this.patches.length - 1)];
    this.map.hidden = !one;
    if (!one) return;
    if (!this.drawn) this.drawn = new LayeredMap(this.map, { title: "Contact patch" });
    this.drawn.setData({ ...one, window: this.window });
  }

  /** Numbers that follow a drag: only texts change while the rows stay. */
  tell(rows) {
    const names = rows.map(([name]) => name).join();
    if (names !== this.names) {
      this.cells = rows.map(() => el("dd"));
      show(
        this.table,
        rows.map(([name], n) => [el("dt", {}, name), this.cells[n]]),
      );
      this.names = names;
    }
    rows.forEach(([, text], n) => {
      if (this.cells[n].textContent !== text) this.cells[n].textContent = text;
    });
  }

  /** Which of several patches the map shows; the one with most force first. */
  choose() {
    const count = this.patches.length;
    if (count === this.counted) return;
    this.counted = count;
    const forces = this.patches.map((one) => one.force[0]);
    this.chosen = Math.max(0, forces.indexOf(Math.max(...forces)));
    show(
      this.pick,
      count > 1
        ? this.patches.map((_, n) =>
            el(
              "button",
              {
                type: "button",
                "aria-pressed": String(n === this.chosen),
                onclick: (event) => {
                  this.chosen = n;
                  [...this.pick.children].forEach((one) => one.setAttribute("aria-pressed", String(one === event.currentTarget)));
                  this.drawn.setData({ ...this.patches[n], window: this.window });
                },
              },
              `Patch ${n + 1}`,
            ),
          )
        : null,
    );
  }

  end() {
    if (this.drawn) this.drawn.end();
  }
}
