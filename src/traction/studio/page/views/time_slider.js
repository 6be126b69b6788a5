// The slider that all views follow, with play and pause.

import { el } from "../core/dom.js";
import { quantity } from "../core/numbers.js";
import { remember } from "../core/router.js";
import { nearest } from "./view_link.js";

const FRAMES_A_SECOND = 24,
  MOST_FRAMES = 200,
  LEAST_SECONDS = 4;

const SPEEDS = { 0.25: "¼ ×", 0.5: "½ ×", 1: "1 ×", 2: "2 ×" };

/** Goes through samples in time; `ended` is called when it stops by itself or is stopped. */
class Player {
  constructor(link, ended) {
    Object.assign(this, { link, ended, timer: null, rows: thinned(link.samples) });
  }

  start(speed) {
    const { rows, link } = this;
    let k = nearest(rows, link.sample);
    if (k >= rows.length - 1) k = -1;
    const step = () => {
      k += 1;
      if (k >= rows.length) this.stop();
      else link.setSample(rows[k]);
    };
    this.timer = setInterval(step, 1000 / (Math.min(FRAMES_A_SECOND, rows.length / LEAST_SECONDS) * speed));
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.ended();
  }
}

/** The slider of the views that share `link`. */
export function timeSlider(link) {
  const { label, samples } = link,
    words = el("output", { class: "now" }),
    play = el("button", { type: "button", class: "play" }, "Play");
  const range = el("input", { type: "range", min: 0, max: samples - 1, step: 1, value: link.sample, "aria-label": label.label });
  const options = Object.entries(SPEEDS).map(([value, text]) => el("option", { value, selected: value === "1" }, text)),
    speed = el("select", { "aria-label": "Speed" }, options);
  const player = new Player(link, () => {
    play.textContent = "Play";
    remember({ sample: link.sample });
  });
  const start = () => {
    play.textContent = "Pause";
    player.start(Number(speed.value));
  };
  const tell = () => {
    const text = `${label.label || label.name} ${quantity(link.labelOf(link.sample), label.unit)}`,
      count = `${link.sample + 1} of ${samples}`;
    range.value = link.sample;
    range.setAttribute("aria-valuetext", text);
    words.textContent = label.name === "sample" ? count : `${text} · ${count}`;
  };
  play.addEventListener("click", () => (player.timer ? player.stop() : start()));
  speed.addEventListener("change", () => {
    if (!player.timer) return;
    player.stop();
    start();
  });
  range.addEventListener("input", () => {
    if (player.timer) player.stop();
    link.setSample(Number(range.value));
  });
  range.addEventListener("change", () => remember({ sample: link.sample }));
  link.on("sample", tell);
  tell();
  return {
    node: el("div", { class: "slider-bar", "data-tour": "slider" }, play, range, words, speed),
    end: () => clearInterval(player.timer),
    /** The samples that play goes through: those of the frames. */
    setSteps: (rows) => {
      player.rows = rows;
    },
  };
}

function thinned(samples) {
  const jump = Math.max(1, Math.ceil(samples / MOST_FRAMES)),
    found = [];
  for (let k = 0; k < samples; k += jump) found.push(k);
  if (found[found.length - 1] !== samples - 1) found.push(samples - 1);
  return found;
}
