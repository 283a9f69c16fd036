// Base parameters: order, filters, and the correlation matrix, which is drawn when it is opened.
function startParameters() {
  const list = byId('parameter-rows');
  if (!list) return;
  const rows = [...list.children];
  const orders = {
    link: () => 0, sigma: (a, b) => a.dataset.order - b.dataset.order,
    name: (a, b) => a.dataset.name.localeCompare(b.dataset.name, 'en', { numeric: true }),
  };
  const apply = () => {
    const link = byId('parameter-link').value, weak = byId('parameter-weak').checked;
    let shown = 0;
    for (const r of rows) {
      r.hidden = link !== '' && r.dataset.link !== link || weak && !r.dataset.weak;
      if (!r.hidden) shown++;
    }
    list.append(...rows.toSorted(orders[byId('parameter-order').value]));
    byId('parameter-count').textContent = shown === rows.length ? '' : `${shown} of ${rows.length}`;
  };
  for (const id of ['parameter-order', 'parameter-link', 'parameter-weak']) byId(id).addEventListener('change', apply);
  forestScales(rows);
  const matrix = byId('correlations');
  if (matrix) matrix.addEventListener('toggle', () => { if (matrix.open) drawCorrelations(rows.map(r => r.dataset.name)); });
}

// forestScales draws the rows over another scale than the estimate's own: over the robot file's value, or in standard deviations from the estimate.
function forestScales(rows) {
  const choice = byId('parameter-scale'), head = document.querySelector('.parameter.head .scale'), over = byId('parameter-over');
  const places = rows.map(r => r.querySelector('summary .forest')), first = [head, over, ...places].map(e => e.innerHTML);
  const scales = {
    file: { words: 'each over the value of the robot file', labels: [[0, '0'], [1, '× 1'], [2, '2']], low: -1, high: 3, of: n => n.length > 4 && n[4] !== 0 ? v => v / n[4] : null },
    sigma: { words: 'distance from the estimate in standard deviations', labels: [[-10, '−10 σ'], [0, '0'], [10, '10 σ']], low: -12, high: 12, of: n => n[3] > 0 ? v => (v - n[1]) / n[3] : null },
  };
  const draw = (row, s) => {
    const n = row.dataset.numbers.split(' ').map(Number), of = row.dataset.numbers ? s.of(n) : null;
    if (!of) return '';
    const at = v => Math.max(0, Math.min(200, (of(v) - s.low) / (s.high - s.low) * 200)).toFixed(1);
    const [a, b] = [at(n[0]), at(n[2])].sort((p, q) => p - q), end = x => x === '0.0' ? '<path class="end" d="M0 7l3 -3v6z"/>' : x === '200.0' ? '<path class="end" d="M200 7l-3 -3v6z"/>' : '';
    const origin = of(0) > s.low && of(0) < s.high ? `<path class="zero" d="M${at(0)} 0V14"/>` : '';
    const prior = n.length > 4 ? `<path class="prior" d="M${Math.max(3, Math.min(197, at(n[4])))} 3.5l1.8 3.5l-1.8 3.5l-1.8 -3.5z"/>` : '';
    return `<svg viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">${origin}<path class="interval" d="M${a} 7H${Math.max(b, +a + 0.5)}"/>${end(a)}${end(b)}` +
      `<ellipse class="estimate${row.dataset.weak ? ' weak' : ''}" cx="${at(n[1])}" cy="7" rx="1.5" ry="3"/>${prior}</svg>`;
  };
  choice.addEventListener('change', () => {
    const s = scales[choice.value];
    [head, over, ...places].forEach((e, k) => {
      if (!s) e.innerHTML = first[k];
      else if (k === 0) e.innerHTML = s.labels.map(([v, text]) => `<i style="left:${((v - s.low) / (s.high - s.low) * 100).toFixed(1)}%">${text}</i>`).join('');
      else if (k === 1) e.textContent = s.words;
      else e.innerHTML = draw(rows[k - 2], s);
    });
  });
}

// drawCorrelations paints a square for each pair: blue where they grow together, amber where against each other,
// the fuller the closer.
function drawCorrelations(names) {
  const canvas = byId('correlation-canvas'), n = names.length;
  const text = atob(JSON.parse(byId('ident-correlations').textContent));
  const of = (i, k) => i === k ? 100 : (text.charCodeAt(i > k ? i * (i - 1) / 2 + k : k * (k - 1) / 2 + i) << 24) >> 24;
  const paint = () => {
    const ratio = devicePixelRatio || 1, room = Math.min(640, canvas.parentElement.clientWidth), cell = room / n;
    canvas.width = canvas.height = Math.round(room * ratio);
    canvas.style.width = canvas.style.height = room + 'px';
    const c = canvas.getContext('2d'), colour = readColours(['box', 'predicted', 'doubt']);
    c.scale(ratio, ratio);
    c.fillStyle = colour.box; c.fillRect(0, 0, room, room);
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) {
      const r = of(i, k) / 100;
      if (Math.abs(r) < 0.05) continue;
      c.globalAlpha = Math.abs(r); c.fillStyle = r > 0 ? colour.predicted : colour.doubt;
      c.fillRect(k * cell, i * cell, Math.max(0.5, cell - 0.5), Math.max(0.5, cell - 0.5));
    }
    c.globalAlpha = 1;
  };
  if (!canvas.onpointermove) onTheme.push(paint);
  canvas.onpointermove = e => {
    const cell = canvas.clientWidth / n, i = Math.min(n - 1, e.offsetY / cell | 0), k = Math.min(n - 1, e.offsetX / cell | 0);
    byId('correlation-at').textContent = `${names[i]} and ${names[k]}: ${(of(i, k) / 100).toFixed(2)}`;
  };
  paint();
}
startParameters();
