// The curves of sections, which have the cursor of the torques.
curves.then(async first => {
  for (const canvas of document.querySelectorAll('details canvas.curves')) {
    const id = canvas.id.replace('curve-canvas', ''), view = await showCurves(JSON.parse(byId(id + 'series').textContent), null, () => {}, id);
    if (view && first) { view.beside.push(first); first.beside.push(view); }
  }
});
