// Torques: a panel for measured and predicted torque of each joint, one for the residual below it, and one time
// axis for all joints, on which the runs stand one after another.
class TorqueView {
  constructor(series, canvas) {
    this.series = series; this.canvas = canvas; this.context = canvas.getContext('2d');
    this.shown = series.joints.map(j => j.shown);
    this.measured = 'measured'; this.predicted = 'predicted';
    this.start = series.runs[0].start; this.end = series.runs.at(-1).end;
    this.whole(false);
    this.cursor = null; // on the axis
    onTheme.push(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  // point sets the time that values are shown of; null for none.
  point(time) { this.cursor = time; this.onPoint?.(time); }

  whole(draw = true) { this.from = this.start; this.to = this.end; if (draw) this.draw(); }

  get residual() { return this.predicted === 'file' ? 'fileResidual' : 'residual'; }
  get joints() { return this.shown.flatMap((on, j) => on ? [j] : []); }

  // resize lays the panels out: rows of one joint each, in device pixels.
  resize() {
    const ratio = devicePixelRatio || 1, width = this.canvas.parentElement.clientWidth, n = Math.max(1, this.joints.length);
    const narrow = width < 560, row = Math.max(narrow ? 84 : 64, Math.min(170, 330 / n));
    this.narrow = narrow; this.top = 18; this.bottom = 20; this.left = narrow ? 40 : 132; this.right = 6;
    this.row = row;
    const height = Math.round(this.top + n * row + this.bottom);
    this.canvas.style.height = height + 'px';
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.max(1, Math.round(width * ratio)); this.canvas.height = Math.round(height * ratio);
      this.raster = new Raster(this.canvas.width, this.canvas.height);
    }
    this.ratio = ratio; this.width = width; this.height = height;
    this.draw();
  }

  // x is the place of an axis time in CSS pixels, time its inverse.
  x(time) { return this.left + (time - this.from) / (this.to - this.from) * (this.width - this.left - this.right); }
  time(x) { return this.from + (x - this.left) / (this.width - this.left - this.right) * (this.to - this.from); }

  // panels are the shown joints' two panels: top and height in CSS pixels.
  panels() {
    return this.joints.map((joint, i) => {
      const y = this.top + i * this.row, h = this.row - 6, residual = Math.round(h * 0.34);
      return { joint, torque: { y, h: h - residual - 2 }, residual: { y: y + h - residual, h: residual } };
    });
  }

  // visible lists the runs in view with their stored buckets there.
  visible() {
    const out = [];
    for (const run of this.series.runs) {
      if (run.end < this.from || run.start > this.to || !run.n) continue;
      const a = Math.max(0, firstAt(run.t, this.from - run.shift) - 1), b = Math.min(run.n, firstAt(run.t, this.to - run.shift) + 1);
      if (a < b) out.push({ run, a, b });
    }
    return out;
  }

  bounds(parts, joint, kinds) {
    const out = [Infinity, -Infinity];
    for (const { run, a, b } of parts) for (const k of kinds) if (run.curves[k]) run.curves[k][joint].range(a, b, out);
    return out;
  }

  draw() {
    const began = performance.now(), { context: c, raster, ratio } = this;
    const parts = this.visible(), panels = this.panels();
    const colours = this.colours = readColours(['ink', 'quiet', 'grid', 'ground', 'measured', 'predicted', 'residual']);
    raster.clear();
    const later = [];
    const times = this.timeTicks();
    for (const p of panels) {
      const [lo, hi] = this.bounds(parts, p.joint, [this.measured, this.predicted]);
      const size = Math.max(...this.bounds(parts, p.joint, [this.residual]).map(Math.abs).filter(isFinite), 0) || 1e-12;
      this.scale(p.torque, lo, hi, 0.06); this.scale(p.residual, -size, size, 0.1);
      for (const panel of [p.torque, p.residual]) {
        for (const [t] of times) raster.rect(this.x(t) * ratio, panel.y * ratio, 1, panel.h * ratio, colours.pixel.grid);
        for (const [v] of panel.ticks) raster.rect(this.left * ratio, panel.at(v) * ratio, (this.width - this.left - this.right) * ratio, 1, colours.pixel.grid);
        this.shade(panel, p.joint);
        for (const { run } of parts.slice(1)) raster.rect(this.x(run.start) * ratio - 2 * ratio, panel.y * ratio, 2 * ratio, panel.h * ratio, colours.pixel.quiet);
      }
      this.curve(parts, p.joint, this.measured, p.torque, 2.2, 'measured', later);
      this.curve(parts, p.joint, this.predicted, p.torque, 1.1, 'predicted', later);
      this.curve(parts, p.joint, this.residual, p.residual, 1.1, 'residual', later);
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.putImageData(raster.image, 0, 0);
    c.scale(ratio, ratio);
    for (const f of later) f(c);
    this.labels(c, panels, times, colours);
    if (this.brush) {
      const [a, b] = this.brush.map(t => this.x(t));
      c.globalAlpha = 0.15; c.fillStyle = colours.ink;
      c.fillRect(Math.min(a, b), this.top, Math.abs(b - a), this.height - this.top - this.bottom);
      c.globalAlpha = 1;
    }
    if (this.cursor !== null) this.values(c, panels, colours);
    this.drawn = performance.now() - began;
    this.onDraw?.();
  }

  // scale gives a panel its values: at is the row of a value in CSS pixels.
  scale(panel, lo, hi, share) {
    if (!(lo <= hi)) { lo = -1; hi = 1; }
    const spare = (hi - lo) * share || Math.abs(hi) * 0.1 || 1;
    panel.lo = lo - spare; panel.hi = hi + spare;
    panel.at = v => panel.y + (panel.hi - v) / (panel.hi - panel.lo) * panel.h;
    let want = Math.max(2.4, panel.h / 22);
    do panel.ticks = ticks(panel.lo, panel.hi, want); while (panel.ticks.length < 2 && (want *= 1.5) < 20);
    const most = Math.max(2, Math.floor(panel.h / 12)), all = panel.ticks; // as many as stand apart, the outermost first
    if (all.length > most) panel.ticks = most === 2 ? [all[0], all.at(-1)] : all.filter((_, k) => k % Math.ceil((all.length - 1) / (most - 1)) === 0);
  }

  shade(panel, joint) {
    for (const run of this.series.runs) for (const [from, to] of [...run.unused || [], ...run.rest?.[joint] || []]) {
      const a = this.x(from + run.shift), b = this.x(to + run.shift);
      if (b < this.left || a > this.width - this.right) continue;
      const x = Math.max(a, this.left);
      this.raster.hatch(x * this.ratio, panel.y * this.ratio, (Math.min(b, this.width - this.right) - x) * this.ratio, panel.h * this.ratio, this.colours.pixel.quiet);
    }
  }

  // curve paints one curve of a joint: as spans where buckets are denser than pixels, as lines or boxes, later,
  // where they are not.
  curve(parts, joint, kind, panel, thick, colour, later) {
    const { raster, ratio } = this, left = Math.round(this.left * ratio), right = Math.round((this.width - this.right) * ratio);
    const y = v => panel.at(v) * ratio, top = Math.round(panel.y * ratio), bottom = Math.round((panel.y + panel.h) * ratio);
    raster.begin(left, right);
    let dense = false;
    for (const { run, a, b } of parts) {
      if (!run.curves[kind]) continue;
      const curve = run.curves[kind][joint];
      const wide = Math.max(1, (Math.min(this.to, run.end) - Math.max(this.from, run.start)) / (this.to - this.from) * (right - left));
      let level = 0;
      while (b - a >> level > 2 * wide) level++;
      if ((b - a) * 2 < wide) { later.push(c => this.lines(c, run, a, b, joint, kind, panel, thick, colour)); continue; }
      dense = true;
      const [lo, hi] = curve.level(level), ends = run.until || run.t, k = (right - left) / (this.to - this.from), zero = left + (run.shift - this.from) * k;
      let before = -9;
      for (let i = a >> level, last = b - 1 >> level; i <= last; i++) {
        if (!(lo[i] <= hi[i])) continue;
        let p = Math.floor(zero + run.t[i << level] * k), q = Math.floor(zero + ends[Math.min(run.n, i + 1 << level) - 1] * k);
        if (p - before <= 4) p = Math.min(p, before + 1); // a sample stands for the columns since the one before
        before = q;
        if (q >= left && p < right) raster.add(Math.max(left, p), Math.min(right - 1, q), lo[i], hi[i]);
      }
    }
    if (dense) raster.end(left, right, y, top, bottom, Math.max(1, thick * ratio), this.colours.pixel[colour]);
  }

  // lines strokes the samples of a run in view; buckets of several rows are boxes as wide as their time, but for
  // the blocks that are stored at full rate.
  lines(c, run, a, b, joint, kind, panel, thick, colour) {
    c.save();
    c.beginPath(); c.rect(this.left, panel.y, this.width - this.left - this.right, panel.h); c.clip();
    c.strokeStyle = c.fillStyle = this.colours[colour]; c.lineWidth = thick; c.lineJoin = 'round';
    const stroke = (t, v, first, last) => {
      let pen = false;
      c.beginPath();
      for (let i = first; i < last; i++) {
        if (v[i] !== v[i] || pen && t[i] - t[i - 1] > 10 * run.period) { pen = false; if (v[i] !== v[i]) continue; }
        const x = this.x(t[i] + run.shift), y = panel.at(v[i]);
        pen ? c.lineTo(x, y) : c.moveTo(x, y);
        pen = true;
      }
      c.stroke();
      if (last - first < 80) for (let i = first; i < last; i++) if (v[i] === v[i]) c.fillRect(this.x(t[i] + run.shift) - thick, panel.at(v[i]) - thick, 2 * thick, 2 * thick);
    };
    const curve = run.curves[kind][joint];
    if (!run.until) stroke(run.t, curve.lo[0], a, b);
    else {
      const full = run.blocks.filter(k => k.t[k.n - 1] + run.shift > this.from && k.t[0] + run.shift < this.to);
      for (let i = a; i < b; i++) {
        const t0 = run.t[i], t1 = run.until[i];
        if (full.some(k => t0 >= k.t[0] - 1e-9 && t1 <= k.t[k.n - 1] + 1e-9)) continue;
        const x = this.x(t0 + run.shift), y = panel.at(curve.hi[0][i]);
        c.fillRect(x, y - thick / 2, Math.max(1, this.x(t1 + run.shift) - x), panel.at(curve.lo[0][i]) - y + thick);
      }
      for (const k of full) stroke(k.t, k.curves[kind][joint].lo[0], 0, k.n);
    }
    c.restore();
  }

  // timeTicks are those of each run's own clock: axis time and label.
  timeTicks() {
    const out = [], want = Math.max(2, (this.width - this.left) / 90), step = (this.to - this.from) / want;
    for (const run of this.series.runs) {
      const a = Math.max(this.from, run.start), b = Math.min(this.to, run.end);
      if (!(a < b)) continue;
      let n = Math.max(1, (b - a) / step), list;
      do list = ticks(a - run.shift, b - run.shift, n); while (list.length < 2 && (n *= 1.5) < 20);
      for (const [t, label] of list) {
        const at = t + run.shift, near = out.length && this.x(at) - this.x(out.at(-1)[0]) < 24; // px of a label
        out.push([at, near ? '' : label]);
      }
    }
    return out;
  }

  labels(c, panels, times, colours) {
    c.font = '11px system-ui, sans-serif'; c.textBaseline = 'middle'; c.fillStyle = colours.quiet;
    for (const run of this.series.runs) {
      const a = Math.max(this.left, this.x(run.start)), b = Math.min(this.width - this.right, this.x(run.end));
      if (b - a > 40) this.text(c, run.log + (run.role === 'train' ? '' : ' (validation)'), a + 2, 8, b - a - 4);
    }
    c.textAlign = 'center';
    for (const [t, label] of times) if (label) {
      const x = this.x(t), half = c.measureText(label).width / 2;
      if (x - half > this.left - 12) c.fillText(label, Math.min(x, this.width - half - 1), this.height - 8);
    }
    c.textAlign = 'left';
    c.fillText(this.narrow ? 's' : 'time, s', this.narrow ? 2 : 40, this.height - 8);
    for (const p of panels) {
      const joint = this.series.joints[p.joint];
      c.textAlign = 'right'; c.fillStyle = colours.quiet; c.font = '10px system-ui, sans-serif';
      for (const panel of [p.torque, p.residual]) for (const [v, label] of panel.ticks) {
        const y = Math.max(panel.y + 4, Math.min(panel.y + panel.h - 4, panel.at(v)));
        if (panel.y === p.torque.y || v || panel.ticks.length === 1) c.fillText(label, this.left - 4, y);
      }
      c.textAlign = 'left'; c.fillStyle = colours.ink; c.font = '600 11px system-ui, sans-serif';
      if (this.narrow) { this.halo(c, joint.name, this.left + 3, p.torque.y + 7); continue; }
      this.text(c, c.measureText(joint.name).width <= this.left - 40 ? joint.name : joint.short, 0, p.torque.y + 8, this.left - 40);
      c.font = '10px system-ui, sans-serif'; c.fillStyle = colours.quiet;
      c.fillText(joint.unit, 0, p.torque.y + 22);
      c.fillText('residual', 0, p.residual.y + p.residual.h / 2);
    }
  }

  text(c, s, x, y, room) {
    while (s.length > 2 && c.measureText(s).width > room) s = s.slice(0, s.endsWith('…') ? -2 : -1) + '…';
    c.fillText(s, x, y);
  }

  // halo writes over curves, on the ground's colour.
  halo(c, s, x, y) {
    const w = c.measureText(s).width, colour = c.fillStyle;
    c.globalAlpha = 0.85; c.fillStyle = this.colours.ground;
    c.fillRect(c.textAlign === 'right' ? x - w - 2 : x - 2, y - 7, w + 4, 14);
    c.globalAlpha = 1; c.fillStyle = colour;
    c.fillText(s, x, y);
  }

  // at looks the curves up at an axis time: the nearest sample at full rate, or the bucket there.
  at(time, joint) {
    for (const run of this.series.runs) {
      if (time < run.start || time > run.end) continue;
      const t = time - run.shift;
      const block = (run.blocks || []).find(k => t >= k.t[0] && t <= k.t[k.n - 1]), from = block || run;
      let i = Math.min(from.n - 1, firstAt(from.t, t));
      if (i > 0 && (from === run && run.until ? from.t[i] > t : t - from.t[i - 1] < from.t[i] - t)) i--;
      const value = kind => from.curves[kind] ? [from.curves[kind][joint].lo[0][i], from.curves[kind][joint].hi[0][i]] : [NaN, NaN];
      return { run, t: from.t[i], measured: value(this.measured), predicted: value(this.predicted), residual: value(this.residual) };
    }
    return null;
  }

  values(c, panels, colours) {
    const x = this.x(this.cursor), probe = this.at(this.cursor, 0);
    c.strokeStyle = colours.ink; c.lineWidth = 1;
    c.beginPath(); c.moveTo(x, this.top); c.lineTo(x, this.height - this.bottom); c.stroke();
    if (!probe) return;
    const right = x < this.width * 0.6, at = right ? x + 6 : x - 6;
    c.textAlign = right ? 'left' : 'right'; c.font = '11px system-ui, sans-serif'; c.textBaseline = 'middle';
    c.fillStyle = colours.ink; this.halo(c, `${probe.t.toFixed(3)} s`, at, this.height - 8);
    for (const p of panels) {
      const v = this.at(this.cursor, p.joint), unit = this.series.joints[p.joint].unit;
      const resolution = Math.max(1e-9, (p.residual.hi - p.residual.lo) / 500);
      const words = ([a, b]) => a === b || b - a < resolution ? figure(a, resolution) : figure(a, resolution) + ' … ' + figure(b, resolution);
      c.fillStyle = colours.measured; const m = words(v.measured), q = words(v.predicted);
      // Beside the curve: below it where it is in the upper half of its panel, above it otherwise.
      const on = p.torque.at(v.predicted[0]), beside = Math.max(p.torque.y + 7, Math.min(p.torque.y + p.torque.h - 7, on < p.torque.y + p.torque.h / 2 ? on + 12 : on - 12));
      const line = [[colours.quiet, 'measured ' + m], [colours.predicted, 'predicted ' + q + ' ' + unit]];
      if (this.narrow) { c.fillStyle = colours.ink; this.halo(c, m + ' / ' + q, at, p.torque.y + p.torque.h - 8); } else {
        let left = right ? at : at - line.reduce((w, [, s]) => w + c.measureText(s + '  ').width, 0);
        c.textAlign = 'left';
        for (const [colour, s] of line) { c.fillStyle = colour; this.halo(c, s, left, beside || p.torque.y + 8); left += c.measureText(s + '  ').width; }
        c.textAlign = right ? 'left' : 'right';
      }
      c.fillStyle = colours.residual; this.halo(c, words(v.residual) + (this.narrow ? '' : ' ' + unit), at, p.residual.y + 7);
    }
  }
}
