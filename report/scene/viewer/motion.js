// Frames of a motion: times as 32-bit numbers and positions as 16-bit steps, little-endian in base 64, as
// scene/motion.go writes them.
class Frames {
  constructor(m) {
    const bytes = text => { const s = atob(text), b = new Uint8Array(s.length); for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i); return new DataView(b.buffer); };
    this.name = m.name; this.n = m.n; this.note = m.note; this.gap = m.gap;
    if (!m.n) return;
    const t = bytes(m.t), q = bytes(m.q);
    this.t = Float64Array.from({ length: m.n }, (_, i) => m.start + t.getFloat32(4 * i, true));
    this.q = m.low.map((lo, c) => Float64Array.from({ length: m.n }, (_, i) => lo + (m.high[c] - lo) / 65535 * q.getUint16(2 * (c * m.n + i), true)));
  }

  get start() { return this.t[0]; }
  get end() { return this.t[this.n - 1]; }

  // at interpolates the positions at a time; across a gap of the log the robot waits.
  at(time) {
    let a = 0, b = this.n - 1;
    while (b - a > 1) { const m = a + b >> 1; if (this.t[m] <= time) a = m; else b = m; }
    const d = this.t[b] - this.t[a], s = d > 0 && d < this.gap ? Math.min(1, Math.max(0, (time - this.t[a]) / d)) : time >= this.t[b] ? 1 : 0;
    return this.q.map(q => q[a] + s * (q[b] - q[a]));
  }
}
