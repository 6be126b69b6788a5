// Colours of numbers: viridis for what is positive, blue to orange for what has a sign. The colour-blind can tell both.

const VIRIDIS = [
  "440154",
  "481f70",
  "443983",
  "3b528b",
  "31688e",
  "287c8e",
  "21918c",
  "20a486",
  "35b779",
  "5ec962",
  "90d743",
  "c8e020",
  "fde725",
];
const SIGNED_LIGHT = [
  "053061",
  "2166ac",
  "4393c3",
  "92c5de",
  "d1e5f0",
  "f7f7f7",
  "fee0b6",
  "fdb863",
  "e08214",
  "b35806",
  "7f3b08",
];
const SIGNED_DARK = [
  "9ecbff",
  "5aa5e8",
  "2f7fc4",
  "1f5a90",
  "1a3a5a",
  "20262e",
  "56381a",
  "8c5314",
  "c9731a",
  "f0953a",
  "ffc387",
];

const split = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));

function table(stops) {
  const colours = stops.map(split),
    found = new Uint8ClampedArray(256 * 3);
  for (let n = 0; n < 256; n += 1) {
    const place = (n / 255) * (stops.length - 1),
      k = Math.min(stops.length - 2, Math.floor(place)),
      share = place - k;
    for (let c = 0; c < 3; c += 1) found[3 * n + c] = colours[k][c] + share * (colours[k + 1][c] - colours[k][c]);
  }
  return found;
}

const tables = { positive: table(VIRIDIS), light: table(SIGNED_LIGHT), dark: table(SIGNED_DARK) };

/** 256 colours, three bytes each, of a layer `kind`. */
export const colourTable = (kind, darkPaper) => (kind === "signed" ? tables[darkPaper ? "dark" : "light"] : tables.positive);

/** Share 0 to 1 of `value` between the ends of a layer's colours. */
export const shareOf = (value, [low, high]) => (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0);

/** Ends of a layer's colours: from zero where all is positive, the same both ways where it has a sign. */
export function colourEnds(layer) {
  if (layer.kind === "signed") {
    const size = Math.max(Math.abs(layer.low || 0), Math.abs(layer.high || 0)) || 1;
    return [-size, size];
  }
  const low = layer.low === null || layer.low === undefined ? 0 : layer.low,
    high = layer.high > low ? layer.high : low + 1;
  return [layer.kind === "positive" && low >= 0 ? 0 : low, high];
}

export const css = (colours, n) => `rgb(${colours[3 * n]},${colours[3 * n + 1]},${colours[3 * n + 2]})`;
