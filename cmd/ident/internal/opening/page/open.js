// The page of an opened log: it shows the document of the program, and sends back the user's edits.
let doc = { version: -1, curves: 0, scene: 0, edits: [], declined: [] }, view = null, viewer = null, asked = 0;
let drawn = ''; // the robot that is shown, without its motion
let sending = null, fresh = 0; // documents of earlier versions than fresh do not have the latest edits

function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v !== undefined && v !== false && v !== null) e.setAttribute(k, v === true ? k : v);
  }
  e.append(...children.filter(c => c !== undefined && c !== null && c !== false));
  return e;
}

// unbroken keeps options in a text from breaking at their hyphens.
const unbroken = text => text.split(/(--[a-z][a-z-]*)/).map((part, i) => i % 2 ? el('span', { class: 'option' }, part) : part);
const say = text => { byId('said').textContent = text; };
const same = (a, b) => a.key === b.key && (a.name || '') === (b.name || '');

// shown has the values that lists and tables show, by their element.
const shown = new WeakMap();

// fill has make fill an element if it does not show a value yet, a JSON value. A redraw leaves the focus on the control
// with the same data-at, and waits while somebody types into a field. It says whether it did.
function fill(into, value, make) {
  const text = JSON.stringify(value), focus = into.contains(document.activeElement) ? document.activeElement : null;
  if (shown.get(into) === text || focus?.tagName === 'INPUT' && focus.type !== 'checkbox' && focus.value !== focus.defaultValue) return false;
  shown.set(into, text);
  const at = focus?.dataset.at;
  into.replaceChildren(...make());
  if (at !== undefined) [...into.querySelectorAll('[data-at]')].find(e => e.dataset.at === at)?.focus({ preventScroll: true });
  return true;
}

// send asks for another look: entries take the place of those of the same key and name, null leaves one out.
function send(edits, declined = doc.declined) {
  let all = [...doc.edits];
  for (const e of edits) {
    all = all.filter(o => !same(o, e));
    if (e.value !== null) all.push(e);
  }
  doc = { ...doc, edits: all, declined, stage: 'reading', file: { ...doc.file, sum: '' } };
  showFile();
  return sending = ask('settings', { edits: all, declined }).then(version => { fresh = Math.max(fresh, version); }, e => say(e.message));
}

// figures are redrawn where the program has newer ones.
async function redraw(curves, moving) {
  if (curves) {
    const got = await ask('curves');
    if (got) {
      let y;
      view = await showCurves(got.series, view, () => { y = scrollY; onTheme.length = 0; byId('figure').innerHTML = got.figure; });
      scrollTo({ top: y, behavior: 'instant' });
      performance.mark('curves');
    }
  }
  if (moving) {
    const got = await ask('robot'), robot = got && JSON.stringify({ ...got.scene, motions: null });
    if (got && robot === drawn && viewer.player && got.scene.motions?.some(m => m.n)) viewer.move(got.scene);
    else if (got) {
      drawn = robot;
      viewer?.renderer?.canvas.getContext('webgl')?.getExtension('WEBGL_lose_context')?.loseContext();
      byId('moving').innerHTML = got.figure;
      viewer = startRobot(byId('robot'), got.scene);
    }
  }
  if (view && viewer) {
    onTheme.push(() => viewer.draw());
    if (viewer.player) inStep(view, viewer.player);
  }
}

function showRead() {
  const { log, robot } = doc, rows = [];
  const add = (name, value, key) => { if (value) rows.push({ name, value, key }); };
  add('log', log.path); add('rows', log.rows ? `${log.rows}` : '', 'rows'); add('left out', log.left);
  add('clock', log.rows ? log.clock || 'none: rows are counted' : '', 'map'); add('rate', log.rate_hz ? `${+log.rate_hz.toPrecision(5)} Hz, ${duration(log.seconds)}` : '', 'rate');
  add('robot', robot.file); add('joints', robot.joints?.join(', ')); add('locked', robot.locked?.join(', '), 'lock');
  add('fitted with it', log.further?.join(', '));
  for (const n of log.notes || []) add('note', n);
  fill(byId('read'), rows, () => rows.map(({ name, value, key }) => el('div', {}, el('dt', {}, name), el('dd', {}, value, key && ' ',
    key && el('button', { type: 'button', 'data-at': key, 'aria-label': `Change ${name}: ${key}`, onclick: () => change(key) }, 'change')))));
  byId('title').textContent = log.name || 'ident open';
  byId('about').textContent = robot.name || '';
  document.title = `${log.name || 'log'} · ident open`;
}

function showFindings() {
  const percent = v => (100 * v).toPrecision(3) + ' %';
  const none = doc.findings.length ? '' : doc.stage || doc.problem ? ' ' : 'none', repaired = doc.findings.filter(f => f.repair?.length);
  fill(byId('findings'), [none, doc.findings.map(f => ({ ...f, on: undefined }))], () => none ? [el('li', {}, none)] : doc.findings.map(f => {
    const settings = (f.repair || []).map(e => `${e.key}${e.name ? ' ' + e.name : ''}${e.value ? '=' + e.value : ''}`).join(', ');
    const flip = e => {
      const others = doc.declined.filter(d => !f.repair.some(r => same(r, d)));
      send([], e.target.checked ? others : [...others, ...f.repair]);
    };
    return el('li', { class: f.severity === 'error' ? 'bad' : null }, el('strong', {}, f.severity), el('span', { class: 'why' },
      el('code', {}, f.id), ` ${f.subject ? f.subject + ': ' : ''}${f.why}`, el('span', { class: 'fix' }, f.where),
      f.advice && el('span', { class: 'fix' }, '→ ', ...unbroken(f.advice)),
      settings && el('label', { class: 'repair' }, el('input', { type: 'checkbox', 'data-at': `${f.id} ${f.where} ${f.subject}`, onchange: flip }), `repair: ${settings}`),
      f.tried && el('span', { class: 'fix' }, `tried on rows left out, ${f.tried}: error ${percent(f.before)} → ${percent(f.after)}`)));
  }));
  byId('findings').querySelectorAll('input').forEach((box, i) => { box.checked = !repaired[i].repair.some(r => doc.declined.some(d => same(r, d))); });
}

// options are those of a list of roles, of which one is chosen.
const options = (roles, chosen) => [el('option', { value: '' }, 'not used'), ...roles.map(r => el('option', { value: r.name, selected: r.name === chosen }, `${r.name} · ${r.text}`))];

// A list of roles has that of its channel alone until it is touched: those of all lists are most elements of the page.
for (const type of ['focusin', 'pointerdown']) byId('channels').addEventListener(type, ({ target }) => {
  if (target.tagName === 'SELECT' && target.childElementCount <= doc.roles.length) target.replaceChildren(...options(doc.roles, target.value));
});

// showChannels fills the rows of channels that are shown otherwise, one in a frame: all at once would keep the page from its user. A later
// document goes on with its own.
let rounds = 0;
async function showChannels() {
  const round = ++rounds, body = byId('channels');
  while (body.childElementCount > doc.channels.length) body.lastChild.remove();
  for (let i = 0; i < doc.channels.length; i++) {
    if (!body.children[i]) body.append(el('tr'));
    const c = doc.channels[i];
    if (!fill(body.children[i], [c, doc.roles], () => channelCells(c))) continue;
    await painted();
    if (round !== rounds) return;
  }
  if (!byId('units').childElementCount) byId('units').replaceChildren(...doc.units.map(u => el('option', { value: u })));
}

// channelCells are the controls of a channel.
function channelCells(c) {
  const set = c.set || {}, kind = c.role.replace(/\d+$/, '');
  const alike = () => byId('alike').checked && kind ? doc.channels.filter(o => o.role.replace(/\d+$/, '') === kind) : [c];
  const entry = key => e => send(alike().map(o => ({ key, name: o.name, value: e.target.value.trim() || null })));
  const role = e => {
    const to = e.target.value, from = c.role;
    const edits = to ? [{ key: 'map', name: to, value: c.name }] : [];
    if (from && from !== to) edits.push({ key: 'map', name: from, value: doc.channels.some(o => o.name !== c.name && doc.edits.some(d => d.key === 'map' && d.name === from && d.value === o.name)) ? null : '' });
    send(edits);
  };
  const turned = +set.scale < 0, turn = () => {
    const size = set.scale !== undefined && set.scale !== '' ? -set.scale : -(c.si || 1);
    send([{ key: 'scale', name: c.name, value: size === 1 ? null : String(size) }]);
  };
  const input = (key, head, more = {}) => el('td', { 'data-head': head }, el('input', { value: set[key] ?? '', 'aria-label': `${head} of ${c.name}`, 'data-at': `${c.name} ${key}`, onchange: entry(key), ...more }));
  return [el('th', { scope: 'row' }, c.name),
    el('td', {}, el('select', { 'aria-label': `What ${c.name} is`, 'data-at': `${c.name} role`, onchange: role }, ...options(doc.roles.filter(r => r.name === c.role), c.role))),
    input('units', 'Unit', { list: 'units', placeholder: c.unit || 'SI' }), input('zero', 'Zero', { inputmode: 'decimal', placeholder: '0' }), input('scale', 'One unit', { placeholder: c.si ? String(+c.si.toPrecision(6)) : '1' }),
    el('td', {}, el('button', { type: 'button', 'data-at': `${c.name} sign`, 'aria-label': `Reverse the sign of ${c.name}`, 'aria-pressed': turned ? 'true' : null, onclick: turn }, turned ? '−' : '+')),
    el('td', {}, c.why)];
}

function showSettings() {
  const keys = byId('key');
  if (!keys.childElementCount) keys.replaceChildren(...doc.settings.map(s => el('option', { value: s.key }, s.key)));
  if (doc.setting && asked !== doc.setting) { keys.value = asked = doc.setting; byId('value').value = doc.value || ''; explain(); }
  if (!doc.problem && !doc.stage) asked = 0;
  fill(byId('edits'), doc.edits, () => doc.edits.map(e => el('li', {}, el('code', {}, `${e.key}: ${e.name ? e.name + '=' : ''}${e.value}`), ' ',
    el('button', { type: 'button', 'data-at': `${e.key} ${e.name || ''}`, 'aria-label': `Take back ${e.key} ${e.name || ''}`, onclick: () => send([{ ...e, value: null }]) }, '✕'))));
}

// change goes to a key of the settings.
function change(key) {
  byId('key').value = key;
  byId('value').value = '';
  explain();
  byId('value').focus();
}

function explain() {
  const s = doc.settings.find(s => s.key === byId('key').value);
  byId('setting-help').textContent = s ? `${s.key}: ${s.help}` : '';
  byId('value').placeholder = s?.map ? 'NAME=VALUE' : s?.choices?.join(', ') || '';
}

// showProblem shows why the log cannot be read, with the lines about the place and the settings that may mend it.
function showProblem() {
  const near = doc.near || [], home = byId(doc.problem ? 'mend' : 'setting-home');
  byId('problem').hidden = !doc.problem;
  byId('problem-text').textContent = doc.problem || '';
  byId('near').hidden = !near.length;
  fill(byId('near'), near, () => near.map(r => el('span', { class: r.at && 'at' }, `${String(r.line).padStart(String(near.at(-1).line).length)}  ${r.text}\n`)));
  byId('to-channels').hidden = doc.setting !== 'map' || !doc.channels.length;
  if (!home.childElementCount && (doc.problem || !doc.stage)) home.append(byId('setting-box'));
  byId('settings').hidden = !byId('setting-home').childElementCount;
}

function showFile() {
  const { file } = doc, ready = Boolean(file.sum) && !doc.stage;
  byId('write').disabled = !ready || file.written || (file.old && !file.lines.length);
  byId('fit').disabled = !ready || Boolean(doc.problem);
  byId('difference-title').textContent = file.problem || (file.written ? `${file.path} is written` : file.old ? (file.lines?.length ? `What changes in ${file.path}` : `${file.path} needs no change`) : `${file.path}, which is not there yet`);
  byId('lines').replaceChildren(...(file.lines || []).map(l => el('span', { class: { '+': 'plus', '-': 'minus' }[l.mark] || null }, `${l.mark} ${l.text}\n`)));
}

async function showFit() {
  const f = doc.fit;
  byId('fitted').hidden = !f;
  if (!f) { byId('report').hidden = true; byId('report').removeAttribute('srcdoc'); return; }
  byId('fitted-title').textContent = f.problem ? 'The fit ended with an error' : `Fit: ${f.grade}, in ${f.folder}`;
  byId('summary').textContent = f.problem || f.text;
  byId('report').hidden = Boolean(f.problem);
  if (!f.problem && !byId('report').hasAttribute('srcdoc')) byId('report').srcdoc = await ask('report');
}

function show(next) {
  const before = doc;
  doc = next;
  showProblem();
  byId('stage').textContent = doc.stage;
  byId('bar').hidden = !doc.stage;
  if (doc.total > 1) { byId('bar').max = doc.total; byId('bar').value = doc.done; } else byId('bar').removeAttribute('value');
  if (before.stage && doc.stage && before.version >= 0 && doc.curves === before.curves && doc.channels.length === before.channels?.length) return before; // progress alone
  showRead(); showFindings(); showChannels(); showSettings(); showFile(); showFit();
  return before;
}

byId('write').addEventListener('click', () => ask('write', { sum: doc.file.sum }).then(() => say(`${doc.file.path} is written`), e => say(e.message)));
byId('channels').addEventListener('focusout', () => { if (!doc.stage) showChannels(); });
byId('fit').addEventListener('click', () => ask('fit', { sum: doc.file.sum }).catch(e => say(e.message)));
byId('key').addEventListener('change', () => { byId('value').value = ''; explain(); });
byId('setting').addEventListener('submit', e => {
  e.preventDefault();
  const value = byId('value').value.trim();
  if (value) send([{ key: byId('key').value, value }]);
  byId('value').value = '';
});

async function follow() {
  for (let failed = 0; ;) {
    try {
      const next = await ask(`document?since=${doc.version}`);
      failed = 0;
      if (next.version === doc.version) continue;
      for (let sent; sent !== sending;) await (sent = sending);
      if (next.version < fresh) { doc.version = next.version; continue; }
      const before = show(next);
      await redraw(next.curves !== before.curves, next.scene !== before.scene);
    } catch (e) {
      if (++failed > 3) { byId('stage').textContent = 'ident open has ended: ' + e.message; byId('bar').hidden = true; return; }
      await new Promise(r => setTimeout(r, 300));
    }
  }
}
follow();
