// Sliders with a label and the value in words: whatever can be dragged can be set by keyboard too.

import { el, newId } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";

/** A value of a slider in words; creepages in per cent. */
export function sliderWords(one, value) {
  if (one.percent) return `${short(100 * value, 3)} %`;
  return quantity(value, one.unit, 3) || "0";
}

/**
 * Rows for `list` = [{name, label, unit, minimum, maximum, log?, percent?}]; `values` is read and set; `moved(name)` is called after.
 * The returned `refresh()` takes values that were set elsewhere.
 */
export function sliderRows(host, list, values, moved) {
  const rows = list.map((one) => {
    const id = newId("slider"),
      out = el("output", { for: id }),
      steps = 1000;
    const share = (v) =>
      one.log ? Math.log(v / one.minimum) / Math.log(one.maximum / one.minimum) : (v - one.minimum) / (one.maximum - one.minimum);
    const back = (s) =>
      one.log ? one.minimum * (one.maximum / one.minimum) ** s : one.minimum + s * (one.maximum - one.minimum);
    const range = el("input", {
      type: "range",
      id,
      min: 0,
      max: steps,
      step: 5,
      data: { name: one.name },
      oninput: () => {
        values[one.name] = round(back(Number(range.value) / steps), one);
        tell();
        moved(one.name);
      },
    });
    const tell = () => {
      const words = sliderWords(one, values[one.name]);
      out.textContent = words;
      range.setAttribute("aria-valuetext", words);
    };
    const refresh = () => {
      range.value = Math.round(steps * share(values[one.name]));
      tell();
    };
    refresh();
    host.append(el("div", { class: "slider-row" }, el("label", { for: id }, one.label), out, range));
    return refresh;
  });
  return () => rows.forEach((one) => one());
}

function round(value, one) {
  const span = one.maximum - one.minimum,
    near = Math.abs(value) < span / 2000 ? 0 : value;
  return Number(near.toPrecision(5));
}
