// Vectors, and placements as scene.Pose has them: the nine entries of a rotation by rows, then the origin.
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length3 = a => Math.hypot(a[0], a[1], a[2]);
const unit3 = a => { const n = length3(a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };
const column = (p, k) => [p[k], p[3 + k], p[6 + k]];
const originOf = p => [p[9], p[10], p[11]];
const still = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

// compose places the frame u in the frame that p places.
function compose(p, u) {
  const out = new Array(12);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) out[3 * i + k] = p[3 * i] * u[k] + p[3 * i + 1] * u[3 + k] + p[3 * i + 2] * u[6 + k];
    out[9 + i] = p[3 * i] * u[9] + p[3 * i + 1] * u[10] + p[3 * i + 2] * u[11] + p[9 + i];
  }
  return out;
}

const applyPose = (p, v) => [0, 1, 2].map(i => p[3 * i] * v[0] + p[3 * i + 1] * v[1] + p[3 * i + 2] * v[2] + p[9 + i]);
const turnBy = (p, v) => [0, 1, 2].map(i => p[3 * i] * v[0] + p[3 * i + 1] * v[1] + p[3 * i + 2] * v[2]);

// along is the frame at a whose z axis points to b, with their distance.
function along(a, b) {
  const d = add(b, a, -1), n = length3(d), z = n ? unit3(d) : [0, 0, 1];
  const x = unit3(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z)), y = cross(z, x);
  return [[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2], a[0], a[1], a[2]], n];
}

// linkPoses are the links' frames in the base frame at positions q of the coordinates: frame j turns about, or
// slides along, its z axis.
function linkPoses(scene, q) {
  const out = [];
  for (const l of scene.links) {
    let p = l.antecedent < 0 ? l.place : compose(out[l.antecedent], l.place);
    if (l.coord >= 0) {
      const v = l.ratio * q[l.coord] + l.offset;
      const s = Math.sin(v), c = Math.cos(v);
      p = l.kind === 'prismatic' ? compose(p, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, v]) : compose(p, [c, -s, 0, s, c, 0, 0, 0, 1, 0, 0, 0]);
    }
    out.push(p);
  }
  return out;
}
