// Motions on one time axis, one after another; they play only when asked to.
class Player {
  constructor(viewer) {
    this.viewer = viewer;
    const find = c => viewer.figure.querySelector('.' + c);
    this.button = find('play'); this.slider = find('scrub'); this.when = find('when'); this.speed = find('speed');
    this.onTime = null; // is told the time on the axis
    this.playing = false;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.take();
    this.button.addEventListener('click', () => this.toggle());
    this.slider.addEventListener('input', () => { this.stop(); this.go(+this.slider.value); });
    find('motion').hidden = false;
  }

  // take takes the motions of the viewer.
  take() {
    let end = 0;
    this.runs = this.viewer.frames.filter(f => f.n).map(f => { const shift = end - f.start; end += f.end - f.start; return { f, shift }; });
    this.place();
  }

  // place sets the axis: the runs' shifts were set before.
  place() {
    this.start = Math.min(...this.runs.map(r => r.f.start + r.shift)); this.end = Math.max(...this.runs.map(r => r.f.end + r.shift));
    Object.assign(this.slider, { min: this.start, max: this.end, step: 'any' });
    this.go(this.start, false);
  }

  // go stands the robot where it is at a time of the axis, that of the nearest run between two.
  go(time, tell = true) {
    time = Math.max(this.start, Math.min(this.end, time));
    const away = r => Math.max(r.f.start + r.shift - time, time - r.f.end - r.shift, 0);
    const run = this.runs.reduce((a, b) => away(b) < away(a) ? b : a);
    this.time = time; this.run = run;
    const own = Math.max(run.f.start, Math.min(run.f.end, time - run.shift));
    this.slider.value = time;
    this.slider.setAttribute('aria-valuetext', `${own.toFixed(2)} s of ${run.f.name}`);
    this.when.textContent = `${own.toFixed(2)} s`;
    this.when.title = run.f.name;
    this.viewer.stand(run.f.at(own), this.viewer.heat?.(time));
    this.viewer.status.textContent = this.playing ? '' : this.viewer.words?.(time) || '';
    if (tell) this.onTime?.(time);
  }

  toggle() { if (this.playing) this.stop(); else this.play(); }

  play() {
    if (this.time >= this.end) this.go(this.start);
    this.playing = true; this.label();
    let last = performance.now();
    const next = now => {
      if (!this.playing) return;
      // Where motion is not wanted, the robot stands still for half a second at a time.
      const passed = (now - last) / 1000;
      if (!this.calm.matches || passed >= 0.5) {
        last = now;
        this.go(this.time + Math.min(passed, 0.5) * +this.speed.value);
        if (this.time >= this.end) { this.stop(); return; }
      }
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }

  stop() { if (!this.playing) return; this.playing = false; this.label(); this.go(this.time); }

  step(sign) { this.stop(); this.go(this.time + sign * Math.max(0.05, (this.end - this.start) / 400)); }

  label() {
    this.button.textContent = this.playing ? '❚❚' : '▶';
    this.button.setAttribute('aria-label', this.playing ? 'Stop the motion' : 'Play the motion');
  }
}
