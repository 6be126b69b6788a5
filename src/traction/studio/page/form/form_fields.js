// One field of a form, made from its description: label, unit, help, room for an error.

import { el, newId } from "../core/dom.js";
import { prettyUnit } from "../core/numbers.js";
import { firstValue, listText, optionOf, rangeWords, stepped, typed, typedList, valueAt } from "./case_values.js";

const SIMPLE = ["quantity", "number", "integer", "text", "choice", "boolean"];
const NAMES = {
  "youngs modulus": "Young's modulus",
  "poisson ratio": "Poisson's ratio",
  nx: "Elements along x",
  ny: "Elements along y",
  dt: "Time step",
  "t end": "End time",
  rtol: "Relative tolerance",
};
const sentence = (words) => NAMES[words] || words.charAt(0).toUpperCase() + words.slice(1);
export const nameOf = (path) => path.map((key, n) => (typeof key === "number" ? `[${key}]` : `${n ? "." : ""}${key}`)).join("");

/**
 * Makes nodes of fields. `form` = {values, change(path, value), rebuild(path, value)}: the first for what is typed, the second
 * where the form itself changes.
 */
export function fieldNode(form, field, path) {
  const value = valueAt(form.values, path),
    makers = { table: tableNode, list: listNode, either: eitherNode, pair: pairNode, free: freeNode };
  if (field.type === "table" || field.type === "list" || field.type === "either") {
    if (value === undefined && !field.required) return absentNode(form, field, path);
  }
  return (makers[field.type] || simpleNode)(form, field, path);
}

function labelled(field, path, control, { unit = "", more = [] } = {}) {
  const id = newId("field"),
    help = `${id}-help`,
    error = `${id}-error`;
  control.id = id;
  control.setAttribute("aria-describedby", `${help} ${error}`);
  const range = rangeWords(field),
    words = [field.help, range].filter(Boolean).join("; ");
  const left =
    field.default !== null && field.default !== undefined && typeof field.default !== "object"
      ? ` Default: ${field.default}.`
      : "";
  return el(
    "div",
    { class: `field ${field.type}`, data: { path: nameOf(path) } },
    el("label", { for: id }, sentence(field.label || field.key || ""), unit ? el("span", { class: "unit" }, unit) : null),
    el("div", { class: "control" }, control, more),
    el("p", { class: "help", id: help }, words ? `${sentence(words)}.` : "", left, el("span", { class: "meant" })),
    el("p", { class: "error", id: error }),
  );
}

function simpleNode(form, field, path) {
  const value = valueAt(form.values, path);
  if (field.type === "boolean") {
    const box = el("input", {
      type: "checkbox",
      checked: (value === undefined ? field.default : value) === true,
      onchange: () => form.change(path, box.checked),
    });
    return labelled(field, path, box);
  }
  if (field.type === "choice") {
    const none = field.required
      ? []
      : [
          el(
            "option",
            { value: "" },
            field.default !== null && field.default !== undefined ? `${field.default} (default)` : "not given",
          ),
        ];
    const pick = el(
      "select",
      {
        onchange: () =>
          form.change(path, pick.value === "" ? undefined : field.options.find((one) => String(one) === pick.value)),
      },
      none,
      field.options.map((one) => el("option", { value: String(one), selected: one === value }, String(one))),
    );
    if (value === undefined && !field.required) pick.value = "";
    return labelled(field, path, pick);
  }
  return labelled(field, path, textInput(form, field, path, value), { unit: unitWords(field) });
}

const unitWords = (field) =>
  field.type === "quantity" && field.unit && field.unit !== "1"
    ? (field.units || [field.unit])
        .slice(0, 3)
        .map((one) => prettyUnit(one).replace(/^um/, "µm").replace(/^us/, "µs"))
        .join(", ")
    : "";

function textInput(form, field, path, value) {
  const hint =
    field.default !== null && field.default !== undefined
      ? String(field.default)
      : field.example
        ? `such as ${field.example}`
        : "";
  const input = el("input", {
    type: "text",
    value: value === undefined ? "" : String(value),
    placeholder: hint,
    autocomplete: "off",
    spellcheck: "false",
    inputmode: field.type === "integer" ? "numeric" : null,
    maxlength: field.longest || null,
    oninput: () => form.change(path, typed(input.value, field.type)),
    onkeydown: (event) => {
      if (field.type === "text" || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
      const next = stepped(input.value, event.key === "ArrowUp" ? 1 : -1);
      if (next === null) return;
      event.preventDefault();
      input.value = next;
      form.change(path, typed(next, field.type));
    },
  });
  return input;
}

function removeButton(form, path, words) {
  return el(
    "button",
    { type: "button", class: "quiet remove", "aria-label": `Remove ${words}`, onclick: () => form.rebuild(path, undefined) },
    "Remove",
  );
}

function absentNode(form, field, path) {
  const words = field.label || field.key;
  return el(
    "div",
    { class: "field absent", data: { path: nameOf(path) } },
    el("button", { type: "button", onclick: () => form.rebuild(path, firstValue({ ...field, default: null })) }, `Add ${words}`),
    el("p", { class: "help" }, field.help || (field.title ? "" : "")),
    el("p", { class: "error" }),
  );
}

/** Fields of a table: those that matter, then the others folded. */
export function fieldNodes(form, fields, path) {
  const known = (one) => valueAt(form.values, [...path, one.key]) !== undefined,
    folded = (one) => !one.required && !known(one) && !form.unfolded.has(nameOf([...path, one.key]));
  const large = (one) => valueAt(form.values, [...path, one.key]) instanceof Object && one.type !== "pair",
    shown = fields.filter((one) => !folded(one)),
    plain = [...shown.filter((one) => !large(one)), ...shown.filter(large)], // single values before tables
    more = fields.filter(folded);
  plain.forEach((one) => form.unfolded.add(nameOf([...path, one.key])));
  return [
    el(
      "div",
      { class: "fields" },
      plain.map((one) => fieldNode(form, one, [...path, one.key])),
    ),
    more.length ? foldedNode(form, more, path) : null,
  ];
}

/** The fields are made when they are first looked at: forms of large kinds open at once. */
function foldedNode(form, fields, path) {
  const inner = el("div", { class: "fields" }),
    name = nameOf(path);
  const node = el(
    "details",
    { class: "advanced", data: { advanced: name } },
    el("summary", {}, `More settings (${fields.length})`),
    inner,
  );
  node.fill = () => {
    if (!inner.childElementCount) inner.append(...fields.map((one) => fieldNode(form, one, [...path, one.key])));
    return inner;
  };
  node.addEventListener("toggle", () => {
    if (node.open) {
      node.fill();
      form.open.add(name);
      form.showErrors();
    } else form.open.delete(name);
  });
  if (form.open.has(name)) {
    node.fill();
    node.open = true;
  }
  return node;
}

function tableNode(form, field, path, inner = null) {
  const words = field.label || field.key || field.title,
    fields = field.fields.filter((one) => !field.tag || one.key !== field.tag.key);
  const removable = !field.required && typeof path[path.length - 1] !== "number";
  return el(
    "fieldset",
    { class: "field table", data: { path: nameOf(path) }, "aria-label": field.bare ? field.title || "entry" : null },
    field.bare ? null : el("legend", {}, sentence(words)),
    removable ? removeButton(form, path, words) : null,
    field.help ? el("p", { class: "help" }, field.help) : null,
    el("p", { class: "error" }),
    inner,
    fieldNodes(form, fields, path),
    choiceWords(field),
  );
}

export function choiceWords(field) {
  const told = [
    ...(field.exactly_one || []).map((one) => one.words || `exactly one of ${one.keys.join(", ")}`),
    ...(field.not_both || []).map((one) => one.words || `not both ${one.keys.join(" and ")}`),
  ];
  return told.length ? el("p", { class: "help" }, told.map((one) => `${sentence(one)}.`).join(" ")) : null;
}

/** Values with commas between. */
function plainListNode(form, field, path, value) {
  const text = listText(value),
    many = text.length > 60,
    input = el(many ? "textarea" : "input", {
      ...(many ? { rows: String(Math.min(6, 2 + Math.floor(text.length / 120))) } : { type: "text" }),
      value: text,
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => {
        const list = typedList(input.value, field.item.type);
        form.change(path, list.length || field.required ? list : undefined);
      },
    });
  const help = [field.help, "several values, separated by commas"].filter(Boolean).join("; ");
  return labelled({ ...field.item, ...field, type: "list", help }, path, input, { unit: unitWords(field.item) });
}

/** One entry of a list of tables, with its number. */
function entryNode(form, field, path, n, removable) {
  const words = field.label || field.key,
    item = { ...field.item, label: field.item.type === "either" ? "" : field.item.label, bare: true, required: true };
  return el(
    "div",
    { class: "entry" },
    el(
      "div",
      { class: "entry-head" },
      el("strong", {}, `${sentence(words)} ${n + 1}`),
      removable ? removeButton(form, [...path, n], `${words} ${n + 1}`) : null,
    ),
    fieldNode(form, item, [...path, n]),
  );
}

function listNode(form, field, path) {
  const value = valueAt(form.values, path) || [],
    words = field.label || field.key;
  const plain =
    SIMPLE.includes(field.item.type) || (field.item.type === "either" && value.every((one) => typeof one !== "object"));
  if (plain) return plainListNode(form, field, path, value);
  const another = () => (value.length ? structuredClone(value[value.length - 1]) : firstValue(field.item));
  const add = el("button", { type: "button", onclick: () => form.rebuild([...path, value.length], another()) }, `Add ${words}`);
  return el(
    "fieldset",
    { class: "field list", data: { path: nameOf(path) } },
    el("legend", {}, sentence(words)),
    field.required ? null : removeButton(form, path, words),
    field.help ? el("p", { class: "help" }, field.help) : null,
    el("p", { class: "error" }),
    value.map((_, n) => entryNode(form, field, path, n, value.length > (field.fewest || 0))),
    el("div", { class: "buttons" }, value.length < (field.most || 1000) ? add : null),
  );
}

/** What the list of an `either` offers: its options, those of a choice one by one. */
const offered = (field) =>
  field.options.flatMap((one, n) =>
    one.type === "choice"
      ? one.options.map((value) => ({ n, value, words: String(value) }))
      : [{ n, words: one.label || (one.tag && one.tag.value) || one.title || one.type }],
  );

function eitherNode(form, field, path) {
  const value = valueAt(form.values, path),
    now = value === undefined ? 0 : optionOf(field, value),
    words = field.label || field.key || "value",
    list = offered(field);
  const take = () => {
    const one = list[Number(pick.value)];
    form.rebuild(path, one.value === undefined ? firstValue({ ...field.options[one.n], default: null }) : one.value);
  };
  const pick = el(
    "select",
    { "aria-label": `how ${words} is given`, onchange: take },
    list.map((one, k) =>
      el("option", { value: String(k), selected: one.n === now && (one.value === undefined || one.value === value) }, one.words),
    ),
  );
  const chosen = {
      ...field.options[now],
      bare: field.bare,
      key: field.key,
      label: field.label,
      required: field.required,
      help: field.options[now].help || field.help,
    },
    remove = field.required ? null : removeButton(form, path, words);
  if (chosen.type === "choice") {
    pick.removeAttribute("aria-label");
    return labelled({ ...field, type: "choice", help: chosen.help }, path, pick, { more: [remove] });
  }
  if (chosen.type === "table")
    return tableNode(
      form,
      { ...chosen, label: words === "value" ? chosen.tag?.value || "" : words },
      path,
      el("div", { class: "kind-choice" }, pick),
    );
  const node = fieldNode(form, { ...chosen, required: true }, path);
  node.querySelector(":scope > label, :scope > legend")?.after(el("div", { class: "kind-choice" }, pick, remove));
  return node;
}

/** Two values side by side, such as a time and a torque. */
function pairNode(form, field, path) {
  return el(
    "div",
    { class: "field pair", data: { path: nameOf(path) } },
    field.items.map((one, n) => fieldNode(form, { ...one, required: true }, [...path, n])),
    el("p", { class: "error" }),
  );
}

function freeNode(form, field, path) {
  const value = valueAt(form.values, path) || {},
    input = el("textarea", {
      rows: "3",
      spellcheck: "false",
      value: Object.entries(value)
        .map(([key, one]) => `${key} = ${one}`)
        .join("\n"),
      oninput: () => {
        const pairs = input.value
          .split("\n")
          .map((row) => row.split("=").map((one) => one.trim()))
          .filter(([key, one]) => key && one);
        form.change(
          path,
          pairs.length
            ? Object.fromEntries(
                pairs.map(([key, one]) => [key, one === "true" ? true : one === "false" ? false : typed(one, "number")]),
              )
            : undefined,
        );
      },
    });
  return labelled({ ...field, help: [field.help, "one name = value per line"].filter(Boolean).join("; ") }, path, input);
}
