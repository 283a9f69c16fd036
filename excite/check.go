package excite

import (
	"math"
	"slices"

	"ident/internal/spatial"
)

// Margin is what a trajectory leaves free of a joint's limits at its worst
// moment, as a fraction of the limit, of half the range for the position. A
// joint held still has zero margins of velocity and acceleration and no room.
// Jerk, Torque and Power are nil where there is no such limit.
type Margin struct {
	Joint        string   `json:"joint"`
	Position     float64  `json:"position"`
	Velocity     float64  `json:"velocity"`
	Acceleration float64  `json:"acceleration"`
	Jerk         *float64 `json:"jerk,omitempty"`
	Torque       *float64 `json:"torque,omitempty"`
	Power        *float64 `json:"power,omitempty"`
}

// Worst returns the smallest of the margins.
func (m *Margin) Worst() float64 {
	w := min(m.Position, m.Velocity, m.Acceleration)
	for _, x := range []*float64{m.Jerk, m.Torque, m.Power} {
		if x != nil {
			w = min(w, *x)
		}
	}
	return w
}

// checkRate is the grid of the final check, Hz.
const checkRate = 10000

// verdict is the outcome of the final check.
type verdict struct {
	margins    []Margin
	violations int
	excesses   [][]Excess // of each coupled constraint, by part; proven, without margin
}

// checkTimes are the times of the final check: a grid of checkRate and the knots
// of the motion.
func checkTimes(m Motion) []float64 {
	n := min(max(2, int(math.Ceil(checkRate*m.Duration()))), 1<<21)
	t := append(steps(n, m.Duration(), 0), m.Duration())
	if knots := m.Knots(); len(knots) > 0 {
		t = merge(t, knots)
	}
	return t
}

// check measures a trajectory against its joints' full limits, on a dense grid
// with a proven bound between its points, from the coefficients alone. A Fourier
// series has the bound of Ehlich and Zeller. Anything else lies between two
// points a time h apart within h²/8·max|f"| of the straight line between them.
func check(m Motion, axes []axis) (margins []Margin, violations int) {
	joints := m.DOF()
	var now [4][]float64
	for o := range now {
		now[o] = make([]float64, joints)
	}
	tr, series := m.(*Trajectory)
	var times []float64
	factor := 1.0
	if series {
		n := max(gridPerHarmonic*tr.Harmonics(), min(int(math.Ceil(checkRate*tr.Period)), 1<<21))
		times, factor = steps(n, tr.Period, 0), betweenSamples(tr.Harmonics(), n)
	} else {
		times = checkTimes(m)
	}
	peak := make([][4]float64, joints)
	for _, t := range times {
		m.Eval(t, now[0], now[1], now[2])
		m.Jerk(t, now[3])
		for i := range axes {
			now[0][i] -= axes[i].centre
			for o := range now {
				peak[i][o] = max(peak[i][o], math.Abs(now[o][i]))
			}
		}
	}
	for i := range axes {
		ax := &axes[i]
		out := Margin{Joint: ax.name}
		limits := [4]float64{(ax.full.Upper - ax.full.Lower) / 2, ax.full.Velocity, ax.full.Accel, ax.full.Jerk}
		for o, to := range [3]*float64{&out.Position, &out.Velocity, &out.Acceleration} {
			used := peak[i][o] * factor
			if !series {
				used += curve(times, m.Bound(i, o+2))
			}
			if ax.held {
				// Held where the range is: rounding of its own size is no motion.
				if used > 1e-12*max(1, math.Abs(ax.centre)) {
					violations++
				}
				continue
			}
			*to = 1 - used/limits[o]
			if !(used <= limits[o]) {
				violations++
			}
		}
		if given(limits[3]) && !ax.held {
			used := peak[i][3] * factor
			if !series {
				used = m.Bound(i, 3) // it may jump at knots
			}
			free := 1 - used/limits[3]
			out.Jerk = &free
			if !(used <= limits[3]) {
				violations++
			}
		}
		margins = append(margins, out)
	}
	return margins, violations
}

// curve is how far a function with the given bound of its second derivative can
// be from straight between two of the times: h²/8·bound.
func curve(times []float64, bound float64) float64 {
	return step(times) * step(times) / 8 * bound
}

// step is the longest step of a grid.
func step(times []float64) float64 {
	if len(times) < 2 {
		return 0
	}
	h := times[1] - times[0] // of the uniform part
	for k := 1; k < len(times) && k < 64; k++ {
		h = max(h, times[k]-times[k-1])
	}
	return h
}

// verify is the final check of everything.
func (d *design) verify(m Motion) verdict {
	var v verdict
	v.margins, v.violations = check(m, d.s.axes)
	if len(d.coupled) == 0 {
		return v
	}
	times := checkTimes(m)
	e := newSpectrum(d.p.Model, chunk, d.use, nil, nil)
	var all []linkJets
	reach := func(c int) float64 { return max(math.Abs(d.s.axes[c].full.Lower), math.Abs(d.s.axes[c].full.Upper)) }
	if d.p.Robot != nil && d.p.Model.Loops() == nil {
		all = jets(newFigure(d.p.Robot), d.p.Robot.Gravity, m, reach)
	}
	for _, make := range d.coupled {
		c := make()
		v.excesses = append(v.excesses, d.sweep(e, c, m, times, all))
	}
	for i, make := range d.coupled {
		for _, x := range v.excesses[i] {
			if x.Part > 0 {
				v.violations++
			}
			if _, torque := make().(*torqueLimits); !torque || math.IsInf(x.Part, -1) {
				continue
			}
			free := -x.Part
			if to := &v.margins[x.part/2]; x.part%2 == 0 {
				to.Torque = &free
			} else {
				to.Power = &free
			}
		}
	}
	return v
}

// chunk is the number of samples that the final check looks at at once.
const chunk = 2048

// sweep returns the proven worst excess of every part of a coupled constraint
// over the limit itself.
func (d *design) sweep(e *spectrum, c coupled, m Motion, times []float64, all []linkJets) []Excess {
	out := make([]Excess, len(c.slack()))
	for i := range out {
		out[i].Part, out[i].part = math.Inf(-1), i
	}
	worse := func(x Excess) {
		if x.Part > out[x.part].Part {
			out[x.part] = x
		}
	}
	h := step(times)
	var entries [][]float64
	speeds := make([]float64, len(out))
	switch c := c.(type) {
	case *torqueLimits:
		if all != nil {
			entries = entryJets(d.p.Robot, d.p.Model, all, m)
		}
	case *apartness:
		for i := range c.pairs {
			speeds[i] = capsuleSpeed(all, &c.in.of[c.pairs[i].a])
			if b := c.pairs[i].b; b >= 0 {
				speeds[i] += capsuleSpeed(all, &c.in.of[b])
			}
		}
	case *tipSpeed:
		x := &all[c.link]
		speeds[0] = x.v.add(x.w.scale(spatial.Norm(c.at)))[2]
	}
	before := grid(len(d.s.axes), 3) // a joint's torque and rate at the sample before, and its torque without what lies between
	passes := [][]float64{times}
	if _, ok := c.(*apartness); ok {
		// A coarse pass finds near what is worst; most of the fine one can then
		// be skipped.
		var coarse []float64
		for k := 0; k < len(times); k += 100 {
			coarse = append(coarse, times[k])
		}
		passes = [][]float64{coarse, times}
	}
	for _, times := range passes {
		d.sweepOnce(e, c, m, times, h, entries, speeds, before, worse, out)
	}
	return out
}

// sweepOnce looks at the given times, each standing for h/2 to either side.
func (d *design) sweepOnce(e *spectrum, c coupled, m Motion, times []float64, h float64, entries [][]float64, speeds []float64,
	before [][]float64, worse func(Excess), out []Excess) {
	// When and at what distance a pair was measured last.
	seen := make([]struct{ gap, at float64 }, len(out))
	for i := range seen {
		seen[i].gap = math.Inf(-1)
	}
	for first := 0; first < len(times); first += chunk {
		now := times[first:min(first+chunk, len(times))]
		cut := e.motion
		for o := range cut {
			cut[o] = slices.Clone(cut[o])
			for i := range cut[o] {
				cut[o][i] = cut[o][i][:len(now)]
			}
		}
		sampleAt(m, now, cut[0], cut[1], cut[2])
		switch c := c.(type) {
		case *torqueLimits:
			e.block.Resize(len(now))
			d.p.Model.Eval(e.block, cut[0], cut[1], cut[2], e.ws)
			for k := range c.names {
				if c.effort[k] == 0 && c.power[k] == 0 {
					continue
				}
				between := 0.0
				for a, col := range d.p.Model.Mask(k) {
					if entries == nil {
						break
					}
					between += h * h / 8 * entries[k][a] * (math.Abs(c.values[col]) + c.spread[col])
				}
				bend := h * h / 8 * m.Bound(k, 3)
				was := before[k][2]
				if first == 0 {
					was = math.NaN()
				}
				for t := range now {
					nominal, wide := c.torque(d.p.Model, e.block, k, t)
					tau := math.Abs(nominal) + wide + between
					if entries == nil {
						// Through loops there are no jets: as much more as the last step changed.
						tau, was = tau+math.Abs(tau-was), tau
					}
					rate := math.Abs(cut[1][k][t]) + bend
					unit := "N·m"
					if c.prismatic[k] {
						unit = "N"
					}
					if c.effort[k] > 0 {
						worse(Excess{"torque", c.names[k], tau, c.effort[k], unit, tau/c.effort[k] - 1, now[t], 2 * k})
					}
					if c.power[k] > 0 {
						// Between two samples neither factor exceeds the larger of its ends.
						p := max(tau, before[k][0]) * max(rate, before[k][1])
						worse(Excess{"power", c.names[k], p, c.power[k], "W", p/c.power[k] - 1, now[t], 2*k + 1})
					}
					before[k][0], before[k][1] = tau, rate
					before[k][2] = was
				}
			}
		case *apartness:
			for t := range now {
				c.p.set(cut[0], nil, t)
				c.in.set(c.p)
				for i := range c.pairs {
					// It was seen at a distance from which it cannot have come nearer than at
					// the worst moment so far.
					if (c.clearance-seen[i].gap+speeds[i]*(now[t]-seen[i].at+h/2))/unitLength <= out[i].Part {
						continue
					}
					gap, _, _, _ := c.pairs[i].distance(c.in)
					seen[i].gap, seen[i].at = gap, now[t]
					gap -= h / 2 * speeds[i]
					worse(Excess{"distance", c.pairs[i].name, gap, c.clearance, "m", (c.clearance - gap) / unitLength, now[t], i})
				}
			}
		case *passiveLimits:
			for t := range now {
				if !c.follow(cut[0], cut[1], t, t == 0) {
					worse(c.open(now[t]))
					break
				}
				_, dq, ddq := c.tracker.State()
				c.tracker.Motion(c.at[1], accelerations(cut[2], t, c.at[2]))
				for i := range c.joints {
					j := &c.joints[i]
					position, velocity := c.excess(i, now[t], 1)
					// Half a step at the rates of the sample.
					if j.half > 0 {
						position.Part += h / 2 * math.Abs(dq[j.coord]) / j.half
						worse(position)
					}
					if j.vel > 0 {
						velocity.Part += h / 2 * math.Abs(ddq[j.coord]) / j.vel
						worse(velocity)
					}
				}
			}
		case *tipSpeed:
			for t := range now {
				c.p.set(cut[0], cut[1], t)
				v := spatial.Norm(c.p.velocity(c.link, c.p.point(c.link, c.at))) + h*h/8*speeds[0]
				worse(Excess{"speed", c.name, v, c.limit, "m/s", v/c.limit - 1, now[t], 0})
			}
		}
	}
}

// capsuleSpeed bounds the speed of a capsule's axis.
func capsuleSpeed(all []linkJets, c *Capsule) float64 {
	if c.Link < 0 {
		return 0
	}
	return all[c.Link].v[0] + all[c.Link].w[0]*max(spatial.Norm(c.A), spatial.Norm(c.B))
}

// accelerations fills dst with those of sample t.
func accelerations(ddq [][]float64, t int, dst []float64) []float64 {
	for i := range dst {
		dst[i] = ddq[i][t]
	}
	return dst
}
