// A camera that looks at a point from a distance, with the scene's up on top.
class Camera {
  constructor(up) {
    this.up = unit3(up);
    const x = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    this.east = unit3(add(x, this.up, -dot3(x, this.up))); this.north = cross(this.up, this.east);
  }

  // look sees a ball whole, from the front right and a little from above.
  look(centre, radius) {
    this.centre = centre; this.radius = radius;
    this.target = centre; this.yaw = -0.9; this.pitch = 0.35; this.zoom = 1;
  }

  turn(yaw, pitch) { this.yaw += yaw; this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + pitch)); }
  closer(factor) { this.zoom = Math.max(0.3, Math.min(20, this.zoom * factor)); }

  // shift moves the target by shares of the view.
  shift(x, y) {
    const s = this.distance * 2 * this.tangent;
    this.target = add(add(this.target, this.right, -x * s), this.top, y * s);
  }

  // frame makes the axes of a view of this size in pixels.
  frame(width, height) {
    const c = Math.cos(this.pitch), s = Math.sin(this.pitch);
    const back = add(add([0, 1, 2].map(i => this.up[i] * s), this.east, c * Math.cos(this.yaw)), this.north, c * Math.sin(this.yaw));
    this.back = unit3(back); this.right = unit3(cross(this.up, this.back)); this.top = cross(this.back, this.right);
    this.tangent = Math.tan(0.3); // of half the smaller angle of view
    this.width = width; this.height = height; this.half = Math.min(width, height) / 2;
    this.distance = this.radius / Math.sin(0.3) / this.zoom;
    this.eye = add(this.target, this.back, this.distance);
    this.near = Math.max(this.distance - 3 * this.radius, this.distance / 50); this.far = this.distance + 6 * this.radius;
  }

  // project is a point's place in the view, its depth, and the pixels of a metre there.
  project(p) {
    const d = add(p, this.eye, -1), depth = -dot3(d, this.back), scale = this.half / this.tangent / Math.max(depth, this.near);
    return { x: this.width / 2 + dot3(d, this.right) * scale, y: this.height / 2 - dot3(d, this.top) * scale, depth, scale };
  }

  // matrix is the projection of WebGL, by columns.
  matrix() {
    const fx = this.half / this.tangent / (this.width / 2), fy = this.half / this.tangent / (this.height / 2), { near: n, far: f } = this;
    const view = [this.right, this.top, this.back], move = view.map(a => -dot3(a, this.eye)), a = (f + n) / (n - f), b = 2 * f * n / (n - f);
    const out = new Float32Array(16);
    for (let k = 0; k < 3; k++) {
      out[4 * k] = fx * view[0][k]; out[4 * k + 1] = fy * view[1][k]; out[4 * k + 2] = a * view[2][k]; out[4 * k + 3] = -view[2][k];
    }
    out[12] = fx * move[0]; out[13] = fy * move[1]; out[14] = a * move[2] + b; out[15] = -move[2];
    return out;
  }
}
