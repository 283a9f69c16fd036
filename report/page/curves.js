// Curves over time: a row of panels for each joint or channel and one time axis for all, on which the runs stand one
// after another. Marks lie where they belong on it. report/curves.go describes the rows, report/series.go the numbers.
class CurveView {
  constructor(series, canvas, id = '') {
    this.series = series; this.canvas = canvas; this.id = id; this.beside = []; // views that have the same cursor
    this.context = null; // of the canvas, or of the sheet that takes its place
    this.blank = new Set(); // lines of rows that are not painted yet
    this.clear = true; // over has nothing on it
    this.over = document.createElement('canvas'); // above the curves: the cursor and what is dragged, which leave them as they are
    this.over.className = 'over'; this.over.setAttribute('aria-hidden', 'true');
    canvas.after(this.over);
    canvas.parentElement.style.position = 'relative';
    this.shown = series.rows.map(r => r.shown);
    this.turns = []; this.turn = 0; // of painting, by the lines of rows
    this.as = {}; // kinds that stand for those of the panels
    this.start = series.runs[0].start; this.end = series.runs.at(-1).end;
    this.whole(false);
    this.cursor = null; // on the axis
    onTheme.push(() => this.draw());
    new ResizeObserver(() => { if (canvas.isConnected && canvas.parentElement.clientWidth !== this.width) this.resize(); }).observe(canvas.parentElement);
    this.layout();
  }

  // like takes the rows, the time and the cursor that another view shows, if they can be those of this one.
  like(other) {
    if (this.series.rows.length === other.series.rows.length && this.series.rows.every((r, j) => r.name === other.series.rows[j].name)) this.shown = [...other.shown];
    if (Math.abs(other.end - this.end) < 1e-9 * Math.abs(this.end)) { this.from = other.from; this.to = other.to; this.cursor = other.cursor; }
    this.layout();
  }

  // point sets the time that values are shown of; null for none.
  point(time) { this.cursor = time; this.onPoint?.(time); }

  // sameTime is the time that another view points to, null where this one has no run of that log then.
  sameTime({ cursor, series }) {
    const from = cursor !== null && series.runs.find(r => cursor >= r.start && cursor <= r.end), t = from && cursor - from.shift;
    const run = from && this.series.runs.find(r => r.log === from.log && t + r.shift >= r.start && t + r.shift <= r.end);
    return run ? t + run.shift : null;
  }

  whole(draw = true) { this.from = this.start; this.to = this.end; if (draw) this.draw(); }

  get rows() { return this.shown.flatMap((on, j) => on ? [j] : []); }

  // curveOf is the curve of a kind, or of the one that stands for it, undefined where a run has none.
  curveOf(stretch, kind, row) { return stretch.curves[this.as[kind] ?? kind]?.[row]; }

  resize() { this.layout(); this.draw(); }

  // layout places the rows, in device pixels.
  layout() {
    const ratio = devicePixelRatio || 1, width = this.canvas.parentElement.clientWidth, n = Math.max(1, this.rows.length);
    const several = Math.max(1, ...this.rows.map(r => this.series.rows[r].panels.length));
    const narrow = width < 560, row = Math.max(narrow ? 84 : 64, several > 2 ? 44 * several : 0, Math.min(170, 330 / n));
    this.narrow = narrow; this.top = 18; this.bottom = 20; this.left = narrow ? 40 : several > 2 ? 152 : 132; this.right = 6;
    this.row = row;
    const height = Math.round(this.top + n * row + this.bottom);
    this.ratio = ratio; this.width = width; this.height = height;
    const w = Math.max(1, Math.round(width * ratio)), h = Math.round(height * ratio), sheet = this.turn ? document.createElement('canvas') : this.canvas;
    if (this.raster?.width !== w || this.raster.height !== h) {
      sheet.width = w; sheet.height = h;
      this.context = sheet.getContext('2d');
      this.raster = new Raster(w, h);
      if (sheet === this.canvas) this.place();
    }
    this.blank = new Set(this.rows.keys());
  }

  // place puts the sheet on the canvas.
  place() {
    const { canvas, context: { canvas: sheet } } = this;
    canvas.style.height = this.over.style.height = this.height + 'px';
    if (sheet === canvas) return;
    canvas.width = sheet.width; canvas.height = sheet.height;
    this.context = canvas.getContext('2d');
    this.context.drawImage(sheet, 0, 0);
  }

  // x is the place of an axis time in CSS pixels, time its inverse.
  x(time) { return this.left + (time - this.from) / (this.to - this.from) * (this.width - this.left - this.right); }
  time(x) { return this.from + (x - this.left) / (this.width - this.left - this.right) * (this.to - this.from); }

  // panels are those of the shown rows, one below the other: top and height in CSS pixels.
  panels() {
    return this.rows.flatMap((row, i) => {
      const list = this.series.rows[row].panels, whole = list.reduce((s, p) => s + p.share, 0);
      let y = this.top + i * this.row, room = this.row - 6 - 2 * (list.length - 1);
      return list.map((panel, k) => {
        const h = Math.round(room * panel.share / whole), out = { row, line: i, panel, first: k === 0, y, h };
        y += h + 2;
        return out;
      });
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

  // bounds are the least and the largest value of a panel in view, with its limits.
  bounds(parts, { row, panel }) {
    const out = [Infinity, -Infinity];
    for (const { run, a, b } of parts) for (const c of panel.curves) this.curveOf(run, c.kind, row)?.range(a, b, out);
    if (panel.symmetric) { const size = Math.max(...out.map(Math.abs).filter(isFinite), 0) || 1e-12; return [-size, size]; }
    for (const v of panel.limits || []) { out[0] = Math.min(out[0], v); out[1] = Math.max(out[1], v); }
    return out;
  }

  // draw paints the rows within the window as far as 6 ms of a frame's 16 have room for another, those first that have waited
  // longest. Tasks of their own paint the rest, and the rows out of the window when nothing has been drawn for three frames. A canvas
  // of another size takes the place of the present one when the window has all its rows. Paper has all rows at once.
  draw() {
    if (!this.canvas.isConnected) return; // another view has its place
    const { canvas } = this, n = Math.max(1, this.rows.length), box = canvas.getBoundingClientRect();
    const line = y => Math.max(0, Math.min(n, (y - box.top - this.top) / this.row)), first = Math.floor(line(0)), last = Math.ceil(line(innerHeight));
    this.colours = readColours(['ink', 'quiet', 'grid', 'ground', 'measured', 'predicted', 'residual', 'doubt', 'fail']);
    this.panelsNow = this.panels();
    clearTimeout(this.others);
    const lines = this.rows.map((_, i) => i), seen = lines.filter(i => i >= first && i < last), unseen = lines.filter(i => i < first || i >= last);
    seen.sort((a, b) => (this.turns[a] ?? 0) - (this.turns[b] ?? 0));
    const paper = matchMedia('print').matches, next = list => { const i = list.shift(); this.paint(i, i + 1); this.blank.delete(i); this.turns[i] = ++this.turn; };
    const some = () => {
      const end = performance.now() + 6;
      for (let now = end - 6, row = 0; seen.length && (paper || now + row < end);) { next(seen); row = -now + (now = performance.now()); }
      if (this.context.canvas !== canvas && !lines.some(i => i >= first && i < last && this.blank.has(i))) this.place();
    };
    let wait = 50;
    const later = () => {
      if (seen.length + unseen.length) this.others = setTimeout(() => { if (!this.canvas.isConnected) return; if (seen.length) some(); else { next(unseen); wait = 0; } if (!seen.length) this.glance(); later(); }, seen.length ? 0 : wait);
      else this.above().clearRect(0, 0, 1, 1); // which has its pixels before the first cursor
    };
    const began = performance.now();
    some();
    while (paper && unseen.length) next(unseen);
    this.drawn = performance.now() - began;
    if (!seen.length) this.glance();
    later();
  }

  // above returns the context of over, as large as the canvas.
  above() {
    const { over, canvas } = this;
    if (over.width !== canvas.width || over.height !== canvas.height) { over.width = canvas.width; over.height = canvas.height; }
    return over.getContext('2d');
  }

  // glance draws the cursor and what is dragged over the curves, which stay as they are.
  glance() {
    const { over, canvas, ratio, colours } = this, none = this.cursor === null && !this.brush;
    if (none && this.clear) { this.onDraw?.(); return; }
    this.clear = none;
    const c = this.above();
    over.style.top = canvas.offsetTop + 'px'; over.style.left = canvas.offsetLeft + 'px';
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, over.width, over.height);
    c.scale(ratio, ratio);
    if (this.brush) {
      const [a, b] = this.brush.map(t => this.x(t));
      c.globalAlpha = 0.15; c.fillStyle = colours.ink;
      c.fillRect(Math.min(a, b), this.top, Math.abs(b - a), this.height - this.top - this.bottom);
      c.globalAlpha = 1;
    }
    if (this.cursor !== null) this.values(c, this.panelsNow.filter(p => p.at), colours);
    this.onDraw?.();
  }

  // paint paints the rows [first, last) of those that are shown.
  paint(first, last) {
    if (first >= last) return;
    const { context: c, raster, ratio, colours } = this, n = Math.max(1, this.rows.length);
    const edge = i => i <= 0 ? 0 : i >= n ? raster.height : Math.round((this.top + i * this.row) * ratio), upper = edge(first), lower = edge(last);
    const parts = this.visible(), panels = this.panelsNow.filter(p => p.line >= first && p.line < last);
    raster.clear(upper, lower);
    const later = [];
    const times = this.timeTicks();
    for (const p of panels) {
      this.scale(p, ...this.bounds(parts, p), p.panel.symmetric ? 0.1 : 0.06);
      for (const [t] of times) raster.upright(this.x(t) * ratio, p.y * ratio, p.h * ratio, colours.pixel.grid);
      for (const [v] of p.ticks) raster.rect(this.left * ratio, p.at(v) * ratio, (this.width - this.left - this.right) * ratio, 1, colours.pixel.grid);
      this.shade(p);
      for (const { run } of parts.slice(1)) raster.rect(this.x(run.start) * ratio - 2 * ratio, p.y * ratio, 2 * ratio, p.h * ratio, colours.pixel.quiet);
      for (const curve of p.panel.curves) this.curve(parts, p, curve, later);
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.putImageData(raster.image, 0, 0, 0, upper, raster.width, lower - upper);
    c.save();
    c.beginPath(); c.rect(0, upper, raster.width, lower - upper); c.clip();
    c.scale(ratio, ratio);
    for (const p of panels) this.limits(c, p);
    for (const f of later) f(c);
    this.marks(c, panels, parts);
    this.labels(c, panels, times, colours);
    c.restore();
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

  shade(panel) {
    for (const run of this.series.runs) for (const [from, to] of [...run.unused || [], ...run.rest?.[panel.row] || []]) {
      const a = this.x(from + run.shift), b = this.x(to + run.shift);
      if (b < this.left || a > this.width - this.right) continue;
      const x = Math.max(a, this.left);
      this.raster.hatch(x * this.ratio, panel.y * this.ratio, (Math.min(b, this.width - this.right) - x) * this.ratio, panel.h * this.ratio, this.colours.pixel.quiet);
    }
  }

  // limits tints what lies beyond the limits of a panel.
  limits(c, { panel, y, h, at }) {
    if (!panel.limits) return;
    const [low, high] = panel.limits.map(v => Math.max(y, Math.min(y + h, at(v)))), width = this.width - this.left - this.right;
    c.globalAlpha = 0.2; c.fillStyle = this.colours.fail;
    c.fillRect(this.left, y, width, high - y);
    c.fillRect(this.left, low, width, y + h - low);
    c.globalAlpha = 1;
  }

  // marks draws findings and events in the panels that they are about: an upright line at a moment, a tint over a time,
  // with a sign on top that tells its gravity without colour.
  marks(c, panels, parts) {
    const signs = { error: ['✗', 'fail'], warning: ['!', 'doubt'], info: ['i', 'quiet'] };
    c.font = '700 11px system-ui, sans-serif'; c.textBaseline = 'middle'; c.textAlign = 'center';
    for (const { run } of parts) for (const m of run.marks || []) for (const p of panels) {
      if (m.row >= 0 && (m.row !== p.row || m.kind && !p.panel.curves.some(k => k.kind === m.kind))) continue;
      const [sign, colour] = signs[m.severity] || signs.info, a = Math.max(this.left, this.x(m.from + run.shift)), b = Math.min(this.width - this.right, this.x(m.to + run.shift));
      if (b < this.left || a > this.width - this.right) continue;
      c.fillStyle = this.colours[colour];
      c.globalAlpha = 0.16; c.fillRect(a, p.y, Math.max(b - a, 0), p.h);
      c.globalAlpha = 1; c.fillRect(a - 0.5, p.y, 1.5, p.h);
      if (b - a > 2) c.fillRect(b - 1, p.y, 1.5, p.h);
      if (p.first || m.row >= 0) this.halo(c, sign, Math.min(a + 8, this.width - this.right - 4), p.y + 7);
    }
  }

  // markAt returns the marks at a time, within some pixels.
  markAt(time, row = null) {
    const near = 4 * (this.to - this.from) / Math.max(1, this.width - this.left - this.right);
    return this.series.runs.flatMap(run => time < run.start - near || time > run.end + near ? [] :
      (run.marks || []).filter(m => time >= m.from + run.shift - near && time <= m.to + run.shift + near && (row === null || m.row < 0 || m.row === row)));
  }

  // curve paints one curve of a row: as spans where buckets are denser than pixels, as lines or boxes, later,
  // where they are not.
  curve(parts, panel, { kind, colour, width: thick }, later) {
    const { row } = panel, { raster, ratio } = this, left = Math.round(this.left * ratio), right = Math.round((this.width - this.right) * ratio);
    const y = v => panel.at(v) * ratio, top = Math.round(panel.y * ratio), bottom = Math.round((panel.y + panel.h) * ratio);
    raster.begin(left, right);
    let dense = false;
    for (const { run, a, b } of parts) {
      const curve = this.curveOf(run, kind, row);
      if (!curve) continue;
      const wide = Math.max(1, (Math.min(this.to, run.end) - Math.max(this.from, run.start)) / (this.to - this.from) * (right - left));
      let level = 0;
      while (b - a >> level > 2 * wide) level++;
      if ((b - a) * 2 < wide) { later.push(c => this.lines(c, run, a, b, kind, panel, thick, colour)); continue; }
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
  lines(c, run, a, b, kind, panel, thick, colour) {
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
    const curve = this.curveOf(run, kind, panel.row);
    if (!run.until) stroke(run.t, curve.lo[0], a, b);
    else {
      const full = run.blocks.filter(k => k.t[k.n - 1] + run.shift > this.from && k.t[0] + run.shift < this.to);
      for (let i = a; i < b; i++) {
        const t0 = run.t[i], t1 = run.until[i];
        if (full.some(k => t0 >= k.t[0] - 1e-9 && t1 <= k.t[k.n - 1] + 1e-9)) continue;
        const x = this.x(t0 + run.shift), y = panel.at(curve.hi[0][i]);
        c.fillRect(x, y - thick / 2, Math.max(1, this.x(t1 + run.shift) - x), panel.at(curve.lo[0][i]) - y + thick);
      }
      for (const k of full) stroke(k.t, this.curveOf(k, kind, panel.row).lo[0], 0, k.n);
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
    c.font = '11px system-ui, sans-serif'; c.textBaseline = 'middle'; c.textAlign = 'left'; c.fillStyle = colours.quiet;
    for (const run of this.series.runs) {
      const a = Math.max(this.left, this.x(run.start)), b = Math.min(this.width - this.right, this.x(run.end));
      if (b - a > 40) this.text(c, run.log + (run.role === 'validate' ? ' (validation)' : ''), a + 2, 8, b - a - 4);
    }
    c.textAlign = 'center';
    for (const [t, label] of times) if (label) {
      const x = this.x(t), half = c.measureText(label).width / 2;
      if (x - half > this.left - 12) c.fillText(label, Math.min(x, this.width - half - 1), this.height - 8);
    }
    c.textAlign = 'left';
    c.fillText(this.narrow ? 's' : 'time, s', this.narrow ? 2 : 40, this.height - 8);
    for (const p of panels) {
      const row = this.series.rows[p.row];
      c.textAlign = 'right'; c.fillStyle = colours.quiet; c.font = '10px system-ui, sans-serif';
      for (const [v, label] of p.ticks) {
        const y = Math.max(p.y + 4, Math.min(p.y + p.h - 4, p.at(v)));
        if (p.first || v || p.ticks.length === 1) c.fillText(label, this.left - 4, y);
      }
      c.textAlign = 'left'; c.fillStyle = colours.ink; c.font = '600 11px system-ui, sans-serif';
      if (this.narrow) { if (p.first) this.halo(c, row.name, this.left + 3, p.y + 7); continue; }
      if (p.first) this.text(c, c.measureText(row.name).width <= this.left - 40 ? row.name : row.short, 0, p.y + 8, this.left - 40);
      c.font = '10px system-ui, sans-serif'; c.fillStyle = colours.quiet;
      const words = p.panel.label || row.unit;
      if (!words) continue;
      const room = this.left - 40, cut = words.lastIndexOf(', '), two = p.first && p.h > 40 && cut > 0 && c.measureText(words).width > room;
      (two ? [words.slice(0, cut), words.slice(cut + 2)] : [words]).forEach((part, k) => this.text(c, part, 0, p.first ? p.y + 22 + 12 * k : p.y + p.h / 2, room));
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

  // at looks the curves of a row up at an axis time: the nearest sample at full rate, or the bucket there. Each kind of
  // the row has its least and largest value, NaN where it is not known.
  at(time, row) {
    for (const run of this.series.runs) {
      if (time < run.start || time > run.end || !run.n) continue;
      const t = time - run.shift;
      const block = (run.blocks || []).find(k => t >= k.t[0] && t <= k.t[k.n - 1]), from = block || run;
      let i = Math.min(from.n - 1, firstAt(from.t, t));
      if (i > 0 && (from === run && run.until ? from.t[i] > t : t - from.t[i - 1] < from.t[i] - t)) i--;
      const out = { run, t: from.t[i] };
      for (const p of this.series.rows[row].panels) for (const { kind } of p.curves) {
        const c = this.curveOf(from, kind, row);
        out[kind] = c ? [c.lo[0][i], c.hi[0][i]] : [NaN, NaN];
      }
      return out;
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
    const resolutions = new Map(panels.map(p => [p.row, Math.max(1e-9, (p.hi - p.lo) / 500)])); // of a row's last panel, the finest
    for (const p of panels) {
      const v = this.at(this.cursor, p.row), unit = p.panel.unit ?? this.series.rows[p.row].unit;
      const resolution = p.panel.unit === undefined ? resolutions.get(p.row) : Math.max(1e-9, (p.hi - p.lo) / 500);
      const words = ([a, b]) => a === b || b - a < resolution ? figure(a, resolution) : figure(a, resolution) + ' … ' + figure(b, resolution);
      const known = p.panel.curves.filter(k => v[k.kind].some(n => n === n)), last = known.at(-1);
      if (!last) continue;
      if (this.narrow) { c.fillStyle = colours.ink; this.halo(c, known.map(k => words(v[k.kind])).join(' / '), at, p.y + (p.first ? p.h - 8 : 7)); continue; }
      // Beside the curve: below it where it is in the upper half of its panel, above it otherwise.
      const on = p.at(v[last.kind][0]), line = known.map((k, i) => [k.colour === 'grid' || k.colour === 'measured' && known.length > 1 ? colours.quiet : colours[k.colour], `${k.label ? k.label + ' ' : ''}${words(v[k.kind])}${i === known.length - 1 ? ' ' + unit : ''}`]);
      const beside = known.length < 2 ? p.y + 7 : Math.max(p.y + 7, Math.min(p.y + p.h - 7, on < p.y + p.h / 2 ? on + 12 : on - 12));
      let left = right ? at : at - line.reduce((w, [, s]) => w + c.measureText(s + '  ').width, 0);
      c.textAlign = 'left';
      for (const [colour, s] of line) { c.fillStyle = colour; this.halo(c, s, left, beside); left += c.measureText(s + '  ').width; }
      c.textAlign = right ? 'left' : 'right';
    }
  }
}
