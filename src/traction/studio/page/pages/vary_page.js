// A sweep to start: keys of a case and the values that they take, checked while one types.

import { getOnce, post } from "../core/api.js";
import { announce, debounce, el, newId, pageTitle, show } from "../core/dom.js";
import { go } from "../core/router.js";
import { keptText } from "./kept_text.js";

const WAIT = 220; // ms after the last key until the sweep is checked
const DRAWN = /^\s*(uniform|normal|lognormal|integers|choice)\s*\(/;
const draftKey = (key) => `traction-vary-${key}`;

/** Values around that of the case: "20 m" suggests "10:30:5 m". */
export function suggest({ value, unit }) {
  const found = /^\s*([-+]?[0-9.]+(?:e[-+]?\d+)?)\s*(.*)$/i.exec(String(value));
  if (!found || !Number(found[1])) return typeof value === "string" ? value : `0:1:5${unit && unit !== "1" ? ` ${unit}` : ""}`;
  const middle = Number(found[1]),
    text = (v) => String(Number(v.toPrecision(3))),
    whole = Number.isInteger(value) && value < 20;
  if (whole) return `${Math.max(1, value - 2)}:${Math.max(1, value - 2) + 4}:5`;
  return `${text(0.5 * middle)}:${text(1.5 * middle)}:5 ${found[2]}`.trim();
}

class VaryRow {
  constructor(page, { key, values }) {
    this.page = page;
    const id = newId("vary");
    this.pick = el("select", { "aria-label": "Key to vary", onchange: () => this.choose() });
    this.input = el("input", {
      id,
      type: "text",
      value: values,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": "Values",
      "aria-describedby": `${id}-error`,
      oninput: () => page.edited(),
    });
    this.error = el("p", { class: "error", id: `${id}-error` });
    const away = el("button", { type: "button", class: "quiet remove", onclick: () => page.remove(this) }, "Remove");
    this.node = el(
      "div",
      { class: "field vary-row" },
      el("div", { class: "control" }, this.pick, this.input, away),
      this.error,
    );
    this.key = key;
  }

  offer(keys) {
    show(
      this.pick,
      keys.map((one) => el("option", { value: one.key, selected: one.key === this.key }, `${one.key} (now ${one.value})`)),
    );
    this.key = this.pick.value;
  }

  choose() {
    this.key = this.pick.value;
    this.input.value = suggest(this.page.keys.find((one) => one.key === this.key));
    this.page.edited();
  }

  say(words) {
    this.error.textContent = words;
    this.node.classList.toggle("wrong", Boolean(words));
    if (words) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/** A setting of the sweep with its label. */
const setting = (label, control, help) =>
  el("label", { class: "field" }, el("span", { class: "label" }, label), control, help ? el("p", { class: "help" }, help) : null);

class VaryPage {
  constructor(host, key, toml, cores) {
    Object.assign(this, { draft: draftKey(key), toml, rows: [], keys: [] });
    this.list = el("div", { class: "vary-rows" });
    this.errors = el("div", { class: "form-errors", "aria-live": "polite" });
    this.verdict = el("p", { class: "verdict", role: "status" });
    this.start = el("button", { type: "button", class: "main", disabled: true, onclick: () => this.begin() }, "Start sweep");
    this.python = el("pre", { tabindex: "0", "aria-label": "The sweep as Python" });
    const edited = () => this.edited(),
      choice = (options) => el("select", { onchange: edited }, options.map(([value, words]) => el("option", { value }, words)));
    this.zipped = choice([
      ["", "all combinations"],
      ["yes", "side by side, first with first"],
    ]);
    this.samples = el("input", { type: "number", min: 1, max: 2000, value: 50, oninput: edited });
    this.sampling = choice([
      ["latin-hypercube", "Latin hypercube"],
      ["random", "random"],
    ]);
    this.seed = el("input", { type: "number", min: 0, value: 0, oninput: edited });
    this.keep = choice([
      ["runs", "a run for each variant"],
      ["figures", "key figures only, faster"],
    ]);
    this.workers = el("input", { type: "number", min: 1, max: cores, value: cores, oninput: edited });
    this.drawn = el(
      "div",
      { class: "fields", hidden: true },
      setting("Samples", this.samples),
      setting("Sampling", this.sampling),
      setting("Seed", this.seed),
    );
    show(
      host,
      el("p", { class: "note" }, "Sweep of a case"),
      (this.title = pageTitle("Vary values")),
      el("div", { class: "editor" }, this.formPart(), this.besidePart()),
    );
    this.checkSoon = debounce(() => this.check(), WAIT);
  }

  formPart() {
    const add = el("button", { type: "button", onclick: () => this.add() }, "Vary another key");
    this.addButton = add;
    return el(
      "div",
      {},
      this.errors,
      el(
        "section",
        { class: "card", "aria-label": "What is varied" },
        el("h2", {}, "Keys and their values"),
        this.list,
        add,
        el(
          "p",
          { class: "note" },
          "Values: ",
          el("code", {}, "20, 30, 40 m/s"),
          ", a range ",
          el("code", {}, "20:60:9 m/s"),
          " (nine values from 20 to 60), or a distribution ",
          el("code", {}, "uniform(20, 60 m/s)"),
          ", ",
          el("code", {}, "normal(30, 2 m/s)"),
          ".",
        ),
      ),
      el(
        "section",
        { class: "card", "aria-label": "Settings of the sweep" },
        el("h2", {}, "Settings"),
        this.drawn,
        el(
          "div",
          { class: "fields" },
          setting("Lists are combined", this.zipped),
          setting("Kept of each variant", this.keep),
          setting("Processes", this.workers),
        ),
      ),
    );
  }

  besidePart() {
    return el(
      "div",
      { class: "beside" },
      el("div", { class: "go card" }, el("div", { class: "go-bar" }, this.start, this.verdict)),
      el("div", { class: "texts card" }, el("h2", {}, "The same in Python"), this.python),
    );
  }

  async open() {
    const { keys, kind, title, errors } = await post("check-sweep", { toml: this.toml, vary: {} });
    this.keys = keys;
    if (title) this.title.textContent = `Vary: ${title}`;
    if (!keys.length) {
      this.tell({ ok: false, errors });
      this.addButton.disabled = true;
      return;
    }
    this.kind = kind;
    const draft = JSON.parse(sessionStorage.getItem(this.draft) || "null"),
      known = (draft ? draft.rows : []).filter((row) => keys.some((one) => one.key === row.key));
    if (draft) for (const name of SETTINGS) if (draft[name] !== undefined) this[name].value = draft[name];
    if (known.length) known.forEach((row) => this.put(row));
    else this.put(this.first());
    this.edited();
  }

  /** A key that has not been chosen yet, a quantity if there is one. */
  first() {
    const free = this.keys.filter((one) => !this.rows.some((row) => row.key === one.key)),
      number = (one) => typeof one.value === "number" || /^[-+\d.]/.test(String(one.value)),
      found = free.find((one) => number(one) && one.unit !== "1") || free.find(number) || free[0] || this.keys[0];
    return { key: found.key, values: suggest(found) };
  }

  put(given) {
    const row = new VaryRow(this, given);
    row.offer(this.keys);
    this.rows.push(row);
    this.list.append(row.node);
    return row;
  }

  add() {
    this.put(this.first()).pick.focus();
    this.edited();
  }

  remove(row) {
    this.rows = this.rows.filter((one) => one !== row);
    row.node.remove();
    this.addButton.focus();
    this.edited();
  }

  given() {
    const drawn = this.rows.some((row) => DRAWN.test(row.input.value)),
      sampled = drawn
        ? { samples: Math.round(Number(this.samples.value)) || null, sampling: this.sampling.value, seed: Math.round(Number(this.seed.value)) || 0 }
        : {};
    this.drawn.hidden = !drawn;
    return {
      toml: this.toml,
      vary: Object.fromEntries(this.rows.map((row) => [row.key, row.input.value])),
      zipped: Boolean(this.zipped.value),
      keep: this.keep.value,
      ...sampled,
    };
  }

  edited() {
    const rows = this.rows.map((row) => ({ key: row.key, values: row.input.value }));
    sessionStorage.setItem(
      this.draft,
      JSON.stringify({ rows, ...Object.fromEntries(SETTINGS.map((name) => [name, this[name].value])) }),
    );
    this.verdict.className = "verdict";
    this.verdict.textContent = "Checking …";
    this.start.disabled = true;
    this.checkSoon();
  }

  async check() {
    const mine = (this.turn = (this.turn || 0) + 1);
    try {
      const twice = this.rows.find((row, n) => this.rows.some((one, k) => k < n && one.key === row.key)),
        answer = await post("check-sweep", this.given());
      if (mine !== this.turn) return;
      if (twice) answer.errors = [{ key: twice.key, message: "This key is varied twice; give all its values at once." }];
      this.tell({ ...answer, ok: answer.ok && !twice });
    } catch (reason) {
      if (mine === this.turn) this.tell({ ok: false, errors: [{ key: "", message: reason.message }] });
    }
  }

  tell({ ok, variants, errors, python }) {
    this.rows.forEach((row) => row.say(""));
    const whole = [];
    for (const one of errors) {
      const row = this.rows.findLast((each) => each.key === one.key);
      if (row) row.say(one.message);
      else whole.push(one.message);
    }
    show(
      this.errors,
      whole.map((words) => el("p", { class: "bad-words" }, words)),
    );
    this.python.textContent = python || "The Python code appears when the sweep is valid.";
    this.start.disabled = !ok;
    this.verdict.className = `verdict ${ok ? "good-words" : "bad-words"}`;
    if (ok) this.verdict.textContent = `${variants} variant${variants === 1 ? "" : "s"}: ready to start.`;
    else this.verdict.textContent = this.rows.length ? "Some values need attention." : "Choose a key to vary.";
  }

  async begin() {
    this.start.disabled = true;
    try {
      const workers = Math.max(1, Math.round(Number(this.workers.value)) || 1),
        { id } = await post("sweeps", { ...this.given(), workers });
      go(`sweep/${id}`);
    } catch (reason) {
      announce(reason.message, "bad");
      this.start.disabled = false;
    }
  }
}

const SETTINGS = ["zipped", "samples", "sampling", "seed", "keep", "workers"];

export async function varyPage(host, { key }) {
  const { limits } = await getOnce("info"),
    page = new VaryPage(host, key, keptText(key), limits.cores);
  await page.open();
  return null;
}
