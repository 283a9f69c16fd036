// Dense curves are painted into the pixels: a column of a curve is the span between its least and largest
// value there. A path of as many strokes would take ten times as long without a graphics processor.
class Raster {
  constructor(width, height) {
    this.width = width; this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.low = new Float32Array(width); this.high = new Float32Array(width);
  }

  // clear clears the rows [y0, y1).
  clear(y0, y1) { this.pixels.fill(0, y0 * this.width, y1 * this.width); }

  rect(x, y, w, h, colour) {
    const x0 = Math.max(0, Math.round(x)), x1 = Math.min(this.width, Math.round(x + w));
    for (let r = Math.max(0, Math.round(y)); r < Math.min(this.height, Math.round(y + h)); r++)
      this.pixels.fill(colour, r * this.width + x0, r * this.width + x1);
  }

  // upright is a line one pixel wide.
  upright(x, y, h, colour) {
    const { pixels, width } = this, c = Math.round(x);
    if (c < 0 || c >= width) return;
    for (let i = Math.max(0, Math.round(y)) * width + c, end = Math.min(this.height, Math.round(y + h)) * width; i < end; i += width) pixels[i] = colour;
  }

  // hatch shades a stretch by diagonal lines, so that it is told apart without its colour.
  hatch(x, y, w, h, colour) {
    const x0 = Math.max(0, Math.floor(x)), x1 = Math.min(this.width, Math.max(Math.ceil(x + w), x0 + 1));
    for (let r = Math.round(y); r < Math.round(y + h); r++)
      for (let c = x0; c < x1; c++) if ((c + r) % 6 < 2) this.pixels[r * this.width + c] = colour;
  }

  // begin starts a curve on columns [x0, x1).
  begin(x0, x1) { this.low.fill(Infinity, x0, x1); this.high.fill(-Infinity, x0, x1); }

  // add puts a bucket between two columns.
  add(a, b, lo, hi) {
    for (let c = a; c <= b; c++) {
      if (lo < this.low[c]) this.low[c] = lo;
      if (hi > this.high[c]) this.high[c] = hi;
    }
  }

  // end paints the curve: y gives the row of a value, top and bottom bound it, thick is the least height of a
  // span. Neighbouring columns are joined, as a stroke would.
  end(x0, x1, y, top, bottom, thick, colour) {
    const { pixels, width, low, high } = this;
    let before = false, lastTop = 0, lastBottom = 0;
    for (let c = x0; c < x1; c++) {
      if (!(low[c] <= high[c])) { before = false; continue; }
      let a = y(high[c]) - thick / 2, b = y(low[c]) + thick / 2;
      const ownTop = a, ownBottom = b;
      if (before) { if (a > lastBottom) a = lastBottom; if (b < lastTop) b = lastTop; }
      lastTop = ownTop; lastBottom = ownBottom; before = true;
      const r1 = Math.min(bottom, Math.round(b));
      for (let r = Math.max(top, Math.round(a)), i = r * width + c; r < r1; r++, i += width) pixels[i] = colour;
    }
  }
}

// readColours reads colours of the theme once for a drawing: as CSS has them, and in pixel as the pixels have
// them (bytes red, green, blue, alpha).
function readColours(names) {
  const style = getComputedStyle(root), out = { pixel: {} };
  for (const n of names) {
    out[n] = style.getPropertyValue('--' + n).trim();
    const hex = parseInt(out[n].slice(1), 16);
    out.pixel[n] = (0xff000000 | (hex & 255) << 16 | hex & 0xff00 | hex >> 16) >>> 0;
  }
  return out;
}
