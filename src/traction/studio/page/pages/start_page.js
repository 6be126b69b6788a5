// The first page: built-in cases with pictures, your runs, and a new case from scratch.

import { get, getOnce } from "../core/api.js";
import { el, pageLead, show } from "../core/dom.js";
import { remember } from "../core/router.js";
import { casePicture } from "../pictures/case_pictures.js";
import { runList } from "./run_list.js";

const GROUPS = {
  contact: ["Contact", ["press", "rest"]],
  friction: ["Friction and rolling", ["shift", "steady", "roll", "creep-table", "creep-law", "wheel-rail"]],
  impact: ["Bounce and impact", ["bounce", "impact"]],
  beams: ["Beams", ["modes", "obstacle"]],
  bridges: ["Trains and bridges", ["moving-load", "resonance", "cross"]],
};

function tile(one) {
  return el(
    "li",
    { class: "tile" },
    el("div", { class: "picture" }, casePicture(one.name, one.kind)),
    el(
      "div",
      { class: "words" },
      el("span", { class: "tag" }, one.kind),
      el("h3", {}, el("a", { href: `#/case/${encodeURIComponent(one.name)}` }, one.title)),
      el("p", {}, one.description),
    ),
  );
}

const groupOf = (kind) => (Object.entries(GROUPS).find(([, [, kinds]]) => kinds.includes(kind)) || ["other"])[0];

/** Buttons that show one group of the tiles; the choice is in the address. */
function filtered(host, cases, chosen) {
  const groups = { all: ["All"], ...GROUPS };
  if (cases.some((one) => groupOf(one.kind) === "other")) groups.other = ["More"];
  const tiles = el("ul", { class: "tiles" }),
    bar = el("div", { class: "filters", role: "group", "aria-label": "Show cases of" });
  const draw = (group) => {
    show(
      bar,
      Object.entries(groups).map(([key, [word]]) =>
        el(
          "button",
          {
            type: "button",
            "aria-pressed": String(key === group),
            onclick: () => {
              remember({ group: key === "all" ? null : key });
              draw(key);
              bar.querySelector('[aria-pressed="true"]').focus();
            },
          },
          word,
        ),
      ),
    );
    show(tiles, cases.filter((one) => group === "all" || groupOf(one.kind) === group).map(tile));
  };
  draw(groups[chosen] ? chosen : "all");
  host.append(bar, tiles);
}

function newCase(kinds) {
  const choice = el(
    "select",
    { id: "new-kind", "aria-label": "Kind of case" },
    kinds.map((one) => el("option", { value: one.name }, `${one.name}: ${one.summary}`)),
  );
  return el(
    "form",
    {
      class: "choose card",
      "data-tour": "new",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/new/${choice.value}`;
      },
    },
    el("label", {}, "New case of kind", choice),
    el("button", { type: "submit", class: "main" }, "New case"),
  );
}

export async function startPage(host, given, query) {
  const [{ cases }, { kinds }, runs] = await Promise.all([getOnce("cases"), getOnce("kinds"), get("runs")]);
  const recent = el("section", { "aria-labelledby": "recent" }),
    builtIn = el("section", { "aria-labelledby": "built-in", "data-tour": "cases" });
  show(
    host,
    pageLead(
      "What would you like to compute?",
      "Choose a case, change it, run it and view the results. Or drag a parameter and see the response.",
      el(
        "div",
        { class: "buttons" },
        el("a", { class: "button main", href: "#/drag/rolling", "data-tour": "to-drag" }, "Drag a rolling contact"),
        el("a", { class: "button", href: "#/drag/train" }, "Drive a train"),
      ),
    ),
    recent,
    builtIn,
    newCase(kinds),
  );
  builtIn.append(el("h2", { id: "built-in" }, "Built-in cases"));
  filtered(builtIn, cases, query.get("group"));
  if (!runs.runs.length && !runs.sweeps.length) {
    recent.remove();
    return null;
  }
  recent.append(
    el("div", { class: "section-head" }, el("h2", { id: "recent" }, "Your latest runs and sweeps"), el("a", { href: "#/runs" }, "All runs")),
  );
  return runList(recent, runs, { most: 3 });
}
