// Light, dark, or as the system has it; and the colours that canvases draw with, read from the style sheet.

const KEY = "traction-theme",
  ORDER = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();
let colours = null;

const NAMES = [
  "ink",
  "soft",
  "line",
  "paper",
  "box",
  "accent",
  "good",
  "bad",
  "c1",
  "c2",
  "c3",
  "c4",
  "c5",
  "c6",
  "c7",
  "floor",
  "stick",
  "slip",
];

/** What is chosen: "auto", "light" or "dark". */
export const chosenTheme = () => localStorage.getItem(KEY) || "auto";

export const isDark = () => (chosenTheme() === "auto" ? dark.matches : chosenTheme() === "dark");

function changed() {
  colours = null;
  document.documentElement.dataset.theme = chosenTheme();
  listeners.forEach((one) => one());
}

/** Goes to the next of auto, light, dark. */
export function turnTheme() {
  localStorage.setItem(KEY, ORDER[(ORDER.indexOf(chosenTheme()) + 1) % ORDER.length]);
  changed();
}

/** Follows the system; called once. */
export function startTheme() {
  changed();
  dark.addEventListener("change", changed);
}

/** Calls `action` when colours change; returns what ends it. */
export function onTheme(action) {
  listeners.add(action);
  return () => listeners.delete(action);
}

/** The colours of the style sheet, as a canvas takes them. */
export function palette() {
  if (colours) return colours;
  const probe = document.createElement("span");
  document.body.append(probe);
  colours = {};
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  colours.lines = ["c1", "c2", "c3", "c4", "c5", "c6", "c7"].map((name) => colours[name]);
  return colours;
}
