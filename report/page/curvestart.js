// startCurves draws the curves of the page, null where there are none or a browser cannot decode them.
async function startCurves() {
  await painted();
  const at = byId('ident-series'), view = at && await showCurves(JSON.parse(at.textContent));
  if (!view) root.classList.add('still');
  return view;
}
const curves = startCurves().catch(e => { root.classList.add('still'); throw e; });
