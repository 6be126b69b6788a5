// Two runs side by side: what was given differently, what came out differently, and curves on top of each other.

import { get } from "../core/api.js";
import { el, pageTitle, show } from "../core/dom.js";
import { quantity, short } from "../core/numbers.js";
import { go, remember } from "../core/router.js";
import { LinePlot } from "../drawing/line_plot.js";
import { tableNode } from "../views/table_view.js";
import { viewBoard } from "../views/view_board.js";

/** Curves that say most, in the order in which they are looked for. */
const TELLING = ["deflection", "height", "force", "contact_force", "peak_pressure", "force_x", "frequency"];

function chooser(runs, a, b) {
  const known = runs.filter((run) => run.state !== "queued"),
    list = (chosen, label) =>
      el(
        "label",
        {},
        label,
        el(
          "select",
          {},
          known.map((run) =>
            el("option", { value: run.id, selected: run.id === chosen }, `${run.title || run.name} (${run.name})`),
          ),
        ),
      );
  const first = list(a, "A"),
    second = list(b, "B"),
    of = (node) => node.querySelector("select").value;
  return el(
    "form",
    {
      class: "card choose",
      onsubmit: (event) => {
        event.preventDefault();
        go(`compare/${of(first)}/${of(second)}`);
      },
    },
    first,
    second,
    el("button", { type: "submit", class: "main" }, "Compare"),
  );
}

const swatch = (n) =>
  el("span", {
    class: "swatch",
    style: {
      display: "inline-block",
      width: "26px",
      "vertical-align": "middle",
      "margin-right": ".4rem",
      "border-top": `3px ${n ? "dashed" : "solid"} var(--c${n + 1})`,
    },
  });

function heads(data) {
  return el(
    "div",
    { class: "two" },
    ["a", "b"].map((key, n) =>
      el(
        "div",
        { class: "card" },
        el(
          "h2",
          {},
          swatch(n),
          `${key.toUpperCase()}: `,
          el("a", { href: `#/run/${data[key].id}` }, data[key].title || data[key].name),
        ),
        el("p", { class: "note" }, `${data[key].kind} · ${data[key].name}`),
      ),
    ),
  );
}

/** "+3 mm (+2 %)", of B less A. */
function changeWords({ difference, relative, unit, text_a: a, text_b: b }) {
  if (difference === null || difference === undefined) return "";
  if (difference === 0 || a === b) return "same";
  const sign = (v) => (v > 0 ? "+" : ""),
    share = relative === null || relative === undefined ? "" : ` (${sign(relative)}${short(100 * relative, 3)} %)`;
  return `${sign(difference)}${quantity(difference, unit, 3)}${share}`;
}

const givenWords = (v) => (v === null || v === undefined ? "not given" : typeof v === "object" ? JSON.stringify(v) : String(v));

function tablePart(id, title, header, rows, nothing) {
  return el(
    "section",
    { class: "card", "aria-labelledby": id },
    el("h2", { id }, title),
    rows.length ? tableNode({ header, rows, title }) : el("p", { class: "note" }, nothing),
  );
}

function differences({ scenario, figures }) {
  const given = scenario.map((one) => [one.key, givenWords(one.a), givenWords(one.b)]),
    found = figures.map((one) => [one.name, one.text_a ?? "–", one.text_b ?? "–", changeWords(one)]);
  return [
    tablePart("given", "Settings that differ, in SI units", ["Setting", "A", "B"], given, "None: both have the same settings."),
    tablePart("found", "Key figures", ["Figure", "A", "B", "Difference B − A"], found, "The runs share no key figures."),
  ];
}

/** Curves of both runs in one plot, chosen by name. */
function curvesPart(data, query, ends) {
  if (!data.series.length) return null;
  const host = el("div"),
    apart = el("div", { class: "difference" }),
    plot = { now: null, apart: null },
    pick = el(
      "select",
      {
        "aria-label": "Curve to compare",
        onchange: () => {
          remember({ curve: pick.value });
          draw(pick.value);
        },
      },
      data.series.map((one) => el("option", { value: one.name }, one.label)),
    );
  const drawDifference = ({ label, unit, x, difference }) => {
    apart.hidden = !difference;
    if (!difference) return;
    if (!plot.apart) {
      plot.apart = new LinePlot(apart, { title: "Difference", high: 200 });
      ends.push(() => plot.apart.end());
    }
    plot.apart.setData({
      x: { ...x, values: difference.x },
      yLabel: "B \u2212 A",
      curves: [{ label: `${label}, B \u2212 A`, unit, values: difference.y }],
    });
  };
  const draw = async (name) => {
    const one = await get(`compare/${encodeURIComponent(name)}?a=${data.a.id}&b=${data.b.id}&points=1200`);
    if (!plot.now) {
      plot.now = new LinePlot(host, { high: 320 });
      ends.push(() => plot.now.end());
    }
    plot.now.title = one.label;
    plot.now.setData({
      x: { ...one.x, values: one.a.x },
      yLabel: one.label,
      curves: [
        { label: "A", unit: one.unit, x: one.a.x, values: one.a.y },
        { label: "B", unit: one.unit, x: one.b.x, values: one.b.y },
      ],
    });
    drawDifference(one);
  };
  const wanted = [query.get("curve"), ...TELLING].find((name) => data.series.some((one) => one.name === name));
  if (wanted) pick.value = wanted;
  draw(pick.value);
  return el(
    "section",
    { class: "card", "aria-labelledby": "curves" },
    el("div", { class: "section-head" }, el("h2", { id: "curves" }, "Curves"), pick),
    host,
    apart,
  );
}

export async function comparePage(host, given, query) {
  const { runs } = await get("runs"),
    ends = [],
    latest = runs.filter((run) => run.state !== "queued");
  const a = given.a || query.get("a") || (latest[1] || latest[0] || {}).id,
    same = latest.find((run) => run.id === a);
  const b =
    given.b || query.get("b") || (latest.find((run) => run.id !== a && same && run.kind === same.kind) || latest[0] || {}).id;
  show(host, pageTitle("Compare two runs"));
  if (latest.length < 2) {
    host.append(
      el(
        "div",
        { class: "empty" },
        el("p", {}, "A comparison needs two runs. Run a case, change a value, and run it again."),
        el("a", { class: "button main", href: "#/" }, "Go to the cases"),
      ),
    );
    return null;
  }
  host.append(chooser(runs, a, b));
  if (!given.a) {
    host.append(
      el("p", { class: "note" }, "Shows the settings that differ, key figures and curves of both with their differences, and all views side by side."),
    );
    return null;
  }
  const data = await get(`compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`),
    boards = [el("div"), el("div")];
  host.append(heads(data), el("div", { class: "two" }, differences(data)));
  const curves = curvesPart(data, query, ends);
  if (curves) host.append(curves);
  const side = el(
    "details",
    { class: "card" },
    el("summary", {}, "All views side by side"),
    el("div", { class: "two beside" }, boards),
  );
  side.addEventListener("toggle", async () => {
    if (!side.open || side.dataset.filled) return;
    side.dataset.filled = "yes";
    for (const [n, run] of [data.a, data.b].entries()) {
      const end = await viewBoard(boards[n], { run });
      if (end) ends.push(end);
    }
  });
  host.append(side);
  return () => ends.forEach((end) => end());
}
