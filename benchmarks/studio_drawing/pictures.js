// The three pictures that both sides draw, as data: a rolling patch, a long history, a surface.

const GRID = 40,
  STEPS = 10_000,
  SIDE = 64;

/** Tractions of a rolling patch on 40 x 40 elements: an ellipse with stick in front and slip behind. */
export function patch(turn) {
  const x = Array.from({ length: GRID }, (_, n) => (n - 19.5) * 3e-4),
    y = Array.from({ length: GRID }, (_, n) => (n - 19.5) * 3e-4);
  const fill = (value) =>
    y.map((b) =>
      x.map((a) => {
        const inside = 1 - (a / 5e-3) ** 2 - (b / 4e-3) ** 2;
        return inside > 0 ? value(a, b, Math.sqrt(inside)) : null;
      }),
    );
  const slips = (a, b) => a < 1e-3 * Math.sin(turn) - b / 4;
  return {
    x,
    y,
    traction: fill((a, b, p) => 3e8 * p * (slips(a, b) ? 1 : 0.6 + 60 * a)),
    tx: fill((a, b, p) => 3e8 * p * Math.cos(turn)),
    ty: fill((a, b, p) => 3e8 * p * Math.sin(turn)),
    state: fill((a, b) => (slips(a, b) ? 2 : 1)),
  };
}

/** A force with 10,000 samples. */
export function history(turn) {
  const t = Float64Array.from({ length: STEPS }, (_, n) => n * 1e-4);
  return { t: [...t], force: Array.from(t, (v) => 1e4 * Math.sin(40 * v + turn) + 900 * Math.sin(3100 * v)) };
}

/** A surface of 64 x 64 points. */
export function surface(turn) {
  const side = Array.from({ length: SIDE }, (_, n) => (n - 31.5) / 31.5),
    z = side.map((b) => side.map((a) => Math.exp(-2 * (a * a + b * b)) * (1.2 + Math.sin(3 * a + turn))));
  return { x: side, y: side, z };
}
