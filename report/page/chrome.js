// The page's own switches: theme, print, the command, sections that open.
'use strict';
const root = document.documentElement;
root.classList.add('js');
const byId = id => document.getElementById(id);
const put = (e, text) => { if (e.textContent !== text) e.textContent = text; }; // the same text would be laid out again
const onTheme = []; // drawings that follow the theme

function isDark() {
  const set = root.dataset.theme;
  return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

// redrawAll draws at once; redrawInTurn leaves a frame to the page's own colours, and one to each drawing.
function redrawAll() { for (const f of onTheme) f(); }
async function redrawInTurn() {
  for (const f of [...onTheme]) {
    await new Promise(done => { requestAnimationFrame(() => setTimeout(done)); });
    f();
  }
}

byId('theme').addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  redrawInTurn();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawInTurn);
matchMedia('print').addEventListener('change', redrawAll); // paper is light

byId('print').addEventListener('click', () => print());

// Paper has no summaries to click: everything opens, and closes again afterwards.
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const d of closed) d.open = true;
});
addEventListener('afterprint', () => {
  for (const d of closed) d.open = false;
  closed = [];
});

const copy = byId('copy');
if (copy) copy.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(byId('command').textContent);
    copy.textContent = 'copied';
  } catch {
    getSelection().selectAllChildren(byId('command'));
    copy.textContent = 'selected';
  }
  setTimeout(() => { copy.textContent = 'copy command'; }, 1500);
});

// A link into a closed section opens it.
function openTarget() {
  const at = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  if (!at) return;
  for (let e = at; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
  at.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
