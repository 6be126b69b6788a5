// Small pictures of the cases, drawn in the colours of the theme: what touches what, what moves, and the curve that comes of it.

import { svg } from "../core/dom.js";

const W = 240,
  H = 116;
const ink = "var(--ink)",
  soft = "var(--soft)",
  edge = "var(--edge)",
  blue = "var(--c1)",
  orange = "var(--c2)",
  green = "var(--c3)",
  body = "var(--box)";

const line = (d, colour = ink, wide = 2, more = {}) =>
  svg("path", {
    d,
    fill: "none",
    stroke: colour,
    "stroke-width": wide,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    ...more,
  });
const area = (d, fill, more = {}) => svg("path", { d, fill, ...more });
const circle = (cx, cy, r, more = {}) => svg("circle", { cx, cy, r, fill: body, stroke: ink, "stroke-width": 2, ...more });
const arrow = (x, y, dx, dy, colour = orange) => {
  const long = Math.hypot(dx, dy),
    [a, b] = [(7 * dx) / long, (7 * dy) / long],
    [u, v] = [x + dx, y + dy];
  return line(
    `M${x} ${y}L${u} ${v}M${u - a - 0.6 * b} ${v - b + 0.6 * a}L${u} ${v}L${u - a + 0.6 * b} ${v - b - 0.6 * a}`,
    colour,
    2.4,
  );
};
const points = (f, from, to, n = 80) =>
  [...Array(n + 1).keys()]
    .map((k) => {
      const x = from + ((to - from) * k) / n;
      return `${k ? "L" : "M"}${x.toFixed(1)} ${f(x).toFixed(1)}`;
    })
    .join("");
const ground = (y) => [area(`M10 ${y}H230V${y + 14}H10Z`, body), line(`M10 ${y}H230`, ink, 2)];
const spring = (x, y, high) =>
  line(`M${x} ${y}l5 ${high / 8}l-10 ${high / 4}l10 ${high / 4}l-10 ${high / 4}l5 ${high / 8}`, soft, 1.6);
const support = (x, y) => area(`M${x} ${y}l-8 13h16Z`, edge);
const wheel = (x, y, r = 13) => [circle(x, y, r), circle(x, y, 2.2, { fill: ink })];

function press({ roller, profile } = {}) {
  const dent = (x) => 84 + (Math.abs(x - 120) < 34 ? 5 * Math.sqrt(1 - ((x - 120) / 34) ** 2) : 0);
  const cut = points((x) => 84 - 34 * Math.sqrt(Math.max(0, 1 - ((x - 120) / 34) ** 2)), 86, 154);
  const top = profile ? line("M62 34C92 40 96 82 122 83S170 70 184 30") : circle(120, 46, 40);
  return [
    area(`${points(dent, 10, 230)}V108H10Z`, body),
    line(points(dent, 10, 230)),
    top,
    roller ? circle(120, 46, 24, { fill: "none", stroke: edge, "stroke-width": 1.4 }) : null,
    area(`${cut}Z`, blue, { opacity: 0.35 }),
    line(cut, blue, 2),
    arrow(120, 12, 0, 28),
  ];
}

function shift() {
  return [
    ...ground(88),
    circle(104, 48, 40),
    arrow(150, 48, 34, 0),
    arrow(58, 48, -26, 0, soft),
    area("M80 88a24 9 0 0 0 48 0Z", blue, { opacity: 0.4 }),
    line("M164 84C180 60 214 66 220 32C204 44 180 40 164 84Z", green, 2),
  ];
}

function rolling({ line: plane, transient } = {}) {
  const bound = points((x) => 92 - 44 * Math.sqrt(Math.max(0, 1 - ((x - 168) / 52) ** 2)), 116, 220);
  const traction = transient
    ? points(
        (x) => 92 - 34 * Math.max(0, Math.min(1, (222 - x) / 40)) * Math.sqrt(Math.max(0, 1 - ((x - 168) / 52) ** 2)),
        116,
        220,
      )
    : points(
        (x) =>
          92 -
          (x < 150
            ? 44 * Math.sqrt(Math.max(0, 1 - ((x - 168) / 52) ** 2))
            : 44 * Math.sqrt(Math.max(0, 1 - (18 / 52) ** 2)) * Math.sqrt(Math.max(0, (220 - x) / 70))),
        116,
        220,
      );
  return [
    ...ground(92),
    ...wheel(62, 56, 36),
    line("M40 40a26 26 0 0 1 40-6", orange, 2.4),
    arrow(78, 32, 5, 5),
    plane ? circle(62, 56, 20, { fill: "none", stroke: edge }) : null,
    line(bound, soft, 1.6, { "stroke-dasharray": "5 4" }),
    line(traction, blue, 2.6),
  ];
}

function creepCurves() {
  const curve = (a) => points((x) => 100 - 78 * Math.tanh(((x - 24) / 70) * a), 24, 226);
  return [
    line("M24 10V100H230", edge, 1.6),
    line(curve(2.2), blue, 2.6),
    line(curve(1.2), orange, 2.6, { "stroke-dasharray": "7 4" }),
    line(curve(0.65), green, 2.6, { "stroke-dasharray": "2 5" }),
  ];
}

function forceFan() {
  const tips = [...Array(9).keys()].map((k) => [(k - 4) / 4, Math.PI / 2 - ((k - 4) * Math.PI) / 9]);
  return [
    circle(120, 100, 84, { fill: "none", stroke: edge, "stroke-dasharray": "5 4" }),
    line("M30 100H210", edge, 1.6),
    ...tips.map(([x, a], n) =>
      arrow(
        120,
        100,
        (60 + 20 * Math.abs(x)) * Math.cos(a),
        -(60 + 20 * Math.abs(x)) * Math.sin(a),
        [blue, orange, green][n % 3],
      ),
    ),
  ];
}

function creepLaw() {
  const at = (u, w) => [24 + 120 * u + 72 * w, 104 - 30 * w - 56 * Math.tanh(2.4 * u) * (1 - 0.45 * w)];
  const row = (f) =>
    [...Array(21).keys()]
      .map((k) => {
        const [x, y] = f(k / 20);
        return `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join("");
  return [...Array(6).keys()]
    .map((k) =>
      line(
        row((u) => at(u, k / 5)),
        k ? blue : orange,
        1.8,
      ),
    )
    .concat(
      [...Array(6).keys()].map((k) =>
        line(
          row((w) => at(k / 5, w)),
          soft,
          1,
        ),
      ),
    );
}

function bounce({ oval } = {}) {
  const top = [96, 70, 48],
    path = top
      .map((high, n) => {
        const a = 20 + 62 * n + (n ? 8 : 0);
        return points((x) => 100 - high * (1 - ((x - a - 32) / 32) ** 2) * 0.86, a, a + 64, 30);
      })
      .join("");
  const ball = oval
    ? svg("ellipse", { cx: 52, cy: 22, rx: 15, ry: 9, fill: body, stroke: ink, "stroke-width": 2 })
    : circle(52, 20, 12);
  return [...ground(102), line(path, blue, 2, { "stroke-dasharray": "5 4" }), ball, arrow(52, 38, 0, 22)];
}

function impact({ cantilever } = {}) {
  const sag = cantilever ? "M20 74C90 74 170 84 214 98" : "M24 78C80 80 90 92 120 92S160 80 216 78";
  return [
    line(sag, ink, 7),
    line(sag, body, 3.5),
    cantilever ? area("M8 54h12v44H8Z", edge) : [support(24, 82), support(216, 82)],
    circle(cantilever ? 204 : 120, cantilever ? 40 : 46, 15),
    arrow(cantilever ? 204 : 120, 6, 0, 18),
    line(cantilever ? "M60 56q6-40 12 0q5-26 10 0q4-16 8 0" : "M36 58q12-56 24 0", blue, 2.4),
  ];
}

function obstacle({ step } = {}) {
  const floor = step ? "M10 100H136V88H230V110H10Z" : "M10 94H230V110H10Z";
  const beam = step ? "M14 58C60 70 70 98 100 98S128 86 150 86S200 80 226 58" : "M14 58C60 58 70 92 120 92H228";
  return [
    area(floor, body),
    line(floor.replace(/V110H10Z/, ""), soft),
    line(beam, blue, 4),
    ...[40, 80, 120, 160, 200].map((x) => arrow(x, 14, 0, 24)),
    area("M6 44h8v30H6Z", edge),
  ];
}

function modes() {
  const shape = (n, y, colour, dash) =>
    line(
      points((x) => y - 15 * Math.sin((n * Math.PI * (x - 20)) / 200), 20, 220),
      colour,
      2.4,
      { "stroke-dasharray": dash },
    );
  return [30, 62, 94]
    .map((y) => line(`M20 ${y}H220`, edge, 1))
    .concat([shape(1, 36, blue, ""), shape(2, 62, orange, "7 4"), shape(3, 94, green, "2 5")]);
}

function bridge(wheels, { springs, rough, flat, coach, clamped } = {}) {
  const sag = (x) => 82 + 9 * Math.sin((Math.PI * (x - 20)) / 200),
    deck = points(sag, 20, 220);
  const track = rough ? points((x) => sag(x) - 3 + 1.6 * Math.sin(x) + Math.sin(2.3 * x), 20, 220) : null;
  const ends = clamped ? [area("M8 70h12v30H8Z", edge), area("M220 70h12v30h-12Z", edge)] : [support(20, 88), support(220, 88)];
  return [
    line(deck, ink, 8),
    line(deck, body, 4.5),
    track ? line(track, orange, 1.4) : null,
    ...ends,
    coach
      ? svg("rect", {
          x: wheels[0] - 16,
          y: 22,
          width: wheels[wheels.length - 1] - wheels[0] + 32,
          height: 24,
          rx: 5,
          fill: body,
          stroke: ink,
          "stroke-width": 2,
        })
      : null,
    ...wheels.map((x) => [
      springs
        ? [
            spring(x, sag(x) - 46, 20),
            coach
              ? null
              : svg("rect", {
                  x: x - 18,
                  y: sag(x) - 68,
                  width: 36,
                  height: 22,
                  rx: 4,
                  fill: body,
                  stroke: ink,
                  "stroke-width": 2,
                }),
          ]
        : null,
      ...wheel(x, sag(x) - 16, 11),
      flat ? line(`M${x - 7} ${sag(x) - 6}h14`, orange, 3.4) : null,
    ]),
    springs ? null : arrow(wheels[wheels.length - 1] + 18, 40, 30, 0),
  ];
}

function resonance() {
  const peak = (c, w, h) => (x) => 98 - 12 - h / (1 + ((x - c) / w) ** 2);
  return [
    line("M20 10V98H230", edge, 1.6),
    line(points(peak(150, 10, 72), 24, 226), blue, 2.6),
    line(points(peak(184, 12, 52), 24, 226), orange, 2.6, { "stroke-dasharray": "7 4" }),
    line(points(peak(96, 9, 30), 24, 226), green, 2.6, { "stroke-dasharray": "2 5" }),
  ];
}

function rest({ thin } = {}) {
  const sag = (x) => 88 + (thin ? 16 : 8) * Math.exp(-(((x - 120) / (thin ? 60 : 90)) ** 2)) - 2,
    deck = points(sag, 16, 224);
  return [
    line(deck, ink, thin ? 5 : 9),
    line(deck, body, thin ? 2 : 5),
    area("M6 74h10v28H6Z", edge),
    area("M224 74h10v28h-10Z", edge),
    ...wheel(120, sag(120) - (thin ? 47 : 41), thin ? 44 : 36),
    arrow(120, 2, 0, 20),
  ];
}

function braking() {
  return [
    ...bridge([120], { springs: true }),
    line("M104 70a17 17 0 0 0 3 10", orange, 5),
    line("M150 84h44", orange, 3.4, { "stroke-dasharray": "2 5" }),
  ];
}

function wheelset() {
  const rail = (x, way) => area(`M${x - 16} 112V92q0-8 8-8h16q8 0 8 8V112Z`, edge, { transform: `translate(${way} 0)` });
  const tread = (x, way) =>
    line(
      `M${x + 22 * way} 74L${x - 8 * way} 80Q${x - 14 * way} 82 ${x - 17 * way} 92L${x - 24 * way} 95V40H${x + 22 * way}Z`,
      ink,
      2,
      { fill: body },
    );
  return [
    rail(64, 0),
    rail(176, 0),
    line("M24 52H216", ink, 6),
    tread(64, -1),
    tread(176, 1),
    arrow(108, 24, 34, 0),
    circle(64, 80, 4, { fill: blue, stroke: blue }),
    circle(176, 80, 4, { fill: blue, stroke: blue }),
  ];
}

const KINDS = {
  "wheel-rail": wheelset,
  press,
  shift,
  steady: rolling,
  "creep-table": creepCurves,
  "creep-law": creepLaw,
  roll: () => rolling({ transient: true }),
  bounce,
  impact,
  obstacle,
  modes,
  "moving-load": () => bridge([96, 140]),
  resonance,
  rest,
  cross: () => bridge([90, 150], { springs: true }),
};

const CASES = {
  "falling-friction": () => [
    line("M24 10V100H230", edge, 1.6),
    line(
      points((x) => 34 + 46 * (1 - Math.exp(-(x - 24) / 60)), 24, 226),
      blue,
      2.6,
    ),
    line(
      points((x) => 100 - 62 * Math.tanh((x - 24) / 26) * (1 - 0.3 * Math.min(1, (x - 24) / 200)), 24, 226),
      orange,
      2.6,
      { "stroke-dasharray": "7 4" },
    ),
  ],
  "force-table": forceFan,
  roller: () => press({ roller: true }),
  "wheel-on-rail": () => press({ profile: true }),
  "driven-roller": () => rolling({ line: true }),
  "dropped-paraboloid": () => bounce({ oval: true }),
  "cantilever-struck": () => impact({ cantilever: true }),
  "beam-on-step": () => obstacle({ step: true }),
  "coach-on-rough-track": () => bridge([80, 100, 150, 170], { springs: true, coach: true, rough: true }),
  "equal-axles": () => bridge([50, 90, 130, 170]),
  "thesis-bridge": () => bridge([120], { clamped: true }),
  "train-on-bridge": () => bridge([40, 54, 92, 106, 144, 158]),
  "flat-wheel": () => bridge([120], { springs: true, flat: true, clamped: true }),
  "train-crossing": () => bridge([60, 120, 180], { springs: true, clamped: true }),
  "wheel-on-thin-beam": () => rest({ thin: true }),
  "braking-wheel": braking,
};

/** The picture of a built-in case; of one that has none, that of its kind. */
export function casePicture(name, kind) {
  const draw =
    CASES[name] ||
    KINDS[kind] ||
    (() => [
      line("M20 96H220", edge),
      line(
        points((x) => 70 - 24 * Math.sin(x / 22), 20, 220),
        blue,
        2.6,
      ),
    ]);
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" }, draw());
}
