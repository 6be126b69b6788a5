// Builds elements. Words only ever become text, never markup: names and titles of cases come from files of others.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, settings, children) {
  for (const [name, value] of Object.entries(settings || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An HTML element: `el("button", { class: "main", onclick: go }, "Run")`. */
export const el = (tag, settings, ...children) => fill(document.createElement(tag), settings, children);

/** An SVG element. */
export const svg = (tag, settings, ...children) => fill(document.createElementNS(SVG, tag), settings, children);

/** Replaces everything inside `node`. */
export function show(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

let made = 0;
/** An id that no other element of the page has. */
export const newId = (stem) => `${stem}-${(made += 1)}`;

/** Calls `action` once, `wait` ms after the last call. */
export function debounce(action, wait) {
  let timer = null;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), wait);
  };
}

/** Runs an asynchronous `action` with the newest value only: one at a time, values in between are dropped. */
export function newestOnly(action) {
  let busy = false,
    waiting = null;
  const run = async (value) => {
    if (busy) {
      waiting = { value };
      return;
    }
    busy = true;
    try {
      await action(value);
    } finally {
      busy = false;
      if (waiting) {
        const next = waiting;
        waiting = null;
        run(next.value);
      }
    }
  };
  return run;
}

/** Says something to those who listen to the page, and shows it for a moment. */
export function announce(words, mood = "plain") {
  const place = document.getElementById("announcements");
  const note = el("div", { class: `toast ${mood}` }, words);
  place.append(note);
  setTimeout(() => note.remove(), mood === "bad" ? 9000 : 4000);
}

/** A heading that names the page for the tab and takes the focus of who navigates by keyboard. */
export function pageTitle(words, ...more) {
  document.title = `${words} · Traction Studio`;
  return el("h1", { tabindex: "-1" }, words, ...more);
}

/** The head of a page: its title and a sentence, and what stands beside them. */
export const pageLead = (title, sentence, ...beside) =>
  el("div", { class: "lead" }, el("div", {}, pageTitle(title), el("p", {}, sentence)), ...beside);
