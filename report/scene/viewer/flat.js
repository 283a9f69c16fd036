// A 2D canvas for browsers without WebGL, and for paper: solids as their outlines, the farthest first.
class FlatRenderer {
  constructor(canvas) { this.canvas = canvas; this.context = canvas.getContext('2d'); }

  draw(camera, parts, floor) {
    const c = this.context, ratio = this.canvas.width / camera.width;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, camera.width, camera.height);
    c.lineJoin = 'round'; c.lineCap = 'round';
    for (const l of floor) this.line(camera, l);
    const depth = p => p.points ? Math.min(...p.points.map(q => camera.project(q).depth)) : camera.project(p.solid === 'capsule' ? add(originOf(p.pose), column(p.pose, 2), p.size[2] / 2) : originOf(p.pose)).depth;
    const later = p => p.points || p.layer === 'inside' ? 1 : 0; // lines and bodies show through the links
    const order = parts.map(p => [later(p), depth(p), p]).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    for (const [, , p] of order) p.points ? this.line(camera, p) : p.surface ? this.mesh(camera, p) : this.solid(camera, p);
    c.globalAlpha = 1;
  }

  line(camera, { points, colour, width, dashed }) {
    const c = this.context;
    c.globalAlpha = 1; c.strokeStyle = `rgb(${colour.map(Math.round)})`; c.lineWidth = width;
    c.setLineDash(dashed ? [5, 5] : []);
    c.beginPath();
    let pen = false;
    for (const p of points) {
      const q = camera.project(p);
      if (q.depth < camera.near) { pen = false; continue; }
      pen ? c.lineTo(q.x, q.y) : c.moveTo(q.x, q.y);
      pen = true;
    }
    c.stroke(); c.setLineDash([]);
  }

  // mesh draws the faces that look at the viewer, the farthest first.
  mesh(camera, { surface, pose, colour, alpha }) {
    const c = this.context, { points3, faces3 } = surfaceOf(surface), at = points3.map(p => camera.project(applyPose(pose, p))), seen = [];
    for (let f = 0; f < faces3.length; f += 3) {
      const [p, q, r] = [at[faces3[f]], at[faces3[f + 1]], at[faces3[f + 2]]], area = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
      if (area < 0 && Math.min(p.depth, q.depth, r.depth) > camera.near) seen.push([p.depth + q.depth + r.depth, p, q, r, f]);
    }
    c.globalAlpha = 1;
    for (const [, p, q, r, f] of seen.sort((a, b) => b[0] - a[0])) {
      const [u, v, w] = [0, 1, 2].map(k => points3[faces3[f + k]]), n = unit3(turnBy(pose, cross(add(v, u, -1), add(w, u, -1))));
      const shade = 0.55 + 0.45 * Math.max(0, dot3(n, camera.back));
      c.fillStyle = c.strokeStyle = `rgb(${colour.map(x => Math.round(255 + alpha * (x * shade - 255)))})`; c.lineWidth = 0.6;
      c.beginPath(); c.moveTo(p.x, p.y); c.lineTo(q.x, q.y); c.lineTo(r.x, r.y); c.closePath(); c.fill(); c.stroke();
    }
  }

  solid(camera, { solid, pose, size, colour, alpha }) {
    const c = this.context, o = originOf(pose), at = camera.project(o);
    if (at.depth < camera.near) return;
    const fill = `rgb(${colour.map(Math.round)})`, edge = `rgb(${colour.map(v => Math.round(v * 0.7))})`;
    c.globalAlpha = alpha; c.fillStyle = fill; c.strokeStyle = edge; c.lineWidth = 1;
    if (solid === 'capsule') {
      const to = camera.project(add(o, column(pose, 2), size[2]));
      if (to.depth < camera.near) return;
      c.strokeStyle = edge; c.lineWidth = 2 * size[0] * (at.scale + to.scale) / 2;
      c.beginPath(); c.moveTo(at.x, at.y); c.lineTo(to.x, to.y); c.stroke();
      c.globalAlpha = 1; c.strokeStyle = fill; c.lineWidth = Math.max(1, c.lineWidth - 2);
      c.globalAlpha = alpha; c.stroke();
      return;
    }
    c.beginPath();
    if (solid === 'sphere') { // x' M⁻¹ x = 1 with M the sum of the half-axes' products, as seen
      let a = 0, b = 0, d = 0;
      for (let k = 0; k < 3; k++) { const v = column(pose, k), x = dot3(v, camera.right) * size[k], y = -dot3(v, camera.top) * size[k]; a += x * x; b += x * y; d += y * y; }
      const m = (a + d) / 2, r = Math.hypot((a - d) / 2, b);
      c.ellipse(at.x, at.y, Math.max(0.5, Math.sqrt(m + r) * at.scale), Math.max(0.5, Math.sqrt(Math.max(0, m - r)) * at.scale), Math.atan2(2 * b, a - d) / 2, 0, 2 * Math.PI);
    } else {
      const corners = [];
      if (solid === 'box') for (let k = 0; k < 8; k++) corners.push(size.map((s, i) => k >> i & 1 ? s : -s));
      else for (let k = 0; k < 40; k++) { const t = 2 * Math.PI * k / 20; corners.push([size[0] * Math.cos(t), size[1] * Math.sin(t), k < 20 ? -size[2] : size[2]]); }
      hull(corners.map(q => { const v = camera.project(applyPose(pose, q)); return [v.x, v.y]; })).forEach(([x, y], i) => i ? c.lineTo(x, y) : c.moveTo(x, y));
      c.closePath();
    }
    c.fill(); c.stroke();
  }
}

// hull is the convex hull of points of the plane (Andrew, 1979).
function hull(points) {
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = list => {
    const out = [];
    for (const p of list) {
      while (out.length > 1) {
        const a = out.at(-2), b = out.at(-1);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(points), ...half([...points].reverse())];
}
