// Short words for the document.
export const byId = id => document.getElementById(id);

// el makes an element: properties (on… are listeners, others attributes), then children, of which null and false are left out.
export function el(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.flat().filter(c => c != null && c !== false && c !== ''));
  return e;
}

// save offers bytes as a download.
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  el('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export const size = n => n < 1e5 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
