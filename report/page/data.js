// The curves of the page: 16-bit numbers between two bounds, as zigzag differences, in planes of high and low
// bytes, deflated and written in base 64. report/series.go writes them.

async function inflate(base64) {
  const bytes = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), c => c.charCodeAt(0)); // the first since 2025
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const missing = 0xffff; // stands for a value that is not a number

// readChannel decodes n values; spec is [offset, least, largest].
function readChannel(bytes, [at, lo, hi], n) {
  const out = new Float32Array(n), scale = (hi - lo) / (missing - 1);
  let v = 0;
  for (let i = 0; i < n; i++) {
    const z = bytes[at + i] << 8 | bytes[at + n + i];
    v = v + (z >>> 1 ^ -(z & 1)) & 0xffff;
    out[i] = v === missing ? NaN : lo + v * scale;
  }
  return out;
}

// readTimes decodes n times; spec is [offset, first, step]: 32-bit differences in four planes.
function readTimes(bytes, [at, first, step], n) {
  const out = new Float64Array(n);
  let v = 0;
  for (let i = 0; i < n; i++) {
    v += bytes[at + i] << 24 | bytes[at + n + i] << 16 | bytes[at + 2 * n + i] << 8 | bytes[at + 3 * n + i];
    out[i] = first + v * step;
  }
  return out;
}

// breaths returns a function that lets the page hear its user when half a frame has passed since it did; also in a hidden tab, whose
// timers come once a second.
function breaths() {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < 8) return;
    await new Promise(done => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { port1.close(); done(); }; port2.postMessage(0); });
    began = performance.now();
  };
}

// readStretch decodes a run, or a block of one at full rate: times and one curve a row of each kind, undefined where a row has none.
async function readStretch(bytes, s, breath) {
  const out = { n: s.n, t: readTimes(bytes, s.t, s.n), until: s.until && readTimes(bytes, s.until, s.n), curves: {} };
  const add = async (kind, lo, hi) => {
    await breath();
    (out.curves[kind] ??= []).push(lo && new Curve(lo, hi ?? lo).whole());
  };
  for (const [kind, joints] of Object.entries(s.curves)) {
    out.curves[kind] = [];
    for (const c of joints) await add(kind, c.length ? readChannel(bytes, c[0], s.n) : undefined, c.length > 1 ? readChannel(bytes, c[1], s.n) : undefined);
  }
  const { measured, residual, fileResidual } = out.curves;
  if (!s.until && measured && residual) { // samples: predictions are measured less residual
    for (const [kind, left] of [['predicted', residual], ['file', fileResidual]]) for (const [j, c] of (left ? measured : []).entries()) {
      await add(kind, c.lo[0].map((x, i) => x - left[j].lo[0][i]));
    }
  }
  return out;
}

// readSeries decodes a document of curves, null where the browser cannot.
async function readSeries(doc) {
  if (typeof DecompressionStream === 'undefined') return null;
  const bytes = await inflate(doc.blob);
  const breath = breaths();
  for (const r of doc.runs) for (const s of [r, ...r.blocks ??= []]) Object.assign(s, await readStretch(bytes, s, breath));
  doc.blob = null;
  return doc;
}
