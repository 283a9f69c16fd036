// Parts of a drawing, for either renderer: solids {solid, pose, size, colour, alpha} and lines {points, colour,
// width, dashed}. Colours are [r, g, b] from 0 to 255. Solids of layer 'inside' show through those of layer 'skin'.

const hexColour = s => { const v = parseInt(s.slice(1), 16); return [v >> 16, v >> 8 & 255, v & 255]; };
const mix = (a, b, s) => a.map((v, i) => v + s * (b[i] - v));

function sceneColours() {
  const style = getComputedStyle(document.documentElement), out = {};
  for (const n of ['ink', 'quiet', 'grid', 'line', 'ground', 'box', 'measured', 'predicted', 'residual', 'doubt', 'fail']) out[n] = hexColour(style.getPropertyValue('--' + n).trim());
  return out;
}

// ring is a circle about the z axis of a pose.
function ring(pose, radius, n = 28) {
  const out = [];
  for (let i = 0; i <= n; i++) { const a = 2 * Math.PI * i / n; out.push(applyPose(pose, [radius * Math.cos(a), radius * Math.sin(a), 0])); }
  return out;
}

// drawnParts lists the parts of a scene at poses of its links. look says what is shown; heat is each link's residual
// from 0 to 1, null for none.
function drawnParts(scene, poses, look, colours, heat) {
  const parts = [], place = j => j < 0 ? still : poses[j], thick = scene.radius;
  const solid = (solid, pose, size, colour, alpha, layer) => parts.push({ solid, pose, size, colour, alpha, layer });
  const line = (points, colour, width, dashed) => parts.push({ points, colour, width, dashed });

  const dressed = new Set(look.meshes ? scene.shapes.filter(s => s.surface).map(s => s.link) : []);
  if (look.shapes) for (const s of scene.shapes) {
    if (dressed.has(s.link) !== Boolean(s.surface)) continue;
    const p = place(s.link), cell = s.link < 0 && !s.surface, alpha = cell ? 0.16 : look.bodies ? (s.surface ? 0.6 : 0.42) : 1, layer = cell ? 'region' : 'skin';
    const unknown = s.link >= 0 && scene.links[s.link].unknown; // pale, and its body as lines
    const colour = unknown ? mix(colours.quiet, colours.ground, 0.7) : mix(colours.measured, colours.ground, s.link < 0 ? 0.4 : 0.25);
    if (s.surface) parts.push({ solid: 'mesh', surface: s.surface, pose: p, size: [1, 1, 1], colour, alpha, layer });
    else if (s.kind === 'capsule') {
      const [pose, n] = along(applyPose(p, s.a || [0, 0, 0]), applyPose(p, s.b || [0, 0, 0]));
      parts.push({ solid: 'capsule', pose, size: [s.size[0], s.size[0], n], colour, alpha, layer });
    } else {
      const pose = compose(p, s.pose), [a, b, c] = s.size;
      if (s.kind === 'box') solid('box', pose, [a / 2, b / 2, c / 2], colour, alpha, layer);
      else if (s.kind === 'cylinder') solid('cylinder', pose, [a, a, c / 2], colour, alpha, layer);
      else solid('sphere', pose, [a, a, a], colour, alpha, layer);
    }
  }

  scene.links.forEach((l, j) => {
    const p = poses[j], h = heat ? heat[j] : null;
    if (l.coord >= 0 && !l.virtual && look.shapes && !(dressed.has(j) && !h)) {
      const colour = h === null || h === undefined ? mix(colours.quiet, colours.ground, 0.3) : mix(mix(colours.quiet, colours.ground, 0.35), colours.residual, Math.min(1, h));
      if (l.kind === 'prismatic') {
        solid('box', p, [0.9 * thick, 0.9 * thick, 1.3 * thick], colour, 1, 'joint');
        line([originOf(l.antecedent < 0 ? l.place : compose(poses[l.antecedent], l.place)), originOf(p)], colours.quiet, 2, true);
      } else solid('cylinder', p, [1.25 * thick, 1.25 * thick, 1.35 * thick], colour, 1, 'joint');
      if (h > 0.02) for (const z of [-1.35, 1.35]) line(ring(compose(p, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, z * thick]), thick * (1.25 + 2.4 * Math.min(1, h))), colours.residual, 2.5);
    }
    if (look.frames) axesOf(p, 3.2 * thick, colours, line);
    if (look.file && l.file) bodyParts(l.file, p, colours.ink, false, thick, solid, line);
    if (look.identified && l.identified) bodyParts(l.identified, p, l.unknown ? colours.quiet : colours.predicted, !l.identified.given && !l.unknown, thick, solid, line);
  });
  for (const [a, b] of scene.loops || []) {
    const u = applyPose(place(a.link), a.at), v = applyPose(place(b.link), b.at);
    if (look.shapes) solid('sphere', [1, 0, 0, 0, 1, 0, 0, 0, 1, ...u], [1.3 * thick, 1.3 * thick, 1.3 * thick], colours.quiet, 1, 'joint');
    if (length3(add(u, v, -1)) > 0.01 * scene.reach) line([u, v], colours.doubt, 2, true);
  }
  if (look.regions) for (const r of scene.regions || []) regionParts(r, scene, colours, solid, line);
  if (look.path && scene.path) line(scene.path, colours.predicted, 2);
  return parts;
}

// surfaceOf is the surface of a mesh: corners in the frame of its link, and the numbers of three of them for each face.
function surfaceOf(s) {
  if (s.points3) return s;
  const words = text => { const b = atob(text), out = new Uint16Array(b.length / 2); for (let i = 0; i < out.length; i++) out[i] = b.charCodeAt(2 * i) | b.charCodeAt(2 * i + 1) << 8; return out; };
  const p = words(s.points);
  s.points3 = Array.from({ length: p.length / 3 }, (_, i) => [0, 1, 2].map(k => s.low[k] + (s.high[k] - s.low[k]) * p[3 * i + k] / 65535));
  s.faces3 = words(s.faces);
  return s;
}

// axesOf draws the axes of a frame: x short, y shorter, z long with a head, so that they are told apart without
// their shades.
function axesOf(p, size, colours, line) {
  const o = originOf(p), tip = (v) => applyPose(p, v.map(x => x * size));
  line([o, tip([0.8, 0, 0])], colours.doubt, 2);
  line([o, tip([0, 0.5, 0])], colours.quiet, 2);
  line([o, tip([0, 0, 1.2])], colours.ink, 2);
  line([tip([0.1, 0, 1]), tip([0, 0, 1.2]), tip([-0.1, 0, 1])], colours.ink, 2);
}

// bodyParts draws a body: its centre of mass and its ellipsoid, full for the identified one and as three rings for
// the file's, dashed where it is larger than the links or where nothing in it is of the data; the doubt of a centre as a box of lines of twice its deviations.
function bodyParts(b, link, colour, full, thick, solid, line) {
  if (!b.centre) return;
  const at = applyPose(link, b.centre), r = 0.3 * thick;
  if (full) solid('sphere', [...link.slice(0, 9), ...at], [r, r, r], colour, 1, 'inside');
  else for (const k of [0, 1, 2]) { const d = [0, 0, 0]; d[k] = 2 * r; line([applyPose(link, add(b.centre, d)), applyPose(link, add(b.centre, d, -1))], colour, 2); }
  if (b.axes) {
    const pose = compose(link, [...b.turn, ...b.centre]), least = 0.02 * thick, axes = b.axes.map(a => Math.max(a, least));
    if (full && !b.large) solid('sphere', pose, axes, colour, 0.5, 'inside');
    else for (const k of [0, 1, 2]) {
      const points = [];
      for (let i = 0; i <= 32; i++) { const a = 2 * Math.PI * i / 32, v = [0, 0, 0]; v[(k + 1) % 3] = axes[(k + 1) % 3] * Math.cos(a); v[(k + 2) % 3] = axes[(k + 2) % 3] * Math.sin(a); points.push(applyPose(pose, v)); }
      line(points, colour, 1.4, b.large || b.given);
    }
  }
  if (full && b.doubt) for (const k of [0, 1, 2]) { const d = [0, 0, 0]; d[k] = 2 * b.doubt[k]; line([applyPose(link, add(b.centre, d)), applyPose(link, add(b.centre, d, -1))], colour, 1.4); }
}

// regionParts draws a keep-out: a box by its faces and edges, a half-space by a hatched plate of its plane.
function regionParts(r, scene, colours, solid, line) {
  if (!r.normal) {
    const p = r.pose || still, middle = [0, 1, 2].map(i => (r.min[i] + r.max[i]) / 2), half = [0, 1, 2].map(i => (r.max[i] - r.min[i]) / 2);
    const pose = compose(p, [1, 0, 0, 0, 1, 0, 0, 0, 1, ...middle]), corner = k => applyPose(pose, half.map((h, i) => k >> i & 1 ? h : -h));
    solid('box', pose, half, colours.fail, 0.14, 'region');
    for (let k = 0; k < 8; k++) for (let i = 0; i < 3; i++) if (!(k >> i & 1)) line([corner(k), corner(k | 1 << i)], colours.fail, 1.4);
    return;
  }
  const n = unit3(r.normal), [pose] = along([0, 1, 2].map(i => n[i] * (r.offset || 0) / length3(r.normal)), [0, 1, 2].map(i => n[i] * ((r.offset || 0) / length3(r.normal) + 1)));
  const size = 1.1 * scene.reach, at = (x, y) => applyPose(pose, [x, y, 0]);
  line([at(-size, -size), at(size, -size), at(size, size), at(-size, size), at(-size, -size)], colours.fail, 1.4);
  for (let k = -3; k <= 3; k++) line([at(k * size / 4 - size / 8, -size), at(k * size / 4 + size / 8, size)], colours.fail, 0.7, true);
}

// floorLines is the grid of the floor below the robot, in steps of a round length.
function floorLines(scene, camera, colours, height) {
  const decade = 10 ** Math.floor(Math.log10(scene.reach / 4)), step = decade * [1, 2, 5, 10].find(k => k * decade >= scene.reach / 4);
  const n = 5, out = [], { east, north, up } = camera;
  const at = (x, y) => add(add(add([0, 0, 0], east, x * step), north, y * step), up, height);
  for (let k = -n; k <= n; k++) {
    const width = k ? 1 : 1.6;
    out.push({ points: [at(k, -n), at(k, n)], colour: colours.line, width }, { points: [at(-n, k), at(n, k)], colour: colours.line, width });
  }
  return out;
}
