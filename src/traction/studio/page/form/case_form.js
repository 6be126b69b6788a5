// The form of a case: fields of its kind, errors beside them while one types, the same case as TOML and as Python.

import { getOnce, post } from "../core/api.js";
import { debounce, el, show } from "../core/dom.js";
import { setAt, valueAt } from "./case_values.js";
import { choiceWords, fieldNode, fieldNodes, nameOf } from "./form_fields.js";

const WAIT = 160,
  TEXT_WAIT = 250; // ms after the last key until the case is checked
const SIMPLE_TOP = (field) =>
  !["table", "list"].includes(field.type) || (field.type === "list" && !["table", "either"].includes(field.item.type));

export class CaseForm {
  /** `onChange({ok, toml, errors, python})` after every check, `onEdit()` as soon as something is typed. */
  constructor(host, { onChange, onEdit }) {
    Object.assign(this, {
      host,
      onChange,
      onEdit,
      unchecked: null,
      values: {},
      errors: [],
      notes: [],
      unfolded: new Set(),
      open: new Set(),
    });
    this.top = el("div", { class: "form-errors", "aria-live": "polite" });
    this.body = el("form", { class: "case-form", novalidate: true, onsubmit: (event) => event.preventDefault() });
    host.append(this.top, this.body);
    this.turn = 0;
    this.checkSoon = debounce(() => this.settle(), WAIT);
    this.checkTextSoon = debounce(() => this.settle(), TEXT_WAIT);
  }

  /** Begins with a text. */
  async setText(toml) {
    await this.check({ toml });
    if (!this.built) await this.build();
  }

  /** A text that is being edited: the form follows as soon as it can be read. */
  followText(toml) {
    this.edited({ toml, fromText: true });
    this.checkTextSoon();
  }

  edited(unchecked) {
    this.unchecked = unchecked;
    this.onEdit();
  }

  /** Checks what was typed last, if that is not done yet; resolves when the form knows of it. */
  async settle() {
    const { unchecked } = this;
    this.unchecked = null;
    if (unchecked) this.checking = this.check(unchecked);
    await this.checking;
  }

  change(path, value) {
    if (value === undefined && typeof path[path.length - 1] === "number") setAt(this.values, path, "");
    else setAt(this.values, path, value);
    this.edited({ kind: this.kind, values: this.values });
    this.checkSoon();
  }

  async rebuild(path, value) {
    setAt(this.values, path, value);
    const name = nameOf(path),
      adding = value !== undefined;
    this.unfolded.add(name);
    await this.build();
    this.focusOn(adding ? name : nameOf(path.slice(0, -1)));
    this.edited({ kind: this.kind, values: this.values });
    await this.settle();
  }

  focusOn(name) {
    const node = this.fieldOf(name) || this.body;
    node.querySelector("input, select, textarea, button")?.focus();
  }

  async check({ toml, kind, values, fromText }) {
    const mine = (this.turn += 1),
      answer = await post("check", toml === undefined ? { kind, values } : { toml });
    if (mine !== this.turn) return;
    this.answer = answer;
    this.errors = answer.errors;
    this.notes = answer.notes || [];
    if (toml !== undefined && answer.values) {
      this.values = answer.values;
      if (fromText || !this.built || answer.kind !== this.kind) {
        this.kind = answer.kind;
        await this.build();
      }
    }
    this.showErrors();
    this.onChange({ ...answer, fromText });
  }

  async build() {
    if (!this.kind) return;
    const schema = await getOnce(`kinds/${this.kind}/schema`),
      fields = schema.fields.filter((one) => one.key !== "kind");
    fields.sort((a, b) => (b.key === "title") - (a.key === "title"));
    const plain = fields.filter(SIMPLE_TOP),
      tables = fields.filter((one) => !SIMPLE_TOP(one));
    const given = tables.filter((one) => one.required || valueAt(this.values, [one.key]) !== undefined),
      absent = tables.filter((one) => !given.includes(one));
    show(
      this.body,
      el(
        "fieldset",
        { class: "field table card", data: { path: "" } },
        el("legend", {}, "Case"),
        fieldNodes(this, plain, []),
        choiceWords(schema),
      ),
      given.map((one) => {
        const node = fieldNode(this, one, [one.key]);
        node.classList.add("card");
        return node;
      }),
      absent.length
        ? el(
            "div",
            { class: "card", data: { tour: "absent" } },
            el("h2", {}, "Optional parts"),
            el(
              "div",
              { class: "adds" },
              absent.map((one) => fieldNode(this, one, [one.key])),
            ),
          )
        : null,
    );
    this.built = true;
    this.showErrors();
  }

  fieldOf(name) {
    return [...this.body.querySelectorAll("[data-path]")].find((one) => one.dataset.path === name);
  }

  /** The field of an error, or of the table around it; folded settings are opened for it. */
  placeOf(path) {
    for (let n = path.length; n > 0; n -= 1) {
      const found = this.fieldOf(nameOf(path.slice(0, n)));
      if (found) return found;
      const folded = [...this.body.querySelectorAll("details.advanced")].find(
        (one) => one.dataset.advanced === nameOf(path.slice(0, n - 1)),
      );
      if (folded) {
        folded.fill();
        folded.open = true;
        const inner = this.fieldOf(nameOf(path.slice(0, n)));
        if (inner) return inner;
      }
    }
    return null;
  }

  showErrors() {
    this.body.querySelectorAll(".field.wrong").forEach((one) => {
      one.classList.remove("wrong");
      one.querySelector(":scope > .error").textContent = "";
      one.querySelector(":scope > .control > [aria-invalid]")?.removeAttribute("aria-invalid");
    });
    const whole = [];
    for (const one of this.errors) {
      const place = this.placeOf(one.path || []);
      if (!place) {
        whole.push(one);
        continue;
      }
      place.classList.add("wrong");
      const text = place.querySelector(":scope > .error");
      text.textContent = [text.textContent, one.message].filter(Boolean).join(" ");
      place
        .querySelector(":scope > .control > input, :scope > .control > select, :scope > .control > textarea")
        ?.setAttribute("aria-invalid", "true");
    }
    show(
      this.top,
      whole.map((one) => el("p", { class: "bad-words" }, one.line ? `Line ${one.line}: ` : "", one.message)),
    );
    this.showMeanings();
  }

  /** Numbers without a unit are SI: said beside the field. */
  showMeanings() {
    this.body.querySelectorAll(".meant").forEach((one) => {
      one.textContent = "";
    });
    for (const note of this.notes) {
      const [name, meant] = note.split(" = "),
        place = meant && this.fieldOf(name),
        room = place && place.querySelector(":scope > .help > .meant");
      if (room) room.textContent = ` Taken as ${meant}.`;
    }
  }
}
