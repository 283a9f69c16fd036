// The viewer of a figure: what is shown, where the robot stands, and hands on it.
class RobotViewer {
  constructor(figure, scene) {
    this.figure = figure; this.scene = scene;
    const find = c => figure.querySelector('.' + c);
    this.stage = find('stage'); this.status = find('pose');
    this.camera = new Camera(scene.up);
    this.q = [...scene.start];
    this.look = { shapes: true, meshes: true, file: true, identified: true, frames: false, regions: true, path: true };
    for (const b of figure.querySelectorAll('[data-show]')) {
      const kind = b.dataset.show;
      this.look[kind] = b.getAttribute('aria-pressed') === 'true';
      b.addEventListener('click', () => { this.look[kind] = !this.look[kind]; b.setAttribute('aria-pressed', this.look[kind]); this.soon(); });
    }
    this.frames = (scene.motions || []).map(m => new Frames(m));
    this.heat = null; // of a time on the axis, by link from 0 to 1
    this.paper = new FlatRenderer(find('flat'));
    this.renderer = null; // nothing is drawn before there is one
    hands(this);
    this.player = this.frames.some(f => f.n) ? new Player(this) : null;
    const onPaper = () => { if (this.floor === undefined) this.size(); this.draw(this.paper); };
    addEventListener('beforeprint', onPaper);
    matchMedia('print').addEventListener('change', e => { if (e.matches) onPaper(); }); // whose colours are those of paper
    addEventListener('afterprint', () => this.draw());
    this.ready = this.begin(find('solid'));
  }

  // begin prepares the view in tasks of their own, so that the page hears its user between them.
  async begin(canvas) {
    const rest = () => new Promise(done => setTimeout(done));
    await rest();
    this.size();
    await rest();
    try {
      this.renderer = await WebGLRenderer.of(canvas, this.scene, rest);
      canvas.addEventListener('webglcontextlost', () => this.lost());
    } catch { this.lost(); }
    this.soon();
    new ResizeObserver(() => this.soon()).observe(this.stage);
  }

  // lost goes on without WebGL.
  lost() { this.renderer = this.paper; this.figure.classList.add('without-webgl'); this.soon(); }

  // move gives the robot the motions of a scene that is the same but for them.
  move({ motions }) {
    this.scene.motions = motions;
    this.frames = motions.map(m => new Frames(m));
    this.size();
    this.player.take();
  }

  // size finds the ball that holds the robot along its motions.
  size() {
    const poses = [this.q];
    for (const f of this.frames) for (let k = 0; k < 40 && f.n; k++) poses.push(f.at(f.start + (f.end - f.start) * k / 39));
    const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
    const points = [], take = p => { points.push(p); p.forEach((v, i) => { if (v < lo[i]) lo[i] = v; if (v > hi[i]) hi[i] = v; }); };
    take([0, 0, 0]);
    for (const q of poses) {
      const p = linkPoses(this.scene, q);
      for (const pose of p) take(originOf(pose));
      for (const s of this.scene.shapes) if (s.link >= 0) for (const e of s.surface ? boxCorners(s.surface) : s.kind === 'capsule' ? [s.a || [0, 0, 0], s.b || [0, 0, 0]] : [originOf(s.pose)]) take(applyPose(p[s.link], e));
      this.scene.links.forEach((l, j) => {
        for (const b of [l.file, l.identified]) if (b?.centre && b.axes && b.turn && !b.large) for (let k = 0; k < 3; k++) for (const side of [-1, 1]) {
          const half = side * b.axes[k];
          take(applyPose(p[j], b.centre.map((c, i) => c + half * b.turn[3 * i + k])));
        }
      });
    }
    for (const r of this.scene.regions || []) if (!r.normal) for (const c of [r.min, r.max]) take(applyPose(r.pose || still, c));
    const middle = lo.map((v, i) => (v + hi[i]) / 2), up = this.camera.up;
    this.floor = Math.min(0, ...[lo, hi].map(p => dot3(p, up)));
    const far = Math.max(...points.map(p => length3(add(p, middle, -1))));
    this.camera.look(middle, Math.max(0.25 * this.scene.reach, far) + 0.06 * this.scene.reach + this.scene.radius);
    this.fill(points);
  }

  // fill comes as near as the points of the robot stay in the view, as it is turned now.
  fill(points) {
    const { stage: { clientWidth: w, clientHeight: h }, camera } = this, edge = 0.06 + 0.5 * this.scene.radius / camera.radius;
    for (let k = 0; k < 4 && w && h; k++) {
      camera.frame(w, h);
      const most = Math.max(...points.map(p => { const q = camera.project(p); return Math.max(Math.abs(2 * q.x / w - 1), Math.abs(2 * q.y / h - 1)); }));
      camera.closer((1 - edge) / most);
    }
  }

  soon() { this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.draw(); }); }

  // stand puts the robot at positions of its coordinates.
  stand(q, heat = null) { this.q = q; this.hot = heat; this.soon(); }

  draw(renderer = this.renderer) {
    const began = performance.now(), { stage, camera, scene } = this, ratio = devicePixelRatio || 1;
    const width = stage.clientWidth, height = stage.clientHeight, canvas = renderer?.canvas;
    if (!canvas || !width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    const colours = sceneColours();
    camera.frame(width, height);
    this.poses = linkPoses(scene, this.q);
    renderer.draw(camera, drawnParts(scene, this.poses, { ...this.look, bodies: this.look.file || this.look.identified }, colours, this.hot), floorLines(scene, camera, colours, this.floor));
    this.drawn = performance.now() - began;
  }
}

// boxCorners are the corners of the box about a surface.
const boxCorners = ({ low, high }) => Array.from({ length: 8 }, (_, k) => low.map((v, i) => k >> i & 1 ? high[i] : v));

// hands turn, move and zoom the view: drag, wheel, pinch and keys.
function hands(viewer) {
  const { stage, camera } = viewer, fingers = new Map();
  const act = f => { f(); viewer.soon(); };
  stage.addEventListener('pointerdown', e => {
    if (e.target.closest('button')) return;
    fingers.set(e.pointerId, [e.clientX, e.clientY]); stage.setPointerCapture(e.pointerId); stage.focus({ preventScroll: true });
  });
  stage.addEventListener('pointermove', e => {
    const last = fingers.get(e.pointerId);
    if (!last) return;
    const dx = e.clientX - last[0], dy = e.clientY - last[1], other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    act(() => {
      if (other) camera.closer(Math.hypot(e.clientX - other[0], e.clientY - other[1]) / Math.max(1, Math.hypot(last[0] - other[0], last[1] - other[1])));
      else if (e.shiftKey) camera.shift(dx / stage.clientHeight, dy / stage.clientHeight);
      else camera.turn(-dx * 0.01, dy * 0.01);
    });
  });
  for (const end of ['pointerup', 'pointercancel']) stage.addEventListener(end, e => fingers.delete(e.pointerId));
  // As for the torques: the wheel zooms once the figure was clicked or reached by Tab, before it scrolls the page.
  stage.addEventListener('wheel', e => {
    if (document.activeElement !== stage && !e.ctrlKey) return;
    e.preventDefault();
    act(() => camera.closer(1.0015 ** -e.deltaY));
  }, { passive: false });
  stage.addEventListener('dblclick', () => act(() => viewer.size()));
  const keys = {
    ArrowLeft: () => camera.turn(0.15, 0), ArrowRight: () => camera.turn(-0.15, 0), ArrowUp: () => camera.turn(0, 0.15), ArrowDown: () => camera.turn(0, -0.15),
    '+': () => camera.closer(1.25), '=': () => camera.closer(1.25), '-': () => camera.closer(0.8), Home: () => viewer.size(),
    ' ': () => viewer.player?.toggle(), ',': () => viewer.player?.step(-1), '.': () => viewer.player?.step(1),
  };
  stage.addEventListener('keydown', e => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act(keys[e.key]);
  });
  viewer.figure.querySelector('.home')?.addEventListener('click', () => act(() => viewer.size()));
}
