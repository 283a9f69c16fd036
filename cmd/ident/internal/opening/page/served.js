// ask asks the server of the page, which knows it by the token of its address.
const token = location.hash.slice(1);
async function ask(path, body) {
  const r = await fetch(path, { method: body === undefined ? 'GET' : 'POST', headers: { 'X-Ident-Token': token, ...body === undefined ? {} : { 'Content-Type': 'application/json' } }, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!r.ok) throw new Error((await r.text()).trim() || `${r.status} ${r.statusText}`);
  return r.json();
}
