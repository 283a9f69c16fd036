// Hands on the curves: wheel, drag, pinch, keys, rows on and off, moments.
function control(view) {
  const { canvas, series } = view, own = id => byId(view.id + id);
  let frame = 0, glance = 0;
  const soon = view.soon = () => { cancelAnimationFrame(glance); glance = 0; frame ||= requestAnimationFrame(() => { frame = 0; view.draw(); }); };
  const point = view.pointSoon = (time, of = null) => { view.point(time); for (const other of view.beside) if (other !== of) other.pointSoon(other.sameTime(view), view); if (!frame) glance ||= requestAnimationFrame(() => { glance = 0; view.glance(); }); };

  // finest is the shortest stretch to zoom to: some stored buckets, or samples where the view is within a block
  // that is stored at full rate.
  const finest = middle => {
    const run = series.runs.find(r => middle >= r.start && middle <= r.end) || series.runs[0];
    const t = middle - run.shift, block = (run.blocks || []).find(k => t >= k.t[0] && t <= k.t[k.n - 1]);
    return 16 * (block ? block.period : run.period);
  };
  const show = (from, to) => {
    const whole = view.end - view.start, least = Math.min(whole, finest((from + to) / 2));
    let size = to - from;
    if (size < least) { const m = (from + to) / 2; from = m - least / 2; size = least; }
    size = Math.min(size, whole);
    from = Math.max(view.start, Math.min(view.end - size, from));
    view.from = from; view.to = from + size;
    soon();
  };
  const zoom = (factor, x) => {
    const at = x === undefined ? (view.from + view.to) / 2 : view.time(x);
    show(at - (at - view.from) * factor, at + (view.to - at) * factor);
  };
  const pan = share => { const d = share * (view.to - view.from); show(view.from + d, view.to + d); };
  const isWhole = () => view.to - view.from > 0.999 * (view.end - view.start);

  // The wheel zooms once the figure has been clicked or reached by Tab (or with Ctrl, as a pinch on a touchpad
  // comes): before, it scrolls the page.
  canvas.addEventListener('wheel', e => {
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) { e.preventDefault(); pan(e.deltaX / view.width); return; }
    if (document.activeElement !== canvas && !e.ctrlKey) return;
    e.preventDefault();
    zoom(1.0015 ** (e.deltaY * (e.ctrlKey ? 4 : 1)), e.offsetX);
  }, { passive: false });

  const fingers = new Map();
  let brush = null, last = null;
  canvas.addEventListener('pointerdown', e => {
    fingers.set(e.pointerId, e.offsetX);
    canvas.setPointerCapture(e.pointerId);
    canvas.focus({ preventScroll: true });
    last = e.offsetX;
    brush = e.pointerType === 'mouse' && (isWhole() || e.shiftKey) ? { from: view.time(e.offsetX), x: e.offsetX } : null;
  });
  canvas.addEventListener('pointermove', e => {
    if (!fingers.has(e.pointerId)) { hover(e); return; }
    const others = [...fingers].filter(([id]) => id !== e.pointerId);
    if (others.length === 1) { // pinch: both fingers keep the times below them
      const still = others[0][1], before = fingers.get(e.pointerId) - still, now = e.offsetX - still;
      if (before * now > 0 && Math.abs(now) > 8) zoom(before / now, still);
    } else if (brush) {
      view.brush = [brush.from, view.time(e.offsetX)];
      point(view.cursor);
    } else { const d = view.time(last) - view.time(e.offsetX); show(view.from + d, view.to + d); }
    fingers.set(e.pointerId, e.offsetX);
    last = e.offsetX;
  });
  const lift = e => {
    fingers.delete(e.pointerId);
    if (brush && view.brush && Math.abs(e.offsetX - brush.x) > 5) { const [a, b] = view.brush; show(Math.min(a, b), Math.max(a, b)); } else if (e.pointerType !== 'mouse') hover(e);
    brush = null; view.brush = null;
    soon();
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener('dblclick', () => view.whole());
  const hover = e => {
    const inside = e.offsetX >= view.left && e.offsetX <= view.width - view.right;
    point(inside ? view.time(e.offsetX) : null);
  };
  canvas.addEventListener('pointerleave', () => { if (!fingers.size) point(null); });

  const keys = {
    ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), '+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6),
    Home: () => view.whole(), n: () => step(1), p: () => step(-1), Escape: () => point(null),
  };
  canvas.addEventListener('keydown', e => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });

  // The moments to look at: of a fit where the residual is largest, of a check where the findings are.
  let at = -1;
  const step = by => {
    const n = series.moments.length;
    if (!n) return;
    at = at < 0 && by < 0 ? n - 1 : (at + by + n) % n;
    const m = view.go(series.moments[at]), row = series.rows[m.row];
    own('moment-at').textContent = `${at + 1} of ${n}: ${row ? row.name + ' ' : ''}${m.words} at ${m.t.toFixed(3)} s of ${series.runs[m.run].log}`;
  };
  // go shows a moment, its row and the time about it.
  view.go = m => {
    const run = series.runs[m.run], middle = m.t + run.shift;
    if (m.row >= 0 && !view.shown[m.row]) toggle(m.row);
    const block = (run.blocks || []).find(k => m.t >= k.t[0] && m.t <= k.t[k.n - 1]);
    const size = Math.max(block ? 96 * block.period : 60 * run.period, Math.min(2, (view.end - view.start) / 8), m.until > m.t ? 1.5 * (m.until - m.t) : 0);
    show(middle - size / 2, middle + size / 2);
    view.point(middle);
    return m;
  };
  own('moment-next')?.addEventListener('click', () => step(1));
  own('moment-before')?.addEventListener('click', () => step(-1));

  const chips = [...own('curve-chips').querySelectorAll('button')];
  const toggle = j => {
    view.shown[j] = !view.shown[j];
    if (!view.rows.length) view.shown[j] = true;
    chips[j]?.setAttribute('aria-pressed', view.shown[j]);
    view.resize();
  };
  chips.forEach((b, j) => { b.setAttribute('aria-pressed', view.shown[j]); b.addEventListener('click', () => toggle(j)); });
  own('zoom-in').addEventListener('click', () => zoom(0.5));
  own('zoom-out').addEventListener('click', () => zoom(2));
  own('zoom-whole').addEventListener('click', () => view.whole());

  // The line below the figure: the stretch in view, and the finest that is stored there.
  view.onDraw = () => {
    const middle = (view.from + view.to) / 2, run = series.runs.find(r => middle >= r.start && middle <= r.end) || series.runs[0];
    const t = middle - run.shift, block = (run.blocks || []).find(k => t >= k.t[0] && t <= k.t[k.n - 1]);
    const here = view.cursor === null ? [] : view.markAt(view.cursor);
    if (own('mark-at')) put(own('mark-at'), [...new Set(here.map(m => m.words))].join(' · '));
    const each = run.stride > 1 ? `one sample in ${run.stride}` : 'every sample';
    put(own('curve-range'), `${duration(view.to - view.from)} in view; ` + (block || !run.until ? `${each} is stored here, ${duration((block || run).period)} apart` :
      `stored here: least and largest of each ${duration(run.period)}`));
  };
  view.draw(); // not with the next frame, for which a page without a window may wait long
}

// painted waits until the words of the page are on the screen, or a tenth of a second where nothing is drawn, as in a hidden tab.
const painted = () => new Promise(done => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 100); });

// showCurves draws a document of curves into the figure of the page, as an earlier view shows them if it has the same rows and times.
// place puts the figure there when the curves are decoded, so that its controls answer at once. id is before the names of its elements.
async function showCurves(doc, before = null, place = () => {}, id = '') {
  const series = await readSeries(doc);
  if (!series || !series.runs.length) return null;
  await new Promise(done => setTimeout(done)); // between the decoding and the drawing the page hears its user
  place();
  const view = new CurveView(series, id ? byId(id + 'curve-canvas') : document.querySelector('canvas.curves'), id);
  if (before) view.like(before);
  await painted(); // the figure is laid out in a frame of its own
  control(view);
  return view;
}

// inStep gives the curves and a robot one time: the cursor moves the robot, and the playing robot the cursor.
function inStep(view, player) {
  if (player.runs.length !== view.series.runs.length) return;
  player.runs.forEach((r, i) => { r.shift = view.series.runs[i].shift; });
  player.onTime = view.pointSoon;
  view.onPoint = time => { if (time !== null && !player.playing) player.go(time, false); };
  player.place();
  player.go(player.start);
}
