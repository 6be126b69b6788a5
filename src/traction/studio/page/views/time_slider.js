// The slider that all views follow, with play and pause.

import { el } from "../core/dom.js";
import { quantity } from "../core/numbers.js";
import { remember } from "../core/router.js";
import { nearest } from "./view_link.js";

const FRAMES_A_SECOND = 24, MOST_FRAMES = 200, LEAST_SECONDS = 4;

export function timeSlider(link, { name = "sample" } = {}) {
  const words = el("output", { class: "now" }), range = el("input", { type: "range", min: 0, max: Math.max(0, link.samples - 1), step: 1, value: link.sample, "aria-label": link.label.label || name });
  const play = el("button", { type: "button", class: "play" }, "Play"), speed = el("select", { "aria-label": "Speed" }, [["0.25", "¼ ×"], ["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"]].map(([v, t]) => el("option", { value: v, selected: v === "1" }, t)));
  let timer = null, steps = null;
  const tell = () => {
    range.value = link.sample;
    const text = `${link.label.label || link.label.name} ${quantity(link.labelOf(link.sample), link.label.unit)}`;
    words.textContent = link.label.name === "sample" ? `${link.sample + 1} of ${link.samples}` : `${text} · ${link.sample + 1} of ${link.samples}`;
    range.setAttribute("aria-valuetext", text);
  };
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; remember({ sample: link.sample }); };
  const rows = () => steps || thinned(link.samples);
  const start = () => {
    const list = rows();
    let k = nearest(list, link.sample);
    if (k >= list.length - 1) k = -1;
    play.textContent = "Pause";
    timer = setInterval(() => {
      k += 1;
      if (k >= list.length) { stop(); return; }
      link.setSample(list[k]);
    }, 1000 / (Math.min(FRAMES_A_SECOND, list.length / LEAST_SECONDS) * Number(speed.value)));
  };
  play.addEventListener("click", () => (timer ? stop() : start()));
  speed.addEventListener("change", () => { if (timer) { stop(); start(); } });
  range.addEventListener("input", () => { if (timer) stop(); link.setSample(Number(range.value)); });
  range.addEventListener("change", () => remember({ sample: link.sample }));
  link.on("sample", tell);
  tell();
  return { node: el("div", { class: "slider-bar", "data-tour": "slider" }, play, range, words, speed), end: () => clearInterval(timer),
    /** The samples that play goes through: those of the frames. */
    setSteps: (list) => { steps = list; } };
}

function thinned(samples) {
  const jump = Math.max(1, Math.ceil(samples / MOST_FRAMES)), found = [];
  for (let k = 0; k < samples; k += jump) found.push(k);
  if (found[found.length - 1] !== samples - 1) found.push(samples - 1);
  return found;
}
