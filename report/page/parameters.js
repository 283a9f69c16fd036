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
  const matrix = byId('correlations');
  if (matrix) matrix.addEventListener('toggle', () => { if (matrix.open) drawCorrelations(rows.map(r => r.dataset.name)); });
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
