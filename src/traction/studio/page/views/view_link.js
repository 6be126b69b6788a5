// What the views of a run share: the sample that is shown, the place of the pointer, the stretch zoomed into.

export class ViewLink {
  constructor(samples, label) {
    Object.assign(this, { samples, label, sample: samples - 1, heard: { sample: new Set(), point: new Set(), zoom: new Set() } });
    this.rows = label.rows || label.values.map((_, n) => n);
  }

  on(name, action) {
    this.heard[name].add(action);
  }

  tell(name, ...given) {
    this.heard[name].forEach((one) => one(...given));
  }

  /** Shows sample `n` in all views. */
  setSample(n) {
    const next = Math.min(this.samples - 1, Math.max(0, Math.round(n)));
    if (next === this.sample) return;
    this.sample = next;
    this.tell("sample", next);
  }

  setPoint(x, from) {
    this.tell("point", x, from);
  }

  setZoom(ends, from) {
    this.tell("zoom", ends, from);
  }

  /** Time, distance or load of a sample. */
  labelOf(sample) {
    return this.label.values[nearest(this.rows, sample)];
  }
}

/** Index of the entry of a rising list that is nearest to `v`. */
export function nearest(list, v) {
  let a = 0,
    b = list.length - 1;
  if (b < 0) return 0;
  while (b - a > 1) {
    const m = (a + b) >> 1;
    if (list[m] <= v) a = m;
    else b = m;
  }
  return Math.abs(list[b] - v) < Math.abs(list[a] - v) ? b : a;
}
