// A curve and the pyramid of its minima and maxima: level l has a bucket for each 2^l stored ones.
class Curve {
  constructor(lo, hi) { this.lo = [lo]; this.hi = [hi]; }

  // level makes the levels up to l, each from the one below.
  level(l) {
    while (this.lo.length <= l) {
      const a = this.lo.at(-1), b = this.hi.at(-1), n = a.length + 1 >> 1;
      const lo = new Float32Array(n), hi = new Float32Array(n);
      for (let i = 0; i < n; i++) {
        let u = a[2 * i], v = b[2 * i];
        if (2 * i + 1 < a.length) {
          const p = a[2 * i + 1], q = b[2 * i + 1];
          if (!(u <= p)) u = p === p ? p : u; // a missing value leaves the other
          if (!(v >= q)) v = q === q ? q : v;
        }
        lo[i] = u; hi[i] = v;
      }
      this.lo.push(lo); this.hi.push(hi);
    }
    return [this.lo[l], this.hi[l]];
  }

  // whole makes all levels, and returns the curve.
  whole() { this.level(Math.ceil(Math.log2(Math.max(1, this.lo[0].length)))); return this; }

  // range is the least and the largest value of stored buckets [from, to), from the coarsest levels that fit.
  range(from, to, out) {
    let l = 0, a = from, b = to;
    const take = (i) => {
      const [lo, hi] = this.level(l);
      if (lo[i] < out[0]) out[0] = lo[i];
      if (hi[i] > out[1]) out[1] = hi[i];
    };
    while (a < b) {
      if (a & 1) take(a++);
      if (b & 1) take(--b);
      a >>= 1; b >>= 1; l++;
    }
    return out;
  }
}

// firstAt is the first index of ascending times that is not before t.
function firstAt(times, t) {
  let a = 0, b = times.length;
  while (a < b) {
    const m = a + b >> 1;
    if (times[m] < t) a = m + 1; else b = m;
  }
  return a;
}
