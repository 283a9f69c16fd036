// Tables: a click on a head sorts by its column, a second click turns the order, a third gives the first one back; each table copies as CSV.
function columnsOf(table) {
  const columns = []; // by column: the names of its heads, from above, and the head that sorts
  [...table.tHead.rows].forEach((row, r) => {
    let at = 0;
    for (const cell of row.cells) {
      while (columns[at]?.until > r) at++;
      for (let k = 0; k < cell.colSpan; k++, at++) {
        const c = columns[at] ??= { names: [], until: 0 };
        c.names.push(cell.textContent.trim());
        if (cell.colSpan > 1) continue;
        c.head = cell;
        c.until = r + cell.rowSpan;
      }
    }
  });
  return columns;
}

// cellText is what a cell says; drawings say nothing.
const cellText = cell => cell ? cell.textContent.trim() : '';

// order compares two texts: numbers by value, before words; what is empty or a dash stands last, whichever the direction.
function order(a, b, direction) {
  const empty = s => s === '' || s === '–';
  if (empty(a) || empty(b)) return empty(a) - empty(b);
  const number = s => { const m = /^[<>~±]?\s*([-+]?[\d.]+(?:e[-+]?\d+)?)/i.exec(s.replace('−', '-')); return m ? +m[1] : NaN; };
  const x = number(a), y = number(b);
  if (x === x && y === y) return direction * (x - y);
  if ((x === x) !== (y === y)) return x === x ? -1 : 1;
  return direction * a.localeCompare(b, 'en', { numeric: true });
}

function sortable(table, columns) {
  const body = table.tBodies[0], first = [...body.rows];
  columns.forEach((column, k) => {
    const head = column.head;
    if (!head || head.textContent.trim() === '' || first.length < 2) return;
    const button = document.createElement('button');
    button.type = 'button'; button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort'), next = { ascending: 'descending', descending: null }[now] ?? (now ? null : 'ascending');
      for (const c of columns) c.head?.removeAttribute('aria-sort');
      if (next) head.setAttribute('aria-sort', next);
      const direction = next === 'descending' ? -1 : 1;
      body.append(...(next ? first.toSorted((a, b) => order(cellText(a.cells[k]), cellText(b.cells[k]), direction)) : first));
    });
  });
}

// csv writes rows of texts by RFC 4180.
function csv(rows) {
  const field = s => /[",\n\r]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  return rows.map(r => r.map(s => field(s.replace(/\s+/g, ' '))).join(',')).join('\r\n') + '\r\n';
}

async function copyText(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = 'copied';
  setTimeout(() => { button.textContent = label; }, 1500);
}

function copyButton(what, text) {
  const button = document.createElement('button');
  button.type = 'button'; button.className = 'copy-csv'; button.textContent = 'copy CSV';
  button.title = 'copy CSV of ' + what;
  button.addEventListener('click', () => copyText(text(), button));
  return button;
}

// tableCSV is a table as it stands, sorted or not; cells that span several columns leave the others empty.
function tableCSV(table, columns) {
  const rows = [columns.map(c => c.names.filter(s => s).join(' '))];
  for (const part of [...table.tBodies, table.tFoot]) if (part) for (const row of part.rows) {
    const cells = [];
    for (const cell of row.cells) { cells.push(cellText(cell)); for (let k = 1; k < cell.colSpan; k++) cells.push(''); }
    rows.push(cells);
  }
  return csv(rows);
}

function parametersCSV(list) {
  const rows = [['parameter', 'link', 'value', 'sigma', 'unit', 'relative sigma %', 'mark', 'expression', '95 % interval', 'robot file']];
  for (const row of list.children) {
    if (row.hidden) continue;
    const cells = [...row.querySelector('summary').children].filter(c => !c.classList.contains('forest')).map(cellText);
    const facts = new Map([...row.querySelectorAll('.facts div')].map(d => [d.firstChild.textContent, d.lastChild.textContent]));
    rows.push([...cells, ...['expression', '95 % interval', 'robot file'].map(name => facts.get(name) ?? '')]);
  }
  return csv(rows);
}

function startTables() {
  for (const table of document.querySelectorAll('main table:not(.bars)')) {
    if (!table.tHead || !table.tBodies[0]) continue;
    const columns = columnsOf(table), caption = table.caption ?? table.createCaption();
    const what = table.parentElement.getAttribute('aria-label') || cellText(caption);
    sortable(table, columns);
    caption.append(copyButton(what, () => tableCSV(table, columns)));
  }
  const list = byId('parameter-rows');
  if (list) document.querySelector('#parameters .controls').append(copyButton('base parameters', () => parametersCSV(list)));
}
startTables();
