// The robot beside the torques: one time for both, and joints that show their residual.
async function startRobotFigure() {
  const at = byId('ident-scene');
  if (!at) return null;
  const scene = JSON.parse(at.textContent), viewer = startRobot(byId('robot'), scene);
  onTheme.push(() => viewer.draw());
  const view = await curves, player = viewer.player;
  if (!view || !player || player.runs.length !== view.series.runs.length) return viewer;
  const { series } = view;
  player.runs.forEach((r, i) => { r.shift = series.runs[i].shift; });
  // A joint's residual beside its root mean square torque, full at the largest of the worst moments.
  const full = series.moments.length ? series.moments[0].size : 0;
  const joints = scene.links.map(l => series.rows.findIndex(j => j.name === l.joint));
  const residual = (time, j) => { const v = j < 0 ? null : view.at(time, j); return v ? v.residual.reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a) : NaN; };
  const percent = s => s < 0.1 ? (100 * s).toPrecision(2) : (100 * s).toFixed(0);
  const share = (time, j) => Math.abs(residual(time, j)) / series.rows[j].rms;
  viewer.heat = time => joints.map(j => j < 0 || !full || !series.rows[j].rms ? null : share(time, j) / full || 0);
  viewer.words = time => {
    const worst = series.rows.map((_, j) => j).filter(j => share(time, j) > 0).sort((a, b) => share(time, b) - share(time, a))[0];
    if (worst === undefined) return '';
    const j = series.rows[worst];
    return `largest residual: ${j.name}, ${figure(residual(time, worst), j.rms / 1000)} ${j.unit}, ${percent(share(time, worst))} % of its RMS torque`;
  };
  byId('robot-scale').textContent = full ? `a joint's rings and shade grow with its residual, full at ${percent(full)} % of its RMS torque` : '';
  player.onTime = view.pointSoon;
  view.onPoint = time => { if (time !== null && !player.playing) player.go(time, false); };
  player.place();
  return viewer;
}
const robotFigure = startRobotFigure();
