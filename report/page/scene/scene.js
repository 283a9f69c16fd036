// A page about a robot or a motion: the viewer, sliders of the joints, and curves in step with the motion.
function startScenePage() {
  const at = byId('ident-scene');
  if (!at) return null;
  const viewer = startRobot(byId('robot'), JSON.parse(at.textContent)), player = viewer.player;
  onTheme.push(() => viewer.draw());
  for (const s of document.querySelectorAll('.sliders input')) {
    const say = () => { s.parentElement.querySelector('output').textContent = (+s.value).toFixed(s.dataset.unit === 'm' ? 3 : 2) + ' ' + s.dataset.unit; };
    say();
    s.addEventListener('input', () => { say(); const q = [...viewer.q]; q[+s.dataset.coord] = +s.value; viewer.stand(q); });
  }
  const curves = document.querySelector('.curves');
  if (!player || !curves) return viewer;
  const start = +curves.dataset.start, span = +curves.dataset.end - start, lines = curves.querySelectorAll('.now');
  player.runs[0].shift = 0;
  player.onTime = time => { const x = 400 * (time - start) / span; for (const l of lines) l.setAttribute('d', `M${x} 0V100`); };
  player.place();
  player.go(player.start);
  const go = e => { const box = e.currentTarget.getBoundingClientRect(); player.stop(); player.go(start + span * (e.clientX - box.left) / box.width); };
  for (const s of curves.querySelectorAll('svg')) {
    s.addEventListener('pointerdown', go);
    s.addEventListener('pointermove', e => { if (e.buttons & 1) go(e); });
  }
  return viewer;
}
const robotFigure = startScenePage();
