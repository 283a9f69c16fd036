// Axes: round numbers, and the digits that their distance asks for.
function niceStep(x) {
  if (!(x > 0) || !isFinite(x)) return 0;
  const base = 10 ** Math.floor(Math.log10(x)), m = x / base;
  return base * (m < Math.SQRT2 ? 1 : m < Math.sqrt(10) ? 2 : m < Math.sqrt(50) ? 5 : 10);
}

// ticks are the multiples of a round step between two values, about as many as wanted.
function ticks(lo, hi, want) {
  const step = niceStep((hi - lo) / want), out = [];
  if (!step) return out;
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step && out.length < 100; k++) out.push([k * step, tickLabel(k * step, step)]);
  return out;
}

function tickLabel(v, step) {
  if (Math.abs(v) < step / 2) return '0';
  return v.toFixed(Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

// figure prints a value with the digits that a resolution deserves, three at least.
function figure(v, resolution) {
  if (!isFinite(v)) return '–';
  const size = Math.max(Math.abs(v), resolution);
  const digits = size > 0 ? Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(size)))) : 0;
  const text = v.toFixed(Math.min(digits, Math.max(0, Math.ceil(-Math.log10(resolution / 10) || 0))));
  return +text === 0 ? text.replace('-', '') : text;
}

// duration prints seconds shortly. A value that rounds up to the next unit is printed in that unit.
function duration(s) {
  const shortly = (v, unit) => (v >= 99.95 ? v.toFixed(0) : v.toPrecision(3)) + unit;
  if (s >= 0.9995) return shortly(s, ' s');
  return s >= 0.9995e-3 ? shortly(s * 1e3, ' ms') : shortly(s * 1e6, ' µs');
}
