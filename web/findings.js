// The findings of ident check, those of one kind in one log as one, each with the buttons that repair it.
import {el} from './dom.js';

// groups joins findings of one kind, severity and log, as the program prints them.
function groups(found) {
  const by = new Map();
  for (const f of found) {
    const key = [f.log, f.id, f.severity, f.channel || f.joint ? '' : f.why].join('\n');
    by.set(key, [...by.get(key) ?? [], f]);
  }
  return [...by.values()];
}

// settingsOf returns the options that settings of a repair stand for, [name, value] each. keys are options by their setting.
function settingsOf(group, keys) {
  const out = [];
  for (const {key, name, value} of group.flatMap(f => f.repair?.settings ?? [])) {
    const option = keys.get(key), text = (name ? `${name}=` : '') + value.replace(/^\[|\]$|\s/g, '');
    if (option && !out.some(([o, v]) => o === option && v === text)) out.push([option, text]);
  }
  return out;
}

// unbroken keeps options in a text from breaking at their hyphens.
const unbroken = text => text.split(/(--[a-z][a-z-]*)/).map((part, i) => i % 2 ? el('span', {class: 'option'}, part) : part);

// list fills a list with findings. set takes options, mend the name of a log.
export function list(into, doc, keys, {set, mend}) {
  into.replaceChildren(...groups(doc.findings ?? []).map(group => {
    const f = group[0], settings = f.severity === 'info' ? [] : settingsOf(group, keys);
    const edits = f.severity !== 'info' && group.some(g => g.repair?.edits?.length);
    const where = [...new Set(group.map(g => g.joint || g.channel).filter(Boolean))].join(', ');
    const words = settings.map(([o, v]) => `--${o} ${v}`).join(' ');
    return el('li', {class: f.severity === 'error' ? 'bad' : ''},
      el('strong', {}, f.severity === 'info' ? 'remark' : f.severity), ' ', el('code', {}, f.id), ' ',
      el('span', {class: 'why'}, where && `${where}: `, unbroken(f.why), (f.fix || f.hint) && el('span', {class: 'fix'}, '→ ', unbroken(f.fix || f.hint)),
        (settings.length > 0 || edits) && el('span', {class: 'row'},
          settings.length > 0 && el('button', {type: 'button', class: 'repair', title: words, onclick: () => set(settings)}, `Repair by ${words.length > 60 ? words.slice(0, 57) + '…' : words}`),
          edits && el('button', {type: 'button', class: 'mend', onclick: () => mend(f.log)}, 'Repair the log'))));
  }));
}
