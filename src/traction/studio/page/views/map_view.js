// Maps of a patch at the sample of the slider: layers, arrows, sections, and the surface in three dimensions.

import { get } from "../core/api.js";
import { el, newestOnly, show } from "../core/dom.js";
import { FieldMap } from "../drawing/field_map.js";
import { LinePlot } from "../drawing/line_plot.js";
import { Surface3D } from "../drawing/surface_3d.js";
import { isFlat } from "./profile_view.js";
import { grouped } from "./series_view.js";
import { remembered } from "./remembered.js";

const SHORT = {
  pressure: "Pressure",
  tread_pressure: "Pressure",
  traction_x: "Traction along",
  traction_y: "Traction across",
  traction: "Traction",
  state: "Stick and slip",
  slip: "Slip",
};
const shortName = (layer) => SHORT[layer.name] || layer.label;

/** Buttons for layers, arrows and 3-D, above a map. Also used by what is dragged. */
export class LayeredMap {
  constructor(host, { title, threeD = true, first = null } = {}) {
    Object.assign(this, { title, threeD, first });
    this.bar = el("div", { class: "layer-bar", role: "group", "aria-label": "What the map shows" });
    this.place = el("div");
    host.append(this.bar, this.place);
    this.solid = false;
  }

  setData(data) {
    const first = !this.data;
    this.data = data;
    if (first) {
      this.layer = (data.layers.find((one) => one.name === this.first) || data.layers[0]).name;
      this.buttons();
      this.open();
    }
    this.fill();
  }

  buttons() {
    const pressed = (on) => ({ type: "button", "aria-pressed": String(on) });
    show(
      this.bar,
      this.data.layers.map((one) =>
        el("button", { ...pressed(one.name === this.layer), onclick: () => this.choose(one) }, shortName(one)),
      ),
      this.data.arrows
        ? el(
            "button",
            {
              ...pressed(this.arrows !== false),
              onclick: () => {
                this.arrows = this.arrows === false;
                this.redo("Arrows");
              },
            },
            "Arrows",
          )
        : null,
      this.threeD
        ? el(
            "button",
            {
              ...pressed(this.solid),
              onclick: () => {
                this.solid = !this.solid;
                this.open();
                this.redo("3-D");
              },
            },
            "3-D",
          )
        : null,
    );
  }

  choose(layer) {
    this.layer = layer.name;
    this.redo(shortName(layer));
  }

  redo(word) {
    this.buttons();
    [...this.bar.children].find((one) => one.textContent === word)?.focus();
    this.fill();
  }

  open() {
    if (this.drawn) this.drawn.end();
    show(this.place);
    this.drawn = this.solid ? new Surface3D(this.place, { title: this.title }) : new FieldMap(this.place, { title: this.title });
  }

  fill() {
    if (this.solid) {
      this.drawn.setData(this.data, this.data.layers.find((one) => one.name === this.layer) || this.data.layers[0]);
      return;
    }
    this.drawn.shown = this.layer;
    this.drawn.arrowsOn = this.arrows !== false;
    this.drawn.setData(this.data);
  }

  end() {
    if (this.drawn) this.drawn.end();
  }
}

/** A line contact has one row: its fields are curves. */
function asCurves(host, view) {
  let plots = null;
  return {
    setData(data) {
      const curves = data.layers
          .filter((one) => one.kind !== "state")
          .map((one) => ({ label: one.label, unit: one.unit, values: one.values[0], named: true })),
        groups = grouped(curves);
      if (!plots) plots = groups.map(() => new LinePlot(host, { title: view.title }));
      groups.forEach((one, n) => {
        const layers = data.layers.filter((layer) => one.some((curve) => curve.label === layer.label));
        const low = Math.min(0, ...layers.map((layer) => layer.low)),
          high = Math.max(...layers.map((layer) => layer.high)),
          whole = high > low && !isFlat(one, [low, high]);
        plots[n].setData({ x: data.x, curves: one, range: whole ? [low, high] : null, keepZoom: true });
      });
    },
    end() {
      if (plots) plots.forEach((one) => one.end());
    },
  };
}

export async function mapView(host, { path, view, link, frames }) {
  let member = 0;
  const fetchOne = remembered((key) => {
    const [sample, wheel] = key.split(" ");
    return get(`${path}/views/${encodeURIComponent(view.name)}?sample=${sample}&member=${wheel}`);
  });
  const first = await fetchOne(`${link.sample} 0`),
    place = el("div");
  if (frames) keepFrames(fetchOne, frames, first);
  const follow = newestOnly(async (sample) => map.setData(await fetchOne(`${sample} ${member}`)));
  if (first.members && first.members.length > 1) {
    const pick = el(
      "select",
      {
        onchange: () => {
          member = Number(pick.value);
          follow(link.sample);
        },
      },
      first.members.map((name, n) => el("option", { value: n }, name)),
    );
    host.append(el("label", { class: "member" }, "Patch ", pick));
  }
  host.append(place);
  const map = first.y.values.length > 1 ? new LayeredMap(place, { title: view.title }) : asCurves(place, view);
  map.setData(first);
  link.on("sample", follow);
  return () => map.end();
}

/** Frames that came together are answers that need not be asked for. */
function keepFrames(fetchOne, frames, first) {
  if (frames.scene !== "rolling" || frames.layers.length < first.layers.length) return;
  frames.rows.forEach((sample, k) => {
    const layers = frames.layers.map((one) => ({
      ...first.layers.find((same) => same.name === one.name),
      ...one,
      values: one.frames[k],
      frames: null,
    }));
    fetchOne.keep(`${sample} 0`, { ...first, sample, layers }, 400);
  });
}
