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
  if (!player || typeof curves === 'undefined') return viewer;
  curves.then(view => { if (view) inStep(view, player); });
  return viewer;
}

const robotFigure = startScenePage();
