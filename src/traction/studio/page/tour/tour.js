// Walks through the page step by step. Which step it is survives a reload and the way from page to page.

import { announce, el } from "../core/dom.js";
import { go, here } from "../core/router.js";
import { STEPS } from "./tour_steps.js";

const KEY = "traction-tour";
let card = null,
  marked = null,
  waiting = 0;

const step = () => {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? null : Number(kept);
};

export function startTour() {
  sessionStorage.setItem(KEY, "0");
  move(0);
}

export function endTour() {
  sessionStorage.removeItem(KEY);
  clear();
}

function clear() {
  waiting += 1;
  if (card) card.remove();
  card = null;
  if (marked) marked.classList.remove("tour-mark");
  marked = null;
}

const fits = (one, path) => (one.at === "" ? path === "" : path.startsWith(one.at));

/** Goes to step `n`: to its page if that is another one. */
function move(n) {
  sessionStorage.setItem(KEY, String(n));
  const one = STEPS[n];
  if (fits(one, here().path)) show(n);
  else if (one.at.endsWith("/")) {
    announce("run the case of the tour first");
    move(3);
  } else go(one.at);
}

/** Called when a page is shown: the tour goes on there if it was under way. */
export function takeUpTour(path) {
  clear();
  const n = step();
  if (n === null || !STEPS[n]) return;
  if (fits(STEPS[n], path)) show(n);
}

async function found(selector, mine) {
  for (let tries = 0; tries < 100 && mine === waiting; tries += 1) {
    const node = document.querySelector(selector);
    if (node && node.getBoundingClientRect().width > 0) return node;
    await new Promise((ready) => {
      setTimeout(ready, 100);
    });
  }
  return null;
}

async function show(n) {
  clear();
  const mine = waiting,
    one = STEPS[n],
    target = await found(one.mark, mine);
  if (mine !== waiting) return;
  const last = n === STEPS.length - 1;
  card = el(
    "div",
    { class: "tour-card", role: "dialog", "aria-label": `Tour, ${n + 1} of ${STEPS.length}: ${one.title}`, tabindex: "-1" },
    el("p", { class: "note" }, `Tour · ${n + 1} of ${STEPS.length}`),
    el("h2", {}, one.title),
    el("p", {}, one.words),
    el(
      "div",
      { class: "buttons" },
      el(
        "button",
        { type: "button", class: "main", onclick: () => (last ? endTour() : forward(n)) },
        last ? "End" : one.next === "run" ? "Run it" : "Next",
      ),
      n ? el("button", { type: "button", onclick: () => move(n - 1) }, "Back") : null,
      last ? null : el("button", { type: "button", class: "quiet", onclick: endTour }, "End the tour"),
    ),
  );
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") endTour();
  });
  document.body.append(card);
  if (target) {
    marked = target;
    target.classList.add("tour-mark");
    target.scrollIntoView({ block: target.getBoundingClientRect().height > 0.5 * innerHeight ? "start" : "center" });
    place(target);
  }
  card.querySelector(".main").focus({ preventScroll: true });
}

/** Beside what is pointed at where there is room, else in the corner. */
function place(target) {
  const box = target.getBoundingClientRect(),
    wide = card.offsetWidth,
    high = card.offsetHeight;
  if (innerWidth < 700) return;
  const right = box.right + 16 + wide < innerWidth,
    left = box.left - 16 - wide > 0;
  if (right || left) {
    card.style.left = `${right ? box.right + 16 : box.left - 16 - wide}px`;
    card.style.top = `${Math.min(innerHeight - high - 16, Math.max(70, box.top))}px`;
    card.style.right = card.style.bottom = "auto";
  }
}

function forward(n) {
  const { next } = STEPS[n];
  if (next !== "run") {
    move(n + 1);
    return;
  }
  sessionStorage.setItem(KEY, String(n + 1));
  const button = document.querySelector('[data-tour="run"]');
  clear();
  if (button && !button.disabled) button.click();
  else announce("the case is not valid yet: see its fields", "bad");
}
