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

// inStep gives the curves and the robot one time: the cursor moves the robot, and the playing robot the cursor.
function inStep(view, player) {
  if (player.runs.length !== view.series.runs.length) return;
  player.runs.forEach((r, i) => { r.shift = view.series.runs[i].shift; });
  player.onTime = time => { view.point(time); view.soon(); };
  view.onPoint = time => { if (time !== null && !player.playing) player.go(time, false); };
  player.place();
  player.go(player.start);
}
const robotFigure = startScenePage();
