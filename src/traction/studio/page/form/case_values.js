// A case as JSON while it is edited: reading and setting by path, and what people type.

const NUMBER = /^[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/;

export const valueAt = (values, path) =>
  path.reduce((inner, key) => (inner === null || inner === undefined ? undefined : inner[key]), values);

/** Sets what is at `path`; undefined removes the key. Tables on the way are made. */
export function setAt(values, path, value) {
  let inner = values;
  path.slice(0, -1).forEach((key, n) => {
    if (inner[key] === null || typeof inner[key] !== "object") inner[key] = typeof path[n + 1] === "number" ? [] : {};
    inner = inner[key];
  });
  const last = path[path.length - 1];
  if (value !== undefined) inner[last] = value;
  else if (Array.isArray(inner)) inner.splice(last, 1);
  else delete inner[last];
}

/** What was typed: a number where it is one, words otherwise, undefined where nothing is. */
export function typed(text, type) {
  const plain = text.trim();
  if (plain === "") return undefined;
  if (type === "text") return text;
  return NUMBER.test(plain) ? Number(plain.replaceAll("_", "")) : plain;
}

/** A list as it is typed: values with commas between. */
export function typedList(text, type) {
  const parts = text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean);
  return parts.map((one) => typed(one.replace(/^"(.*)"$/, "$1"), type));
}

export const listText = (list) => list.map((one) => (typeof one === "string" ? one : String(one))).join(", ");

/** The text with its number one step further in the last digit written: "20 m" gives "21 m". */
export function stepped(text, way) {
  const found = /^(\s*)([+-]?\d*\.?\d+)((?:[eE][+-]?\d+)?)(.*)$/.exec(text);
  if (!found) return null;
  const [, before, digits, power, after] = found,
    places = (digits.split(".")[1] || "").length;
  return `${before}${(Number(digits) + way * 10 ** -places).toFixed(places)}${power}${after}`;
}

/** A first value of a field that is just added. */
export function firstValue(field) {
  if (field.default !== null && field.default !== undefined) return structuredClone(field.default);
  switch (field.type) {
    case "table": {
      const made = field.tag ? { [field.tag.key]: field.tag.value } : {};
      for (const one of field.fields)
        if (one.required && !(one.key in made)) {
          const value = firstValue(one);
          if (value !== undefined) made[one.key] = value;
        }
      return made;
    }
    case "list":
      return Array.from({ length: Math.max(1, field.fewest || 0) }, () => firstValue(field.item)).filter(
        (one) => one !== undefined,
      );
    case "pair":
      return field.items.map(firstValue);
    case "either":
      return firstValue(field.options[0]);
    case "choice":
      return field.options[0];
    case "boolean":
      return false;
    case "quantity":
      return field.example || field.minimum || 0;
    case "number":
    case "integer":
      return field.minimum && field.minimum > 0 ? field.minimum : 1;
    case "free":
      return {};
    default:
      return "";
  }
}

/** Number of the option of an `either` that `value` is written as. */
export function optionOf(field, value) {
  const fits = (one) => {
    if (one.type === "table") return isTable(value) && (!one.tag || value[one.tag.key] === one.tag.value);
    if (one.type === "list") return Array.isArray(value) && (!value.length || fitsItem(one.item, value[0]));
    if (one.type === "pair") return Array.isArray(value) && value.length === 2;
    if (one.type === "free") return isTable(value);
    if (one.type === "choice") return one.options.includes(value);
    if (one.type === "boolean") return typeof value === "boolean";
    if (one.type === "quantity") return typeof value === "number" || (typeof value === "string" && /^\s*[+-]?[\d.]/.test(value));
    if (one.type === "number" || one.type === "integer") return typeof value === "number";
    return typeof value === "string";
  };
  const exact = field.options.findIndex(fits);
  if (exact >= 0) return exact;
  const loose = field.options.findIndex((one) =>
    isTable(value) ? one.type === "table" : Array.isArray(value) ? one.type === "list" : !["table", "list"].includes(one.type),
  );
  return Math.max(0, loose);
}

const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const fitsItem = (item, value) =>
  ["list", "pair"].includes(item.type) === Array.isArray(value) && (item.type !== "table" || isTable(value));

/** "1 to 8192", "positive", "not negative", as far as limits say something. */
export function rangeWords(field) {
  const given = (v) => v !== null && v !== undefined,
    plain = (v) => String(Number(v.toPrecision(6))).replace("-", "\u2212");
  const low = given(field.minimum) && field.minimum > -1e5 ? field.minimum : null,
    high = given(field.maximum) && field.maximum < (field.type === "integer" ? 1e8 : 1e5) ? field.maximum : null;
  const unit = field.unit && field.unit !== "1" ? ` ${field.unit}` : "",
    positive = low !== null && (low === 0 ? field.exclusive_minimum : low > 0 && low <= 1e-6);
  if (positive)
    return high === null ? "positive" : `positive, ${field.exclusive_maximum ? "below" : "at most"} ${plain(high)}${unit}`;
  if (low === 0 && high === null) return "not negative";
  if (low !== null && high !== null) return `${plain(low)} to ${plain(high)}${unit}`;
  if (low !== null) return `at least ${plain(low)}${unit}`;
  return high === null ? "" : `at most ${plain(high)}${unit}`;
}
