// Numbers for people: four significant digits, SI prefixes, a true minus sign.

const MINUS = "\u2212";
const PREFIXES = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];
const PREFIXED = /^((m|N|Pa|J|s|W|Hz|g)(?=$|[ /])|rad$)/;
const NEVER_LARGE = /^(m|s|rad)(?=$|[ /])/;

/** 1234.5 as "1234" or, beyond what is easily read, "1.234e6". */
export function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  if (size < 1e-300) return "0";
  const text =
    size >= 1e5 || size < 1e-3
      ? value
          .toExponential(digits - 1)
          .replace(/\.?0+e/, "e")
          .replace("e+", "e")
      : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", MINUS);
}

/** "m/s2" as "m/s²", "1" as nothing. */
export const prettyUnit = (unit) =>
  !unit || unit === "1"
    ? ""
    : unit
        .replace(/\^?-1\/2/, "⁻½")
        .replace(/\^0\.5/, "½")
        .replace(/\^?(-?)([23])(?![0-9])/g, (_, sign, n) => (sign ? "⁻" : "") + { 2: "²", 3: "³" }[n]);

/** Factor and unit in which numbers up to `size` are best read: 4.5e-3, "m" gives [1000, "mm"]. */
export function scaleOf(unit, size) {
  if (unit === "m2" || unit === "m^2") {
    if (size && size < 1e-2) return [1e6, "mm²"];
    return [1, "m²"];
  }
  if (!unit || !PREFIXED.test(unit) || !(size > 0) || !Number.isFinite(size)) return [1, prettyUnit(unit)];
  let [step, name] = PREFIXES.find(([power]) => size >= power * 0.9999) || PREFIXES[PREFIXES.length - 1];
  if (step > 1 && NEVER_LARGE.test(unit)) [step, name] = [1, ""];
  return [1 / step, prettyUnit(name + unit)];
}

/** A quantity in words: 1.359e9, "Pa" gives "1.359 GPa". */
export function quantity(value, unit, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (unit === "%") return `${short(value, digits)} %`;
  const [factor, name] = scaleOf(unit, Math.abs(value));
  return `${short(value * factor, digits)} ${name}`.trim();
}

/** 75 s as "1 min 15 s". */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "";
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}

/** Bytes as people count them. */
export function fileSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${short(bytes / 1e3, 3)} kB` : `${short(bytes / 1e6, 3)} MB`;
}

/** "2026-01-31T12:00:00+00:00" as "today 12:00" or "31 Jan 12:00". */
export function when(iso) {
  if (!iso) return "";
  const then = new Date(iso),
    now = new Date(),
    clock = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (Number.isNaN(then.getTime())) return "";
  if (then.toDateString() === now.toDateString()) return `today ${clock}`;
  return `${then.toLocaleDateString([], { day: "numeric", month: "short" })} ${clock}`;
}

/** Round places for marks on an axis, with their texts. */
export function ticks(low, high, count) {
  const span = Math.abs(high - low);
  if (!(span > 0) || !Number.isFinite(span)) return [[low, short(low)]];
  const rough = span / Math.max(count, 1),
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const found = [],
    from = Math.min(low, high),
    to = Math.max(low, high);
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k += 1) found.push(k * step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (/^2\.5/.test((step / power).toFixed(1)) ? 1 : 0));
  return found.map((v) => [v, Math.abs(v) >= 1e5 || digits > 6 ? short(v) : v.toFixed(digits).replace("-", MINUS)]);
}

/** Smallest and largest finite number of lists, or null. */
export function extent(...lists) {
  let low = Infinity,
    high = -Infinity;
  for (const list of lists)
    for (const v of list)
      if (v !== null && Number.isFinite(v)) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
  return low <= high ? [low, high] : null;
}
