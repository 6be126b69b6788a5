// Arrays that come packed: {shape, float32}, little-endian numbers in base64. They are read quicker than lists of digits.

/** Lists of numbers, rows first; null where there is none. */
function unpackOne({ shape, float32 }) {
  const text = atob(float32),
    bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n += 1) bytes[n] = text.charCodeAt(n);
  const numbers = Array.from(new Float32Array(bytes.buffer), (v) => (Number.isNaN(v) ? null : v));
  if (shape.length < 2) return numbers;
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, n) => numbers.slice(n * columns, (n + 1) * columns));
}

/** The answer with every packed array as lists. */
export function unpack(value) {
  if (Array.isArray(value)) return value.length && typeof value[0] === "object" ? value.map(unpack) : value;
  if (value === null || typeof value !== "object") return value;
  if (typeof value.float32 === "string") return unpackOne(value);
  for (const [key, one] of Object.entries(value)) value[key] = unpack(one);
  return value;
}
