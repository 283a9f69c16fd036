// The browser laboratory: files, designs, findings, fits. The program does the work, one command in a worker at a time; this page
// hands it files and shows what it wrote.
import {byId, el, save, size} from './dom.js';
import {load, open, run} from './program.js';
import {entries, kindOf, repairedName, stem} from './drop.js';
import {list as listed} from './findings.js';
import {packed} from './zip.js';

const roles = {robot: 'the robot', part: 'belongs to another file', fit: 'log to fit', validate: 'log to validate', settings: 'settings', none: 'left out'};
let files = [];     // {name, blob, role, made}
let repairs = [];   // options that repair findings, [name, value]
const fits = [];    // {name, said, line, files, theme}
let asked = false;  // for the list of findings
let motions = 0;    // that were designed
let commands, example, keys, job = null, drawing = null, comparing = null, opened = null;

const problem = (...words) => byId('problems').append(el('p', {class: 'problem'}, ...words));
const say = (at, text, kind = '') => { at.textContent = text; at.className = kind; };
const robotName = () => files.find(f => f.role === 'robot')?.name;
const named = role => files.filter(f => f.role === role).map(f => f.name);
const given = () => files.filter(f => f.role !== 'none').map(f => [f.name, f.blob]);

// quoted returns a command line as a shell takes it.
const quoted = args => ['ident', ...args].map(a => /^[\w./:,=+@%-]+$/.test(a) ? a : `'${a.replaceAll("'", `'\\''`)}'`).join(' ');

// split takes a text apart as a shell does, with quotes.
const split = text => [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([w]) => w.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));

// options returns those of the form that a command has.
function options(command) {
  const form = byId('form').elements, known = commands.get(command), out = [];
  for (const name of ['cutoff', 'terms', 'gains']) {
    const value = form[name].value.trim();
    if (value && known.has(name)) out.push(`--${name}`, value);
  }
  for (const unit of split(form.unit.value)) out.push('--unit', unit);
  for (const [name, value] of repairs) if (known.has(name)) out.push(`--${name}`, value);
  const words = split(form.further.value);
  for (let i = 0; i < words.length; i++) {
    const [name, value] = words[i].replace(/^--/, '').split(/=(.*)/s);
    const takes = value === undefined && i + 1 < words.length && !words[i + 1].startsWith('--');
    const all = takes ? [words[i], words[i + 1]] : [words[i]];
    if (command === 'fit' || known.has(name)) out.push(...all);
    if (takes) i++;
  }
  return out;
}

// designLine is the command that designs a motion by its form, whose fields have the names of options.
function designLine(motion) {
  const form = byId('design-form').elements, out = [];
  for (const name of ['period', 'velocity-limits', 'acceleration-limits', 'torque-limits', 'starts', 'seed']) {
    const value = form[name].value.trim();
    if (value) out.push(`--${name}`, value);
  }
  return ['design-trajectory', robotName(), ...out, ...split(form.further.value), '-o', `${motion}.csv`, '-o', `${motion}.html`];
}

const robotOption = () => robotName() ? ['--robot', robotName()] : [];
const fitLine = folder => ['fit', ...named('fit'), ...robotOption(), ...named('validate').flatMap(n => ['--validate', n]), ...options('fit'), '-o', folder];

// lost says which files can no longer be read: they changed or went away after they were dropped.
async function lost(inputs) {
  const readable = await Promise.all(inputs.map(([, blob]) => blob.slice(0, 1).arrayBuffer().then(() => true, () => false)));
  return inputs.filter((_, i) => !readable[i]).map(([name]) => name);
}

// work runs a command with its name and progress in view. It is null after cancel, undefined where another command took its place.
async function work(name, args, inputs) {
  job?.cancel();
  job = null;
  const gone = await lost(inputs);
  if (gone.length) return {code: 1, out: '', files: [], err: `${gone.join(', ')} changed or went away since it was dropped: drop it again.`};
  job?.cancel();
  const mine = job = run(args, inputs, ({stage, done, total}) => {
    if (job !== mine) return;
    byId('bar').max = total;
    byId('bar').value = done;
    byId('stage').textContent = stage;
  });
  byId('work-name').textContent = name;
  byId('stage').textContent = '';
  byId('bar').removeAttribute('value');
  byId('work').hidden = false;
  byId('fit').disabled = byId('again').disabled = byId('design-run').disabled = true;
  const outcome = await mine.outcome;
  if (job !== mine) return undefined;
  job = null;
  byId('work').hidden = true;
  byId('fit').disabled = byId('again').disabled = named('fit').length === 0;
  byId('design-run').disabled = false;
  return outcome;
}

// show puts a page of the program into a frame.
async function show(frame, blob, title) {
  const html = await blob.text(), theme = document.documentElement.dataset.theme;
  frame.title = title;
  frame.shown = {blob, title};
  frame.contentWindow.postMessage({title, html: theme ? html.replace('<html lang="en"', `<html lang="en" data-theme="${theme}"`) : html}, '*');
}

// take adds files and says what each of them is; a file of a known name replaces the earlier one.
function take(found) {
  byId('problems').replaceChildren();
  let known = 0;
  for (const [name, blob] of found) {
    const {kind, why, command, quiet} = kindOf(name, blob.size);
    if (kind === 'none') {
      if (!quiet) problem(why, command && el('code', {}, ' ' + command(robotName() ?? 'ROBOT')));
      continue;
    }
    known++;
    files = files.filter(f => f.name !== name);
    files.push({name, blob, role: kind === 'log' ? 'fit' : kind});
  }
  if (known === 0 && found.length === 0) problem('Nothing that was dropped is a file.');
  else if (known > 0) changed();
}

// changed draws the files and opens the logs. The list of findings is made where it is shown already, or where no log can be opened.
function changed() {
  closeOpened();
  drawFiles();
  const openable = !byId('list').disabled;
  if (openable) openLogs();
  if (asked || !openable) list();
  else rest();
}

// list makes the list of findings beside the robot.
function list() {
  asked = !byId('list').disabled;
  look().then(draw); // the robot does not hold up the first finding
}

// rest leaves the list away until it is asked for.
function rest() {
  job?.cancel();
  job = null;
  byId('work').hidden = byId('read').hidden = true;
  byId('settings').hidden = byId('fit').disabled = byId('again').disabled = false;
  offer();
}

// offer shows what there is to do with the robot.
function offer() {
  byId('design').hidden = named('robot').length !== 1;
  byId('design-run').disabled = false;
  setLine();
}

function drawFiles() {
  byId('taken').hidden = files.length === 0;
  byId('file-list').replaceChildren(...files.map(f => el('li', {},
    el('span', {class: 'name'}, f.name), el('span', {class: 'quiet'}, size(f.blob.size)),
    el('select', {'aria-label': `What ${f.name} is`, onchange: e => { f.role = e.target.value; changed(); }},
      Object.entries(roles).map(([role, words]) => el('option', {value: role, selected: role === f.role}, words))),
    f.made && el('button', {type: 'button', class: 'download', onclick: () => save(f.name.split('/').pop(), f.blob)}, 'Download'),
    el('button', {type: 'button', 'aria-label': `Remove ${f.name}`, onclick: () => { files = files.filter(g => g !== f); changed(); }}, '✕'))));
  byId('list').disabled = named('fit').length === 0 || named('robot').length > 1;
}

// look checks the logs, or says what is missing.
async function look() {
  const words = byId('findings-words'), none = (text, form = false) => {
    job?.cancel();
    job = null;
    byId('work').hidden = true;
    byId('settings').hidden = !form;
    say(words, text, text.startsWith('Drop') ? '' : 'problem');
    byId('findings').replaceChildren();
    byId('channels').textContent = '';
  };
  byId('read').hidden = files.length === 0;
  offer();
  const robotFiles = named('robot'), logs = [...named('fit'), ...named('validate')];
  if (robotFiles.length > 1) return none(`${robotFiles.length} robot files: ${robotFiles.join(', ')}. Choose above which one is the robot; a file that it includes belongs to another file.`);
  if (logs.length === 0) return none('Drop a log of the robot: joint positions with torques or motor currents over time.');
  byId('settings').hidden = false;
  say(words, '');
  const got = await work(`Checking ${logs.join(', ')}`, ['check', ...logs, ...robotOption(), ...options('check'), '--json'], given());
  if (got === null) return none('The check was cancelled.', true);
  if (!got) return;
  let doc;
  try { doc = JSON.parse(got.out); } catch { return none(got.err || 'The check said nothing.', true); }
  const count = (s, word) => {
    const n = doc.findings.filter(f => f.severity === s).length;
    return `${n} ${word}${n === 1 ? '' : 's'}`;
  };
  say(words, `${doc.robot}: ${count('error', 'error')}, ${count('warning', 'warning')}, ${count('info', 'remark')}. ${(doc.warnings ?? []).join(' ')}`);
  listed(byId('findings'), doc, keys, {set, mend});
  byId('channels').textContent = channelWords(doc.channels ?? []);
}

// openLogs shows the logs with what each channel is taken for, on the page of ident open, which asks the program here. What
// it writes are files of the laboratory: ident.yaml, and fits.
function openLogs() {
  closeOpened();
  const frame = byId('open-frame'), words = byId('open-words'), logs = named('fit');
  const inner = () => frame.contentWindow.frames[0];
  let file = '', fit = '', shown = false;
  byId('opened').hidden = false;
  say(words, `Opening ${logs.join(', ')} …`, 'busy');
  const mine = opened = open(['open', ...logs, ...robotOption(), ...options('open')], given(), {
    page(html) { shown = true; say(words, ''); show(frame, new Blob([html]), `Page of ${logs.join(', ')}`); byId('opened').scrollIntoView(); },
    answered(data) {
      inner()?.postMessage(data, '*');
      const doc = data.ok && mine.asked.get(data.answer) === 'document' && JSON.parse(data.text);
      mine.asked.delete(data.answer);
      if (!doc || !doc.file) return;
      if (doc.file.written && doc.file.sum !== file) { file = doc.file.sum; mine.written().then(made => keep(made, doc.file.path)); }
      if (doc.fit?.grade && JSON.stringify(doc.fit) !== fit) { fit = JSON.stringify(doc.fit); mine.written().then(made => takeFit(doc, made, logs)); }
    },
    ended(err) { say(words, err, 'problem'); },
  });
  mine.asked = new Map();
  mine.hear = ({source, data}) => {
    if (!shown || source !== inner() || !data.ask) return; // a page of the logs before may still ask
    mine.asked.set(data.ask, data.name);
    mine.ask(data);
  };
  addEventListener('message', mine.hear);
}

function closeOpened() {
  if (!opened) return;
  opened.close();
  removeEventListener('message', opened.hear);
  opened = null;
  say(byId('open-words'), '');
  byId('opened').hidden = true;
  show(byId('open-frame'), new Blob([]), 'Page of logs');
}

// keep takes the settings that the page of the log wrote among the files.
function keep(made, path) {
  const found = made.find(([n]) => n === path);
  if (!found) return;
  files = files.filter(f => f.name !== path);
  files.push({name: path, blob: found[1], role: 'settings', made: true});
  drawFiles();
}

// takeFit takes a fit of the page of the log among the results.
function takeFit(doc, made, logs) {
  const folder = `fit${fits.length + 1}`, own = made.filter(([n]) => n.startsWith(doc.fit.folder + '/'));
  if (own.length) finished({folder, said: doc.fit.text, notes: '', line: quoted(['fit', ...logs, ...robotOption(), ...options('open')]), files: own.map(([n, blob]) => [folder + n.slice(doc.fit.folder.length), blob])});
}

// channelWords says what was read of the logs.
function channelWords(channels) {
  const by = new Map();
  for (const c of channels) by.set(`${c.log}: ${c.quantity}`, [...by.get(`${c.log}: ${c.quantity}`) ?? [], c.channel]);
  return [...by].map(([what, names]) => `${what} ${names.join(' ')}`).join('; ');
}

// set takes the options of a repair into the form and checks again.
function set(found) {
  const form = byId('form').elements;
  for (const [name, value] of found) {
    if (name === 'unit') form.unit.value = [...split(form.unit.value).filter(u => u.split('=')[0] !== value.split('=')[0]), value].join(' ');
    else if (form[name]) form[name].value = value;
    else if (!repairs.some(([n, v]) => n === name && v === value)) repairs.push([name, value]);
  }
  drawRepairs();
  look();
}

function drawRepairs() {
  byId('repairs').replaceChildren(...repairs.map(r => el('button', {type: 'button', 'aria-label': `Undo --${r.join(' ')}`,
    onclick: () => { repairs = repairs.filter(q => q !== r); drawRepairs(); look(); }}, `--${r.join(' ')} ✕`)));
}

// mend has the program write a log with its repairs, which takes the log's place.
async function mend(run) {
  const log = files.find(f => ['fit', 'validate'].includes(f.role) && stem(f.name) === run);
  if (!log) return;
  const name = repairedName(log.name);
  const got = await work(`Repairing ${log.name}`, ['check', log.name, ...robotOption(), ...options('check'), '--fix', name, '-q'], given());
  if (!got) return;
  const made = got.files.find(([n]) => n === name);
  if (!made) return problem(got.err || `No repair of values holds in ${log.name}: nothing was written.`);
  files = files.filter(f => f.name !== name);
  files.push({name, blob: made[1], role: log.role, made: true});
  log.role = 'none';
  changed();
}

// draw shows the robot in three dimensions.
async function draw() {
  const name = robotName(), words = byId('robot-words');
  drawing?.cancel();
  byId('robot-frame').hidden = true;
  if (!name || named('robot').length > 1) return say(words, name ? 'No robot is chosen.' : 'Drop the robot file, unless the log carries it.');
  say(words, `Reading ${name} …`, 'busy');
  const mine = drawing = run(['robot', name, '--html', 'robot.html'], given());
  const got = await mine.outcome;
  if (!got || drawing !== mine) return;
  const page = got.files.find(([n]) => n === 'robot.html');
  say(words, page ? got.out.split('\n')[0] : got.err, page ? '' : 'problem');
  if (!page) return;
  byId('robot-frame').hidden = false;
  show(byId('robot-frame'), page[1], `Page of the robot ${name}`);
}

// setLine shows the command lines of the fit and of the design.
function setLine() {
  byId('line').textContent = named('fit').length ? quoted(fitLine(`fit${fits.length + 1}`)) : '';
  byId('design-line').textContent = robotName() ? quoted(designLine(`motion${motions + 1}`)) : '';
}

// design has the program design a motion, shows its page and offers its samples.
async function design() {
  const motion = `motion${motions + 1}`, line = designLine(motion), frame = byId('design-frame');
  byId('problems').replaceChildren();
  const got = await work(`Designing ${motion}`, line, given());
  if (!got) return;
  const made = got.files, page = made.find(([n]) => n === `${motion}.html`);
  if (!made.length) return problem(got.err || `The design ended with code ${got.code}.`);
  motions++;
  setLine();
  byId('designed').hidden = false;
  say(byId('design-words'), [`${motion}:`, ...got.out.split('\n\n')[0].split('\n').slice(1), got.err].join(' · ').replace(/ · $/, '').replace(': ·', ':').replace(/ {2,}/g, ' '));
  byId('design-downloads').replaceChildren(...made.map(([n, blob]) => el('button', {type: 'button', onclick: () => save(n, blob)}, n)));
  frame.hidden = !page;
  if (page) show(frame, page[1], `Page of ${motion}`);
}

// fit runs one, shows it beside the one before it, and has the program compare them.
async function fit() {
  const folder = `fit${fits.length + 1}`, line = fitLine(folder);
  byId('problems').replaceChildren();
  const got = await work(`Fit ${fits.length + 1}`, line, given());
  if (!got) return;
  const made = got.files.filter(([n]) => n.startsWith(folder + '/'));
  if (!made.length) return problem(got.err || `The fit ended with code ${got.code}.`);
  finished({folder, said: got.out, notes: got.err, line: quoted(line), files: made});
  byId('results').scrollIntoView();
}

// finished shows a fit beside the one before it.
function finished(f) {
  fits.push({name: `Fit ${fits.length + 1}`, ...f});
  setLine();
  byId('results').hidden = false;
  const n = fits.length;
  byId('columns').classList.toggle('two', n > 1);
  present(byId('first'), Math.max(0, n - 2));
  if (n > 1) present(byId('second'), n - 1);
  compare();
}

// present fills a column with a fit.
function present(column, at) {
  const f = fits[at], file = name => f.files.find(([n]) => n === `${f.folder}/${name}`)?.[1];
  column.hidden = false;
  column.fit = at;
  const [grade, ...rest] = f.said.split('\n\n')[0].split('\n');
  column.querySelector('h3').textContent = `${f.name}: ${grade}`;
  column.querySelector('.said').textContent = rest.join(' · ');
  column.querySelector('code').textContent = f.line;
  column.querySelector('.downloads').replaceChildren(
    ...f.files.map(([n, blob]) => el('button', {type: 'button', onclick: () => save(n.split('/').pop(), blob)}, n.split('/').slice(1).join('/'))),
    el('button', {type: 'button', onclick: async () => save(`${f.folder}.zip`, await packed(f.files))}, 'All of them'),
    ...['urdf', 'mjcf'].map(to => el('button', {type: 'button', onclick: () => exported(f, to)}, `Identified robot, ${to.toUpperCase()}`)));
  for (const select of document.querySelectorAll('.result select')) {
    const own = select.closest('.result').fit;
    select.replaceChildren(...fits.map((g, i) => el('option', {value: i, selected: i === own}, g.name)));
    select.closest('label').hidden = fits.length < 2;
    select.onchange = () => { present(select.closest('.result'), Number(select.value)); compare(); };
  }
  show(column.querySelector('iframe'), file('report.html'), `Report of ${f.name}`);
}

// compare has the program compare the two results that are shown, beside whatever else it does.
async function compare() {
  const [a, b] = ['first', 'second'].map(id => byId(id)).map(c => c.hidden ? null : fits[c.fit]);
  const words = byId('difference-words'), frame = byId('difference-frame');
  comparing?.cancel();
  frame.hidden = true;
  byId('difference').hidden = !a || !b || a === b;
  if (byId('difference').hidden) return;
  say(words, `Comparing ${a.name} and ${b.name} …`, 'busy');
  const mine = comparing = run(['compare', a.folder, b.folder, '--html', 'compare.html'], [...a.files, ...b.files]);
  const got = await mine.outcome;
  if (!got || comparing !== mine) return;
  const page = got.files.find(([n]) => n === 'compare.html');
  say(words, page ? '' : got.err, page ? '' : 'problem');
  if (!page) return;
  frame.hidden = false;
  show(frame, page[1], `Comparison of ${a.name} and ${b.name}`);
}

// exported writes the identified robot and saves it.
async function exported(f, to) {
  const name = `identified.${to === 'mjcf' ? 'xml' : to}`;
  const got = await run(['export', f.folder, '--to', to, '-o', name], f.files).outcome;
  const made = got.files.find(([n]) => n === name);
  if (made) save(name, made[1]);
  else problem(got.err);
}

byId('theme').addEventListener('click', () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  for (const frame of document.querySelectorAll('iframe')) if (frame.shown) show(frame, frame.shown.blob, frame.shown.title);
});
byId('choose').addEventListener('click', () => byId('files').click());
byId('files').addEventListener('change', e => { take([...e.target.files].map(f => [f.name, f])); e.target.value = ''; });
byId('example').addEventListener('click', () => { files = []; take(example.map(({name, blob}) => [name, blob])); });
byId('clear').addEventListener('click', () => { files = []; repairs = []; byId('form').reset(); byId('design-form').reset(); byId('designed').hidden = true; byId('problems').replaceChildren(); drawRepairs(); changed(); });
byId('list').addEventListener('click', list);
byId('again').addEventListener('click', list);
byId('cancel').addEventListener('click', () => job?.cancel());
byId('form').addEventListener('submit', e => { e.preventDefault(); fit(); });
byId('form').addEventListener('input', setLine);
byId('design-form').addEventListener('submit', e => { e.preventDefault(); design(); });
byId('design-form').addEventListener('input', setLine);
for (const kind of ['dragover', 'drop']) {
  addEventListener(kind, async e => {
    e.preventDefault();
    byId('drop').classList.toggle('over', kind === 'dragover');
    if (kind !== 'drop' || !commands) return;
    try {
      take(await entries(e.dataTransfer));
    } catch (error) {
      problem(`What was dropped cannot be read: ${error.message}.`);
    }
  });
}
addEventListener('dragleave', () => byId('drop').classList.remove('over'));

const loading = byId('loading');
try {
  ({commands, example} = await load(n => { loading.textContent = n ? `Loading the program: ${size(n)}` : 'Starting the program …'; }));
  keys = new Map([...commands.get('fit').values(), ...commands.get('check').values()].filter(o => o.key).map(o => [o.key, o.name]));
  loading.textContent = '';
  byId('choose').disabled = byId('example').disabled = false;
} catch (e) {
  loading.className = 'problem';
  loading.textContent = `The program could not be loaded: ${e.message}. Serve the folder with: ident lab FOLDER`;
}
