// WebGL: solids are unit meshes with a pose and sizes; lines are strips of quads as thick as pixels ask for.
const solidShader = `
attribute vec3 at, normal;
uniform mat4 view; uniform mat3 turn; uniform vec3 origin, size, light, back; uniform float stretch;
varying float shade;
void main() {
  vec3 n = normalize(turn * (normal / size));
  shade = 0.5 + 0.5 * max(0.0, dot(n, light) * (dot(n, back) < 0.0 ? -1.0 : 1.0));
  gl_Position = view * vec4(turn * (at * size + vec3(0.0, 0.0, stretch * size.z)) + origin, 1.0);
}`;
const solidPixels = `
precision mediump float;
uniform vec4 colour; varying float shade;
void main() { gl_FragColor = vec4(colour.rgb * shade * colour.a, colour.a); }`;
const lineShader = `
attribute vec4 at; attribute vec3 tint; varying vec3 colour;
void main() { colour = tint; gl_Position = at; }`;
const linePixels = `
precision mediump float;
varying vec3 colour;
void main() { gl_FragColor = vec4(colour, 1.0); }`;

// meshes are triangles with normals, six numbers a corner.
function unitMeshes() {
  const sphere = [], tube = [], lid = [], box = [];
  const quad = (to, a, b, c, d) => to.push(...a, ...b, ...c, ...a, ...c, ...d);
  const onSphere = (i, k) => { const a = 2 * Math.PI * i / 24, b = Math.PI * (k / 14 - 0.5), p = [Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)]; return [...p, ...p]; };
  for (let i = 0; i < 24; i++) {
    for (let k = 0; k < 14; k++) quad(sphere, onSphere(i, k), onSphere(i + 1, k), onSphere(i + 1, k + 1), onSphere(i, k + 1));
    const [x, y, u, v] = [i, i + 1].flatMap(k => [Math.cos(2 * Math.PI * k / 24), Math.sin(2 * Math.PI * k / 24)]);
    quad(tube, [x, y, -1, x, y, 0], [u, v, -1, u, v, 0], [u, v, 1, u, v, 0], [x, y, 1, x, y, 0]);
    for (const z of [-1, 1]) lid.push(0, 0, z, 0, 0, z, x, y, z, 0, 0, z, u, v, z, 0, 0, z);
  }
  for (let k = 0; k < 3; k++) for (const s of [-1, 1]) {
    const corner = (a, b) => { const p = [0, 0, 0], n = [0, 0, 0]; p[k] = n[k] = s; p[(k + 1) % 3] = a; p[(k + 2) % 3] = b; return [...p, ...n]; };
    quad(box, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
  }
  return { sphere, tube, cylinder: [...tube, ...lid], box };
}

// surfaceCorners are the triangles of a mesh, smooth across edges where its faces turn by less than 45°.
function surfaceCorners(surface) {
  const { points3, faces3 } = surfaceOf(surface), at = points3.map(() => []), flat = [], out = [];
  for (let f = 0; f < faces3.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map(k => points3[faces3[f + k]]);
    flat.push(cross(add(b, a, -1), add(c, a, -1)));
    for (let k = 0; k < 3; k++) at[faces3[f + k]].push(f / 3);
  }
  const unit = flat.map(unit3);
  for (let i = 0; i < faces3.length; i++) {
    const own = unit[Math.floor(i / 3)];
    out.push(...points3[faces3[i]], ...unit3(at[faces3[i]].filter(f => dot3(unit[f], own) > 0.7).reduce((n, f) => add(n, flat[f]), [0, 0, 0])));
  }
  return out;
}

class WebGLRenderer {
  constructor(canvas) {
    const gl = this.gl = canvas.getContext('webgl', { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error('no WebGL');
    this.canvas = canvas;
    this.solids = this.program(solidShader, solidPixels); this.lines = this.program(lineShader, linePixels);
    this.corners = gl.createBuffer(); this.strips = gl.createBuffer();
  }

  // of returns the renderer of a scene; it rests before each mesh, which takes some milliseconds.
  static async of(canvas, scene, rest) {
    const r = new WebGLRenderer(canvas), all = Object.entries(unitMeshes());
    for (const { surface } of scene.shapes) if (surface) { await rest(); all.push([surface, surfaceCorners(surface)]); }
    await rest();
    const corners = new Float32Array(all.reduce((n, [, c]) => n + c.length, 0));
    r.mesh = new Map();
    let n = 0;
    for (const [name, c] of all) { corners.set(c, n); r.mesh.set(name, [n / 6, c.length / 6]); n += c.length; }
    r.gl.bindBuffer(r.gl.ARRAY_BUFFER, r.corners);
    r.gl.bufferData(r.gl.ARRAY_BUFFER, corners, r.gl.STATIC_DRAW);
    return r;
  }

  program(vertex, fragment) {
    const { gl } = this, p = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const s = gl.createShader(kind);
      gl.shaderSource(s, text); gl.compileShader(s); gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error('WebGL: ' + gl.getProgramInfoLog(p));
    const of = {};
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) { const { name } = gl.getActiveUniform(p, i); of[name] = gl.getUniformLocation(p, name); }
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_ATTRIBUTES); i++) { const { name } = gl.getActiveAttrib(p, i); of[name] = gl.getAttribLocation(p, name); }
    return { p, of };
  }

  draw(camera, parts, floor) {
    const { gl } = this, view = camera.matrix();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST); gl.depthFunc(gl.LEQUAL); gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.strokes(camera, view, floor);
    const solids = parts.filter(p => p.solid), opaque = solids.filter(p => p.alpha === 1), seen = solids.filter(p => p.alpha < 1);
    this.prepare(camera, view);
    for (const p of opaque) this.solid(p);
    this.strokes(camera, view, parts.filter(p => p.points));
    this.prepare(camera, view);
    gl.depthMask(false);
    for (const p of seen) if (p.layer === 'inside') this.solid(p);
    gl.depthMask(true); // of the skin its front alone: depths first, then colours
    gl.colorMask(false, false, false, false);
    for (const p of seen) if (p.layer === 'skin') this.solid(p);
    gl.colorMask(true, true, true, true);
    for (const p of seen) if (p.layer === 'skin') this.solid(p);
    gl.depthMask(false);
    for (const p of seen) if (p.layer === 'region') this.solid(p);
    gl.depthMask(true);
  }

  prepare(camera, view) {
    const { gl, solids: { p, of } } = this, light = unit3(add(add(camera.back, camera.top, 0.7), camera.right, -0.4));
    gl.useProgram(p);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.enableVertexAttribArray(of.at); gl.vertexAttribPointer(of.at, 3, gl.FLOAT, false, 24, 0);
    gl.enableVertexAttribArray(of.normal); gl.vertexAttribPointer(of.normal, 3, gl.FLOAT, false, 24, 12);
    gl.uniformMatrix4fv(of.view, false, view); gl.uniform3fv(of.light, light); gl.uniform3fv(of.back, camera.back);
  }

  solid({ solid, surface, pose, size, colour, alpha }) {
    const { gl, solids: { of } } = this;
    gl.uniformMatrix3fv(of.turn, false, [0, 1, 2].flatMap(k => column(pose, k)));
    gl.uniform4f(of.colour, colour[0] / 255, colour[1] / 255, colour[2] / 255, alpha);
    const mesh = (name, origin, s, stretch = 0) => {
      gl.uniform3fv(of.origin, origin); gl.uniform3fv(of.size, s.map(v => Math.max(v, 1e-6))); gl.uniform1f(of.stretch, stretch);
      gl.drawArrays(gl.TRIANGLES, ...this.mesh.get(name));
    };
    if (solid !== 'capsule') { mesh(surface || solid, originOf(pose), size); return; }
    const [r, , n] = size, a = originOf(pose);
    if (n > 0) mesh('tube', a, [r, r, n / 2], 1);
    mesh('sphere', a, [r, r, r]); mesh('sphere', add(a, column(pose, 2), n), [r, r, r]);
  }

  // strokes draws lines: two triangles for each stretch, in the coordinates of the screen.
  strokes(camera, view, lines) {
    const { gl, lines: { p, of } } = this, out = [], w = this.canvas.width, h = this.canvas.height, ratio = w / camera.width;
    const clip = q => [0, 1, 2, 3].map(i => view[i] * q[0] + view[4 + i] * q[1] + view[8 + i] * q[2] + view[12 + i]);
    const stretch = (a, b, width, colour) => {
      const dx = (b[0] / b[3] - a[0] / a[3]) * w, dy = (b[1] / b[3] - a[1] / a[3]) * h, n = Math.hypot(dx, dy);
      if (!n) return;
      const x = -dy / n * width * ratio / w, y = dx / n * width * ratio / h, tint = colour.map(v => v / 255);
      const corner = (c, s) => out.push(c[0] + s * x * c[3], c[1] + s * y * c[3], c[2], c[3], ...tint);
      corner(a, 1); corner(a, -1); corner(b, 1); corner(b, 1); corner(a, -1); corner(b, -1);
    };
    for (const { points, colour, width, dashed } of lines) for (let i = 1; i < points.length; i++) {
      let a = clip(points[i - 1]), b = clip(points[i]);
      if (a[3] < camera.near && b[3] < camera.near) continue;
      if (a[3] < camera.near || b[3] < camera.near) { // cut where the line passes the eye
        const s = (camera.near - a[3]) / (b[3] - a[3]), c = a.map((v, k) => v + s * (b[k] - v));
        if (a[3] < camera.near) a = c; else b = c;
      }
      const n = dashed ? Math.max(1, Math.round(Math.hypot((b[0] / b[3] - a[0] / a[3]) * w, (b[1] / b[3] - a[1] / a[3]) * h) / 2 / ratio / 5)) : 1;
      const between = s => a.map((v, k) => v + s * (b[k] - v));
      for (let k = 0; k < n; k += 2) stretch(between(k / n), between(Math.min(1, (k + 1) / n)), width, colour);
    }
    if (!out.length) return;
    gl.useProgram(p);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strips);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(out), gl.STREAM_DRAW);
    gl.enableVertexAttribArray(of.at); gl.vertexAttribPointer(of.at, 4, gl.FLOAT, false, 28, 0);
    gl.enableVertexAttribArray(of.tint); gl.vertexAttribPointer(of.tint, 3, gl.FLOAT, false, 28, 16);
    gl.drawArrays(gl.TRIANGLES, 0, out.length / 7);
  }
}
