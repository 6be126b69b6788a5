"use strict";
// Draws the figures of a report again from their data: zoom, hover and sliders. Without it they are static.
(() => {
  const DASHES = { "--": "6 4", ":": "2 3", "-.": "8 4 2 4" };
  const LEFT = 58, TOP = 8, BOTTOM = 40, RIGHT = 14, BAR = 74, STEPS = 200;
  const HELP = "Drag over a stretch to zoom, point at a curve to read it; or use the arrow keys, + and −.";
  let made = 0, told = false;

  const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const colour = (hex) => `var(--c-${hex.slice(1)})`;
  const short = (value) => {
    if (value === 0 || Math.abs(value) < 1e-12) return "0";
    const size = Math.abs(value);
    return (size >= 1e5 || size < 1e-3 ? value.toExponential(3) : String(Number(value.toPrecision(4)))).replace("-", "−");
  };

  function ticks(low, high, count) {
    const rough = Math.abs(high - low) / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
    const found = [], from = Math.min(low, high), to = Math.max(low, high);
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k += 1) found.push(k * step);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (/^2\.5/.test((step / power).toFixed(1)) ? 1 : 0));
    return found.map((v) => [v, Math.abs(v) >= 1e5 ? short(v) : v.toFixed(Math.min(digits, 8)).replace("-", "−")]);
  }

  class Panel {
    constructor(spec, host, figure) {
      this.spec = spec;
      this.figure = figure;
      this.id = `panel-${(made += 1)}`;
      this.node = document.createElement("div");
      this.node.className = "panel";
      this.node.style.gridRow = `${spec.rows[0] + 1} / ${spec.rows[1] + 1}`;
      this.node.style.gridColumn = `${spec.cols[0] + 1} / ${spec.cols[1] + 1}`;
      this.node.innerHTML = (spec.title ? `<h4>${escape(spec.title)}</h4>` : "") + this.legend()
        + '<svg tabindex="0" role="application"></svg><div class="read" aria-live="polite"></div>';
      host.append(this.node);
      this.svg = this.node.querySelector(":scope > svg");
      this.svg.setAttribute("aria-label",
        `${spec.title || spec.yLabel}: arrow keys read values, plus and minus zoom, Home shows all`);
      this.read = this.node.querySelector(".read");
      const curves = spec.items.filter((item) => item.k === "l" && this.isCurve(item));
      const named = curves.filter((item) => item.s);
      this.curves = named.length ? named : curves.slice(0, 1);
      this.zooms = !spec.aspect && !spec.bar && this.curves.length > 0;
      if (this.zooms) this.listen();
      else { this.svg.removeAttribute("tabindex"); this.svg.setAttribute("role", "img"); this.read.remove(); }
    }

    isCurve(item) {
      if (item.f || !item.x || item.x.length < 3) return false;
      return item.x.every((v, n) => v !== null && (n === 0 || v >= item.x[n - 1]));
    }

    legend() {
      if (!this.spec.legend) return "";
      const lines = this.spec.items.filter((item) => item.s).map((item) => {
        const area = item.k === "a" || item.k === "b";
        const mark = area
          ? `<rect width="26" height="10" style="fill:${colour(item.c)};opacity:${item.o}"/>`
          : `<path d="M0 5H26" style="stroke:${colour(item.c)};stroke-width:${Math.min(item.w, 3)}" ` +
            `stroke-dasharray="${DASHES[item.d] || ""}"/>`;
        return `<li><svg aria-hidden="true">${mark}</svg>${escape(item.s)}</li>`;
      });
      return `<ul class="key">${lines.join("")}</ul>`;
    }

    layout() {
      const { spec } = this, wide = Math.max(this.node.clientWidth, 160);
      this.left = spec.ticks[1] ? LEFT : 14;
      const right = spec.bar ? BAR : RIGHT;
      this.w = wide - this.left - right;
      this.h = Math.max(140, Math.min(spec.high, 0.85 * wide));
      if (spec.aspect) {
        const per = (spec.aspect * Math.abs(spec.y[1] - spec.y[0])) / Math.abs(spec.x[1] - spec.x[0]);
        this.h = this.w * per;
        const most = Math.max(1.2 * spec.high, 260);
        if (this.h > most) {
          this.h = most;
          const w = this.h / per;
          this.left += (this.w - w) / 2;
          this.w = w;
        }
      }
      this.wide = wide;
    }

    scales() {
      const { x } = this.figure.view(this), y = this.rangeY(x);
      this.sx = (v) => this.left + (this.w * (v - x[0])) / (x[1] - x[0]);
      this.sy = (v) => TOP + this.h - (this.h * (v - y[0])) / (y[1] - y[0]);
      this.now = { x, y };
    }

    rangeY(x) {  // all of it, or what is seen of the curves when zoomed
      const { spec } = this;
      if (x[0] === spec.x[0] && x[1] === spec.x[1]) return spec.y;
      let low = Infinity, high = -Infinity;
      for (const item of spec.items) {
        if (item.k !== "l" || item.f || !item.x) continue;
        item.x.forEach((v, n) => {
          const y = item.y[n];
          if (y !== null && v !== null && v >= x[0] && v <= x[1]) { low = Math.min(low, y); high = Math.max(high, y); }
        });
      }
      if (!(high > low)) return spec.y;
      const room = 0.06 * (high - low);
      return spec.y[0] > spec.y[1] ? [high + room, low - room] : [low - room, high + room];
    }

    draw() {
      this.layout();
      this.scales();
      const { spec } = this, high = TOP + this.h + (spec.ticks[0] ? BOTTOM : 10);
      this.svg.setAttribute("viewBox", `0 0 ${this.wide} ${high}`);
      this.svg.style.height = `${high}px`;
      const box = `x="${this.left}" y="${TOP}" width="${this.w}" height="${this.h}"`;
      const back = spec.back ? `<rect ${box} style="fill:${colour(spec.back)}"/>` : "";
      const items = spec.items.map((item) => this.item(item)).join("");
      const chosen = this.chosen ? `<rect class="chosen" x="${Math.min(...this.chosen)}" y="${TOP}" height="${this.h}" ` +
        `width="${Math.abs(this.chosen[1] - this.chosen[0])}"/>` : "";
      this.svg.innerHTML = `<clipPath id="${this.id}"><rect ${box}/></clipPath>${back}${this.axes()}` +
        `<g clip-path="url(#${this.id})">${items}${chosen}</g>${this.texts()}${this.bar()}${this.cursor()}`;
    }

    axes() {
      const { spec, now } = this, bottom = TOP + this.h, parts = [];
      const across = spec.ticks[0] ? ticks(now.x[0], now.x[1], this.w / 75) : [];
      const up = spec.ticks[1] ? ticks(now.y[0], now.y[1], this.h / 45) : [];
      for (const [v, text] of across) {
        const x = this.sx(v);
        if (!spec.bar && !spec.aspect) parts.push(`<path class="grid" d="M${x} ${TOP}V${bottom}"/>`);
        parts.push(`<g class="tick"><text x="${x}" y="${bottom + 16}" text-anchor="middle">${text}</text></g>`);
      }
      for (const [v, text] of up) {
        const y = this.sy(v);
        if (!spec.bar && !spec.aspect) parts.push(`<path class="grid" d="M${this.left} ${y}H${this.left + this.w}"/>`);
        parts.push(`<g class="tick"><text x="${this.left - 6}" y="${y + 4}" text-anchor="end">${text}</text></g>`);
      }
      parts.push(`<path class="frame" d="M${this.left} ${TOP}${spec.ticks[1] ? "V" : "M" + this.left + " "}${bottom}H${this.left + this.w}"/>`);
      if (spec.ticks[0]) parts.push(`<text x="${this.left + this.w / 2}" y="${bottom + 34}" text-anchor="middle">${escape(spec.xLabel)}</text>`);
      const y = TOP + this.h / 2;
      if (spec.ticks[1]) parts.push(`<text x="12" y="${y}" transform="rotate(-90 12 ${y})" text-anchor="middle">${escape(spec.yLabel)}</text>`);
      return parts.join("");
    }

    of(item) {  // as it is in the frame shown
      if (!item.f) return item;
      const at = { ...item };
      for (const name of Object.keys(item.f)) at[name] = item.f[name][this.figure.frame];
      return at;
    }

    path(item, close = "") {
      let d = "", pen = "M";
      const [dx, dy] = item.shift || [0, 0];
      item.x.forEach((v, n) => {
        if (v === null || item.y[n] === null) { if (pen === "L") d += close; pen = "M"; return; }
        d += `${pen}${(this.sx(v) + dx).toFixed(1)} ${(this.sy(item.y[n]) - dy).toFixed(1)}`;
        pen = "L";
      });
      return d + (pen === "L" ? close : "");
    }

    item(raw) {
      const item = this.of(raw), ink = item.c ? colour(item.c) : "none", clear = item.o === undefined ? 1 : item.o;
      const line = `fill:none;stroke:${ink};stroke-width:${item.w};opacity:${clear}`;
      const dash = `stroke-dasharray="${DASHES[item.d] || ""}"`;
      const right = this.left + this.w, bottom = TOP + this.h;
      if (item.k === "h") return `<path d="M${this.left} ${this.sy(item.at)}H${right}" style="${line}" ${dash}/>`;
      if (item.k === "v") return `<path d="M${this.sx(item.at)} ${TOP}V${bottom}" style="${line}" ${dash}/>`;
      if (item.k === "b") {
        const [a, b] = item.at.map(item.axis === "x" ? this.sx : this.sy).sort((p, q) => p - q);
        const size = item.axis === "x" ? `x="${a}" y="${TOP}" width="${b - a}" height="${this.h}"`
          : `x="${this.left}" y="${a}" width="${this.w}" height="${b - a}"`;
        return `<rect ${size} style="fill:${ink};opacity:${clear}"/>`;
      }
      if (item.k === "a") {
        const edge = item.e ? `stroke:${colour(item.e)};stroke-width:${item.w}` : "";
        return `<path d="${this.path(item, "Z")}" style="fill:${ink};fill-opacity:${clear};${edge}"/>`;
      }
      if (item.k === "i") return this.image(item);
      if (item.k === "q") return this.arrows(item, ink);
      if (item.k !== "l") return "";
      const drawn = item.d === "None" ? "" : `<path d="${this.path(item)}" style="${line};stroke-linejoin:round" ${dash}/>`;
      return drawn + this.marks(item, ink);
    }

    marks(item, ink) {
      if (!item.m) return "";
      const { r } = item, [dx, dy] = item.shift || [0, 0];
      return item.x.map((v, n) => {
        if (v === null || item.y[n] === null) return "";
        const x = this.sx(v) + dx, y = this.sy(item.y[n]) - dy, style = `style="fill:${ink};stroke:${colour(item.e)}"`;
        if (item.m === "s") return `<rect x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" ${style}/>`;
        if (item.m === "*") {
          const tips = [...Array(10).keys()].map((k) => [(k % 2 ? 0.45 : 1.1) * r, (Math.PI * k) / 5]);
          const star = tips.map(([far, turn]) => `${x + far * Math.sin(turn)} ${y - far * Math.cos(turn)}`);
          return `<path d="M${star.join("L")}Z" ${style}/>`;
        }
        if (item.m === "^") return `<path d="M${x - r} ${y + r}L${x} ${y - r}L${x + r} ${y + r}Z" ${style}/>`;
        return `<circle cx="${x}" cy="${y}" r="${r}" ${style}/>`;
      }).join("");
    }

    image(item) {
      const [a, b] = [this.sx(item.e[0]), this.sx(item.e[1])], [c, d] = [this.sy(item.e[3]), this.sy(item.e[2])];
      return `<image href="${item.src}" x="${a}" y="${c}" width="${b - a}" height="${d - c}" preserveAspectRatio="none"` +
        ` style="image-rendering:${item.smooth ? "auto" : "pixelated"}"/>`;
    }

    arrows(item, ink) {
      let d = "";
      for (let n = 0; n + 1 < item.x.length; n += 2) {
        const [x, y, u, v] = [this.sx(item.x[n]), this.sy(item.y[n]), this.sx(item.x[n + 1]), this.sy(item.y[n + 1])];
        const long = Math.hypot(u - x, v - y), tip = Math.min(5, 0.5 * long);
        if (long < 1) continue;
        const [p, q] = [((u - x) / long) * tip, ((v - y) / long) * tip];
        d += `M${x.toFixed(1)} ${y.toFixed(1)}L${u.toFixed(1)} ${v.toFixed(1)}` +
          `M${(u - p - 0.6 * q).toFixed(1)} ${(v - q + 0.6 * p).toFixed(1)}L${u.toFixed(1)} ${v.toFixed(1)}` +
          `L${(u - p + 0.6 * q).toFixed(1)} ${(v - q - 0.6 * p).toFixed(1)}`;
      }
      return `<path d="${d}" style="fill:none;stroke:${ink};stroke-width:1.3"/>`;
    }

    texts() {
      return this.spec.items.filter((item) => item.k === "t").map((raw) => {
        const item = this.of(raw), [px, py] = item.at;
        let x = item.data ? this.sx(px) : this.left + this.w * px, y = item.data ? this.sy(py) : TOP + this.h * (1 - py);
        if (item.data && (x < this.left - 1 || x > this.left + this.w + 1)) return "";
        x += item.shift[0];
        y = Math.max(TOP + 2, y - item.shift[1]);
        const turn = item.turn ? `transform="rotate(${-item.turn} ${x} ${y})"` : "";
        const along = { left: "start", center: "middle", right: "end" }, up = { bottom: "start", center: "middle", top: "end" };
        const lines = { top: "hanging", center: "central" }, sides = { left: "hanging", center: "central" };
        const from = item.turn ? up[item.va] || "start" : along[item.ha];  // turned words run upwards
        const base = (item.turn ? sides[item.ha] : lines[item.va]) || "auto";
        return item.t.split("\n").map((words, n) => `<text x="${x}" y="${y + 15 * n}" ${turn} text-anchor="${from}" ` +
          `dominant-baseline="${base}" style="fill:${colour(item.c)}">${escape(words.trim())}</text>`).join("");
      }).join("");
    }

    bar() {
      const { bar } = this.spec;
      if (!bar) return "";
      const x = this.left + this.w + 10, stops = bar.stops
        .map((c, n) => `<stop offset="${n / (bar.stops.length - 1)}" stop-color="${c}"/>`).join("");
      const place = (v) => TOP + this.h - (this.h * (v - bar.y[0])) / (bar.y[1] - bar.y[0]);
      const marks = ticks(bar.y[0], bar.y[1], this.h / 45).map(([v, text]) =>
        `<g class="tick"><text x="${x + 15}" y="${place(v) + 4}">${text}</text></g>`).join("");
      const y = TOP + this.h / 2, side = this.wide - 4;
      return `<linearGradient id="${this.id}-bar" x1="0" y1="1" x2="0" y2="0">${stops}</linearGradient>` +
        `<rect x="${x}" y="${TOP}" width="11" height="${this.h}" fill="url(#${this.id}-bar)"/>${marks}` +
        `<text x="${side}" y="${y}" transform="rotate(-90 ${side} ${y})" text-anchor="middle">${escape(bar.label)}</text>`;
    }

    value(item, x) {
      let a = 0, b = item.x.length - 1;
      if (x < item.x[a] || x > item.x[b]) return null;
      while (b - a > 1) { const m = (a + b) >> 1; if (item.x[m] <= x) a = m; else b = m; }
      const [p, q] = [item.y[a], item.y[b]];
      if (p === null || q === null) return null;
      return item.x[b] === item.x[a] ? q : p + ((q - p) * (x - item.x[a])) / (item.x[b] - item.x[a]);
    }

    cursor() {
      const at = this.zooms ? this.figure.view(this).at : null;
      if (at === null || at === undefined || at < this.now.x[0] || at > this.now.x[1]) {
        if (this.zooms) this.read.innerHTML = "";
        return "";
      }
      const unit = (label) => (/\(([^)]*)\)\s*$/.exec(label) || ["", ""])[1];
      const name = (label) => label.replace(/\s*\([^)]*\)\s*$/, "");
      const shown = this.curves.map((item) => [item, this.value(item, at)]).filter(([, v]) => v !== null);
      const words = shown.map(([item, v]) =>
        `${escape(item.s || name(this.spec.yLabel))} <b>${short(v)} ${escape(unit(this.spec.yLabel))}</b>`);
      this.read.innerHTML = `${escape(name(this.spec.xLabel))} <b>${short(at)} ${escape(unit(this.spec.xLabel))}</b>` +
        (words.length ? `: ${words.join(", ")}` : "");
      const dots = shown.map(([item, v]) => `<circle cx="${this.sx(at)}" cy="${this.sy(v)}" r="3.5" style="fill:${colour(item.c)}"/>`);
      return `<path class="at" d="M${this.sx(at)} ${TOP}V${TOP + this.h}"/>${dots.join("")}`;
    }

    place(event) {  // x of the data under a pointer
      const box = this.svg.getBoundingClientRect(), share = (event.clientX - box.left - this.left) / this.w;
      const { x } = this.now;
      return x[0] + Math.min(1, Math.max(0, share)) * (x[1] - x[0]);
    }

    listen() {
      const { svg, figure } = this, pixel = (event) => event.clientX - svg.getBoundingClientRect().left;
      svg.style.cursor = "crosshair";
      svg.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button === 0) {
          this.from = [this.place(event), pixel(event)];
          svg.setPointerCapture(event.pointerId);
        } else figure.point(this, this.place(event));
      });
      svg.addEventListener("pointermove", (event) => {
        if (this.from) this.chosen = [this.from[1], pixel(event)];
        figure.point(this, this.place(event));
      });
      svg.addEventListener("pointerup", (event) => {
        const { from } = this;
        this.from = this.chosen = null;
        if (from && Math.abs(pixel(event) - from[1]) > 6) figure.zoom(this, [from[0], this.place(event)]);
        else figure.draw();
      });
      svg.addEventListener("pointerleave", () => { if (!this.from && document.activeElement !== svg) figure.point(this, null); });
      svg.addEventListener("dblclick", () => figure.zoom(this, null));
      svg.addEventListener("keydown", (event) => {
        const { x } = this.now, step = (x[1] - x[0]) / STEPS, view = figure.view(this);
        const at = view.at === null || view.at === undefined ? (x[0] + x[1]) / 2 : view.at;
        if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
          const way = (event.key === "ArrowLeft" ? -1 : 1) * step;
          if (event.shiftKey) figure.zoom(this, [x[0] + 20 * way, x[1] + 20 * way]);
          else figure.point(this, Math.min(x[1], Math.max(x[0], at + way)));
        } else if (event.key === "+" || event.key === "=") figure.scale(this, 0.5, at);
        else if (event.key === "-") figure.scale(this, 2, at);
        else if (event.key === "Home" || event.key === "0" || event.key === "Escape") figure.zoom(this, null);
        else return;
        event.preventDefault();
      });
    }
  }

  class Figure {
    constructor(node) {
      this.spec = JSON.parse(node.querySelector('script[type="application/json"]').textContent);
      this.views = new Map();  // what is seen along x, shared by panels with the same axis
      this.frame = this.spec.frames ? Math.floor(this.spec.frames / 2) : 0;
      const host = document.createElement("div"), still = node.querySelector(".static");
      host.className = "live";
      host.style.gridTemplateColumns = this.spec.columns.map((one) => `minmax(0, ${one}fr)`).join(" ");
      still.hidden = true;
      if (still.nextElementSibling) still.nextElementSibling.hidden = true;
      node.prepend(host);
      this.panels = this.spec.panels.map((one) => new Panel(one, host, this));
      this.bars(host);
      new ResizeObserver(() => this.draw()).observe(host);
      this.draw();
    }

    view(panel) {
      const key = panel.spec.xLabel + panel.spec.x.join();
      if (!this.views.has(key)) this.views.set(key, { x: panel.spec.x, at: null });
      return this.views.get(key);
    }

    point(panel, at) {
      this.view(panel).at = at;
      this.draw();
    }

    zoom(panel, ends) {
      const view = this.view(panel), all = panel.spec.x;
      view.x = all;
      if (ends) {
        const wide = Math.min(Math.abs(ends[1] - ends[0]), all[1] - all[0]);
        const low = Math.min(Math.max(Math.min(...ends), all[0]), all[1] - wide);
        if (wide > 1e-4 * (all[1] - all[0]) && wide < 0.999 * (all[1] - all[0])) view.x = [low, low + wide];
      }
      this.draw();
    }

    scale(panel, factor, at) {
      const { x } = this.view(panel), half = (factor * (x[1] - x[0])) / 2;
      this.zoom(panel, [at - half, at + half]);
    }

    bars(host) {
      const bar = document.createElement("div"), { frames, fps } = this.spec, zooms = this.panels.filter((one) => one.zooms);
      bar.className = "bar";
      if (frames) {
        bar.innerHTML = `<button type="button">Play</button><input type="range" min="0" max="${frames - 1}" aria-label="time">`;
        host.before(bar);
        this.play(...bar.children, fps);
      } else if (zooms.length) {
        bar.innerHTML = '<button type="button" aria-label="zoom in">+</button><button type="button" aria-label="zoom out">−' +
          '</button><button type="button">Reset</button>' + (told ? "" : `<span>${HELP}</span>`);
        told = true;
        host.after(bar);
        const [near, far, all] = bar.children, each = (action) => () => zooms.forEach(action);
        const middle = (one) => { const { x, at } = this.view(one); return at === null ? (x[0] + x[1]) / 2 : at; };
        const keys = new Set(), once = zooms.filter((one) => !keys.has(this.view(one)) && keys.add(this.view(one)));
        near.onclick = () => once.forEach((one) => this.scale(one, 0.5, middle(one)));
        far.onclick = () => once.forEach((one) => this.scale(one, 2, middle(one)));
        all.onclick = each((one) => this.zoom(one, null));
      }
    }

    play(button, slider, fps) {
      let timer = null;
      const show = (frame) => {
        this.frame = frame;
        slider.value = frame;
        const clock = this.spec.panels.flatMap((one) => one.items).find((item) => item.k === "t" && item.f && item.f.t);
        if (clock) slider.setAttribute("aria-valuetext", clock.f.t[frame].trim());
        this.draw();
      };
      const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
      button.onclick = () => {
        if (timer) { stop(); return; }
        button.textContent = "Pause";
        timer = setInterval(() => show((this.frame + 1) % this.spec.frames), 1000 / fps);
      };
      slider.oninput = () => { stop(); show(Number(slider.value)); };
      show(this.frame);
    }

    draw() {
      this.panels.forEach((one) => one.draw());
    }
  }

  const mark = () => document.querySelectorAll(".scroll").forEach((box) => {
    box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1);
  });
  document.querySelectorAll("figure").forEach((node) => {
    if (node.querySelector('script[type="application/json"]')) new Figure(node);
  });
  mark();
  addEventListener("resize", mark);
})();
