package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"ident/filter"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// kind is a kind of fault: the ids that name it correctly, and how it is made. make returns false if the log cannot have it.
type kind struct {
	family, name string
	want         []string // ids that are right
	make         func(d *run, rng *rand.Rand) bool
}

// values reports whether other values of the log mend a fault: it is known what they were, or rows can go. What a driver, a sensor or a
// load took from the torques is not in the log, and settings or the robot file mend what they said.
func (k *kind) values() bool {
	return slices.Contains([]string{"sign of a torque", "sign of a torque, middle", "sign of all torques", "position mirrored", "joint mirrored",
		"torques 2, 3 exchanged", "positions 2, 3 exchanged", "joints 2, 4 exchanged", "torques 1, 2 exchanged",
		"one × 0.9", "one × 0.7", "one × 1.3, middle", "gear 1.15, one", "gear 0.8, loaded", "late 60 ms, one", "first order 80 ms",
		"degrees", "degrees, one", "turns", "normalised −100 … 100", "counts of 4096", "wrapped at a half turn, shifted", "torque wrapped",
		"zeros off by 5°", "zero off by 10°", "zero off by 15°, loaded", "commanded 50 ms ahead",
		"a stretch missing", "a stretch missing in two places", "a stretch twice", "rate doubles halfway", "rate halves halfway", "clock × 1.25",
		"recorder 0.3 s late", "recorder 1.3 s early", "recorder 2 s late", "recorder 0.1 s late", "reversed",
		"9999 in 0.5 % of torques", "9999 in 5 % of torques", "9999 in 2 % of positions", "0 in 3 % of torques", "spikes of 10 times in 2 %", "NaN in 3 %",
		"torque held for a tenth", "push for 0.12", "push for 0.2", "offset drifts"}, k.name)
}

// loaded returns the joint whose torque has the largest standard deviation.
func loaded(d *run) int {
	best, at := 0.0, 0
	for j, x := range d.tau {
		if s := spread(x); s > best {
			best, at = s, j
		}
	}
	return at
}

func middle(d *run) int { return d.joints() / 2 }

func spread(x []float64) float64 {
	m, s := 0.0, 0.0
	for _, v := range x {
		m += v / float64(len(x))
	}
	for _, v := range x {
		s += (v - m) * (v - m) / float64(len(x))
	}
	return math.Sqrt(s)
}

func most(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// smooth returns a signal behind a zero-phase low-pass.
func smooth(d *run, x []float64, hz float64) []float64 {
	sos, err := filter.Butterworth(2, hz, d.rate())
	if err != nil {
		return x
	}
	out := slices.Clone(x)
	var w filter.Work
	sos.ZeroPhase(out, x, &w)
	return out
}

// velocities and accelerations of the motion, by positions behind 8 Hz.
func (d *run) motion() (q, v, a [][]float64) {
	dt := 1 / d.rate()
	for j := range d.q {
		x := smooth(d, d.q[j], min(8, d.rate()/6))
		y, z := make([]float64, len(x)), make([]float64, len(x))
		filter.Differentiate4(y, x, dt)
		filter.Differentiate4(z, y, dt)
		q, v, a = append(q, x), append(v, y), append(a, z)
	}
	return q, v, a
}

// torques of some bodies on the run's motion: link → parameters. gravity nil is the robot's.
func (d *run) torquesOf(bodies map[int]robot.Inertial, gravity *[3]float64, still bool) [][]float64 {
	r := d.robot.Clone()
	for i := range r.Links {
		r.Links[i].Inertial = bodies[i]
	}
	if gravity != nil {
		r.Gravity = *gravity
	}
	tree, err := dynamics.New(r)
	if err != nil {
		panic(err)
	}
	q, v, a := d.motion()
	n := d.joints()
	out := make([][]float64, n)
	for j := range out {
		out[j] = make([]float64, len(d.t))
	}
	x, y, z, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range d.t {
		for j := range n {
			x[j] = q[j][k]
			if !still {
				y[j], z[j] = v[j][k], a[j][k]
			}
		}
		tree.InverseDynamics(tau, x, y, z)
		for j := range n {
			out[j][k] = tau[j]
		}
	}
	return out
}

// gravityTorques returns the gravity torques of the robot file's bodies, which stand for the driver's own model.
func (d *run) gravityTorques() [][]float64 {
	bodies := map[int]robot.Inertial{}
	for i := range d.robot.Links {
		bodies[i] = d.robot.Links[i].Inertial
	}
	return d.torquesOf(bodies, nil, true)
}

func (d *run) hasGravity() bool {
	g := d.gravityTorques()
	for j := range g {
		if spread(g[j]) > 0.3*spread(d.tau[j]) {
			return true
		}
	}
	return false
}

// load adds a payload of a mass at the last link, by the time.
func (d *run) load(mass float64, by func(u float64) float64) {
	last := d.robot.Moving()[d.robot.DOF()-1]
	var b robot.Inertial
	c := [3]float64{0.02, 0.01, 0.08}
	b[robot.M], b[robot.MX], b[robot.MY], b[robot.MZ] = mass, mass*c[0], mass*c[1], mass*c[2]
	b[robot.XX], b[robot.YY], b[robot.ZZ] = mass*0.009, mass*0.009, mass*0.002
	tau := d.torquesOf(map[int]robot.Inertial{last: b}, nil, false)
	for j := range tau {
		for k := range tau[j] {
			d.tau[j][k] += by(d.part(k)) * tau[j][k]
		}
	}
}

func (d *run) part(k int) float64 { return float64(k) / float64(len(d.t)-1) }

// payloadMass returns a load that this robot would carry.
func (d *run) payloadMass() float64 {
	g := norm(d.robot.Gravity)
	return 0.25 * most(d.tau[loaded(d)]) / max(g, 1) / 0.8
}

func norm(g [3]float64) float64 { return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2]) }

// force adds a force at the last frame between two times, as parts of the log.
func (d *run) force(of func(k int, v [3]float64) [3]float64) {
	n := d.joints()
	last := d.robot.Moving()[d.robot.DOF()-1]
	var jac [3][][]float64
	for axis := range 3 {
		var g [3]float64
		g[axis] = -1 // gravity that pulls the unit mass is held by +1 of force
		var b robot.Inertial
		b[robot.M] = 1
		jac[axis] = d.torquesOf(map[int]robot.Inertial{last: b}, &g, true)
	}
	_, dq, _ := d.motion()
	for k := range d.t {
		var v [3]float64
		for axis := range 3 {
			for j := range n {
				v[axis] += jac[axis][j][k] * dq[j][k]
			}
		}
		f := of(k, v)
		for j := range n {
			for axis := range 3 {
				d.tau[j][k] -= jac[axis][j][k] * f[axis]
			}
		}
	}
}

// forceSize returns a force that this robot would bear.
func (d *run) forceSize() float64 { return 0.25 * most(d.tau[loaded(d)]) / 0.6 }

func eachTorque(change func(d *run, j int) []float64, joints func(d *run) []int) func(d *run, rng *rand.Rand) bool {
	return func(d *run, rng *rand.Rand) bool {
		for _, j := range joints(d) {
			d.tau[j] = change(d, j)
		}
		return true
	}
}

func all(d *run) []int {
	var out []int
	for j := range d.q {
		out = append(out, j)
	}
	return out
}

func theLoaded(d *run) []int { return []int{loaded(d)} }
func theMiddle(d *run) []int { return []int{middle(d)} }

func mapped(x []float64, f func(v float64) float64) []float64 {
	out := make([]float64, len(x))
	for k, v := range x {
		out[k] = f(v)
	}
	return out
}

// late returns a signal some time later, ends held.
func late(d *run, x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	p := by * d.rate()
	for k := range x {
		s := float64(k) - p
		i := min(max(int(math.Floor(s)), 0), len(x)-2)
		u := min(max(s-float64(i), 0), 1)
		out[k] = x[i] + u*(x[i+1]-x[i])
	}
	return out
}

func signOf(v float64) float64 { return math.Tanh(v / 0.01) }

// kinds are all faults.
func kinds() []kind {
	torqueKind := []string{"torque-kind"}
	var out []kind
	add := func(family, name string, want []string, make func(d *run, rng *rand.Rand) bool) {
		out = append(out, kind{family, name, want, make})
	}
	// What the torque channel is.
	less := func(by float64, of func(d *run, j int) bool) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			if !d.hasGravity() {
				return false
			}
			g := d.gravityTorques()
			var joints []int
			for j := range g {
				if of(d, j) {
					joints = append(joints, j)
				}
			}
			for _, j := range joints {
				for k := range g[j] {
					d.tau[j][k] += by * g[j][k]
				}
			}
			return true
		}
	}
	anyJoint := func(d *run, j int) bool { return true }
	add("torque kind", "gravity-compensated", torqueKind, less(-1, anyJoint))
	add("torque kind", "gravity twice", torqueKind, less(1, anyJoint))
	add("torque kind", "gravity missing on two", torqueKind, less(-1, func(d *run, j int) bool { return j == 1 || j == 2 }))
	add("torque kind", "gravity missing on one", torqueKind, less(-1, func(d *run, j int) bool { return j == loaded(d) }))
	add("torque kind", "gravity twice on one", torqueKind, less(1, func(d *run, j int) bool { return j == loaded(d) }))
	add("torque kind", "external only", torqueKind, func(d *run, rng *rand.Rand) bool {
		for j := range d.tau {
			s, e := spread(d.tau[j]), 0.0
			for k := range d.tau[j] {
				e = 0.98*e + 0.2*rng.NormFloat64()
				d.tau[j][k] = 0.03 * s * e
			}
		}
		return true
	})
	add("torque kind", "friction-compensated", torqueKind, func(d *run, rng *rand.Rand) bool {
		_, v, _ := d.motion()
		if !d.simulated { // the friction in the file is not the robot's
			return false
		}
		for j := range d.tau {
			f := d.robot.Links[d.robot.Moving()[j]].Joint
			if f.Fv == 0 && f.Fs == 0 {
				return false
			}
			for k := range d.tau[j] {
				d.tau[j][k] -= f.Fv*v[j][k] + f.Fs*signOf(v[j][k])
			}
		}
		return true
	})
	add("torque kind", "gravity 0 declared", []string{"gravity"}, func(d *run, rng *rand.Rand) bool {
		if !d.hasGravity() {
			return false
		}
		d.gravity = new([3]float64)
		return true
	})
	add("torque kind", "gravity sideways declared", []string{"gravity"}, func(d *run, rng *rand.Rand) bool {
		if !d.hasGravity() {
			return false
		}
		d.gravity = &[3]float64{9.81, 0, 0}
		return true
	})
	add("torque kind", "base tilted 10°", []string{"gravity"}, func(d *run, rng *rand.Rand) bool {
		if !d.hasGravity() {
			return false
		}
		d.gravity = &[3]float64{9.81 * math.Sin(0.17), 0, -9.81 * math.Cos(0.17)}
		return true
	})
	// How the torque was made.
	soft := func(x []float64) []float64 {
		m := most(x)
		return mapped(x, func(v float64) float64 { return m / 1.1 * math.Tanh(1.1*v/m) })
	}
	add("torque making", "soft saturation, one", []string{"saturated"}, eachTorque(func(d *run, j int) []float64 { return soft(d.tau[j]) }, theLoaded))
	add("torque making", "soft saturation, all", []string{"saturated"}, eachTorque(func(d *run, j int) []float64 { return soft(d.tau[j]) }, all))
	add("torque making", "clipped at 0.6 of the peak", []string{"saturated"}, eachTorque(func(d *run, j int) []float64 {
		m := 0.6 * most(d.tau[j])
		return mapped(d.tau[j], func(v float64) float64 { return min(max(v, -m), m) })
	}, theLoaded))
	oneSided := func(by float64) func(d *run, j int) []float64 {
		return func(d *run, j int) []float64 {
			return mapped(d.tau[j], func(v float64) float64 {
				if v > 0 {
					return by * v
				}
				return v
			})
		}
	}
	add("torque making", "one direction × 0.8", []string{"asymmetry"}, eachTorque(oneSided(0.8), theLoaded))
	add("torque making", "one direction × 0.6, middle", []string{"asymmetry"}, eachTorque(oneSided(0.6), theMiddle))
	scale := func(by float64) func(d *run, j int) []float64 {
		return func(d *run, j int) []float64 { return mapped(d.tau[j], func(v float64) float64 { return by * v }) }
	}
	add("torque making", "one × 0.9", []string{"gear-ratio"}, eachTorque(scale(0.9), theLoaded))
	add("torque making", "one × 0.7", []string{"gear-ratio"}, eachTorque(scale(0.7), theLoaded))
	add("torque making", "one × 1.3, middle", []string{"gear-ratio"}, eachTorque(scale(1.3), theMiddle))
	add("torque making", "low-pass 0.5 Hz", []string{"smoothed"}, eachTorque(func(d *run, j int) []float64 { return smooth(d, d.tau[j], 0.5) }, all))
	add("torque making", "low-pass 1 Hz", []string{"smoothed"}, eachTorque(func(d *run, j int) []float64 { return smooth(d, d.tau[j], 1) }, all))
	firstOrder := func(seconds float64) func(d *run, j int) []float64 {
		return func(d *run, j int) []float64 {
			y := slices.Clone(d.tau[j])
			a := 1 / d.rate() / seconds
			for k := 1; k < len(y); k++ {
				y[k] = y[k-1] + min(a, 1)*(d.tau[j][k]-y[k-1])
			}
			return y
		}
	}
	add("torque making", "first order 80 ms", []string{"lag-torque"}, eachTorque(firstOrder(0.08), all))
	add("torque making", "first order 200 ms", []string{"lag-torque", "smoothed", "recorder-offset"}, eachTorque(firstOrder(0.2), all))
	add("torque making", "late 60 ms, one", []string{"lag-torque"}, eachTorque(func(d *run, j int) []float64 { return late(d, d.tau[j], 0.06) }, theLoaded))
	add("torque making", "quantised to a tenth", []string{"quantised"}, eachTorque(func(d *run, j int) []float64 {
		s := 0.5 * spread(d.tau[j])
		return mapped(d.tau[j], func(v float64) float64 { return math.Round(v/s) * s })
	}, all))
	// Signs and order.
	add("signs and order", "sign of a torque", []string{"sign"}, eachTorque(scale(-1), theLoaded))
	add("signs and order", "sign of a torque, middle", []string{"sign"}, eachTorque(scale(-1), theMiddle))
	add("signs and order", "sign of all torques", []string{"sign", "gravity"}, eachTorque(scale(-1), all))
	mirror := func(j func(d *run) int, torque bool) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			i := j(d)
			for k := range d.t {
				d.q[i][k] *= -1
				if d.dq[i] != nil {
					d.dq[i][k] *= -1
				}
				if torque {
					d.tau[i][k] *= -1
				}
			}
			return true
		}
	}
	add("signs and order", "position mirrored", []string{"sign"}, mirror(middle, false))
	add("signs and order", "joint mirrored", []string{"sign"}, mirror(loaded, true))
	swap := func(q, tau bool, a, b int) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			if d.joints() <= max(a, b) {
				return false
			}
			if q {
				d.q[a], d.q[b] = d.q[b], d.q[a]
				d.dq[a], d.dq[b] = d.dq[b], d.dq[a]
			}
			if tau {
				d.tau[a], d.tau[b] = d.tau[b], d.tau[a]
			}
			return true
		}
	}
	add("signs and order", "torques 2, 3 exchanged", []string{"joint-order"}, swap(false, true, 1, 2))
	add("signs and order", "positions 2, 3 exchanged", []string{"joint-order"}, swap(true, false, 1, 2))
	add("signs and order", "joints 2, 4 exchanged", []string{"joint-order"}, swap(true, true, 1, 3))
	add("signs and order", "torques 1, 2 exchanged", []string{"joint-order"}, swap(false, true, 0, 1))
	// What the position channel is.
	position := func(f func(d *run, j int, v float64) float64, rate float64, joints func(d *run) []int) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			for _, j := range joints(d) {
				if d.robot.Links[d.robot.Moving()[j]].Joint.Kind == robot.Prismatic {
					return false
				}
				d.q[j] = mapped(d.q[j], func(v float64) float64 { return f(d, j, v) })
				for k := range d.dq[j] {
					d.dq[j][k] *= rate
				}
			}
			return true
		}
	}
	units := []string{"units"}
	add("position kind", "degrees", units, position(func(d *run, j int, v float64) float64 { return v * 180 / math.Pi }, 180/math.Pi, all))
	add("position kind", "degrees, one", units, position(func(d *run, j int, v float64) float64 { return v * 180 / math.Pi }, 180/math.Pi, theMiddle))
	add("position kind", "turns", units, position(func(d *run, j int, v float64) float64 { return v / 2 / math.Pi }, 0.5/math.Pi, all))
	add("position kind", "normalised −100 … 100", units, position(func(d *run, j int, v float64) float64 { return v * 100 / math.Pi }, 100/math.Pi, all))
	add("position kind", "counts of 4096", units, position(func(d *run, j int, v float64) float64 { return math.Round(v * 4096 / 2 / math.Pi) }, 4096/2/math.Pi, all))
	add("position kind", "wrapped at a half turn, shifted", []string{"wrapped"}, func(d *run, rng *rand.Rand) bool {
		j := loaded(d)
		if d.robot.Links[d.robot.Moving()[j]].Joint.Kind == robot.Prismatic {
			return false
		}
		low, high := slices.Min(d.q[j]), slices.Max(d.q[j])
		mid := (low + high) / 2
		d.q[j] = mapped(d.q[j], func(v float64) float64 {
			if v > mid {
				return v - 2*math.Pi
			}
			return v
		})
		return true
	})
	zeroBy := func(by float64, joints func(d *run) []int) func(d *run, rng *rand.Rand) bool {
		return position(func(d *run, j int, v float64) float64 { return v + by*float64(1-2*(j%2)) }, 1, joints)
	}
	add("position kind", "zeros off by 5°", []string{"offset"}, zeroBy(0.09, all))
	add("position kind", "zero off by 10°", []string{"offset"}, zeroBy(0.175, theMiddle))
	add("position kind", "zero off by 15°, loaded", []string{"offset"}, zeroBy(0.26, theLoaded))
	add("position kind", "commanded 50 ms ahead", []string{"lag-torque"}, func(d *run, rng *rand.Rand) bool {
		for j := range d.tau {
			d.tau[j] = late(d, d.tau[j], 0.05)
		}
		return true
	})
	add("position kind", "gear 1.15, one", []string{"gear-ratio"}, position(func(d *run, j int, v float64) float64 { return 1.15 * v }, 1.15, theMiddle))
	add("position kind", "gear 0.8, loaded", []string{"gear-ratio"}, position(func(d *run, j int, v float64) float64 { return 0.8 * v }, 0.8, theLoaded))
	add("position kind", "backlash 1°", []string{"backlash"}, func(d *run, rng *rand.Rand) bool {
		_, v, _ := d.motion()
		j := loaded(d)
		for k := range d.q[j] {
			d.q[j][k] += 0.0175 * signOf(v[j][k])
		}
		return true
	})
	// Time.
	missing := func(from, to float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			n := len(d.t)
			var rows []int
			for k := range n {
				if k < int(from*float64(n)) || k >= int(to*float64(n)) {
					rows = append(rows, k)
				}
			}
			d.keep(rows, false)
			return true
		}
	}
	add("time", "a stretch missing", []string{"time-jump"}, missing(0.45, 0.5))
	add("time", "a stretch missing in two places", []string{"time-jump"}, func(d *run, rng *rand.Rand) bool {
		return missing(0.7, 0.74)(d, rng) && missing(0.3, 0.33)(d, rng)
	})
	add("time", "a stretch twice", []string{"time-jump"}, func(d *run, rng *rand.Rand) bool {
		n := len(d.t)
		var rows []int
		for k := range n {
			rows = append(rows, k)
			if k == n/2 {
				for i := n/2 - n/20; i <= n/2; i++ {
					rows = append(rows, i)
				}
			}
		}
		dt := d.t[1] - d.t[0]
		for len(d.t) < len(rows) {
			d.t = append(d.t, d.t[len(d.t)-1]+dt)
		}
		d.keep(rows, false)
		return true
	})
	rate := func(by float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			n := len(d.t) / 2
			at := d.t[n]
			for k := n; k < len(d.t); k++ {
				d.t[k] = at + by*(d.t[k]-at)
			}
			for j := range d.dq {
				for k := n; k < len(d.dq[j]); k++ {
					d.dq[j][k] *= 1
				}
			}
			return true
		}
	}
	add("time", "rate doubles halfway", []string{"time-jump", "clock-rate"}, rate(0.5))
	add("time", "rate halves halfway", []string{"time-jump", "clock-rate"}, rate(2))
	add("time", "clock × 1.25", []string{"clock-rate"}, func(d *run, rng *rand.Rand) bool {
		for k := range d.t {
			d.t[k] *= 1.25
		}
		return true
	})
	shift := func(by float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			p := int(math.Abs(by) * d.rate())
			n := len(d.t) - p
			if n < len(d.t)/2 {
				return false
			}
			for j := range d.tau {
				if by > 0 {
					d.tau[j] = d.tau[j][:n]
					d.q[j] = d.q[j][p:]
					if d.dq[j] != nil {
						d.dq[j] = d.dq[j][p:]
					}
				} else {
					d.tau[j] = d.tau[j][p:]
					d.q[j] = d.q[j][:n]
					if d.dq[j] != nil {
						d.dq[j] = d.dq[j][:n]
					}
				}
			}
			d.t = d.t[:n]
			return true
		}
	}
	add("time", "recorder 0.3 s late", []string{"recorder-offset"}, shift(0.3))
	add("time", "recorder 1.3 s early", []string{"recorder-offset"}, shift(-1.3))
	add("time", "recorder 2 s late", []string{"recorder-offset"}, shift(2))
	add("time", "recorder 0.1 s late", []string{"recorder-offset", "lag-torque"}, shift(0.1))
	add("time", "torque clock 2 % slow", []string{"recorder-offset"}, func(d *run, rng *rand.Rand) bool {
		for j := range d.tau {
			x := slices.Clone(d.tau[j])
			mid := float64(len(x)) / 2
			for k := range x {
				s := mid + (float64(k)-mid)*0.98
				i := min(max(int(s), 0), len(x)-2)
				d.tau[j][k] = x[i] + (s-float64(i))*(x[i+1]-x[i])
			}
		}
		return true
	})
	add("time", "reversed", []string{"reversed"}, func(d *run, rng *rand.Rand) bool {
		for _, g := range [][][]float64{d.q, d.dq, d.tau} {
			for j := range g {
				slices.Reverse(g[j])
			}
		}
		for j := range d.dq {
			for k := range d.dq[j] {
				d.dq[j][k] *= -1
			}
		}
		return true
	})
	add("time", "packets shuffled", []string{"clock-jitter", "time-jump", "clock-backward"}, func(d *run, rng *rand.Rand) bool {
		n := len(d.t)
		rows := make([]int, n)
		for k := range rows {
			rows[k] = k
		}
		size := max(4, int(0.05*d.rate()))
		for k := 0; k+2*size <= n; k += 2 * size {
			if rng.Float64() < 0.3 {
				for i := range size {
					rows[k+i], rows[k+size+i] = rows[k+size+i], rows[k+i]
				}
			}
		}
		d.keep(rows, false)
		return true
	})
	held := func(hz float64, g func(d *run) [][]float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			every := int(d.rate() / hz)
			if every < 2 {
				return false
			}
			for _, x := range g(d) {
				for k := range x {
					x[k] = x[k/every*every]
				}
			}
			return true
		}
	}
	add("time", "positions held at 10 Hz", []string{"held"}, held(10, func(d *run) [][]float64 { return append(slices.Clone(d.q), d.dq...) }))
	add("time", "torques held at 4 Hz", []string{"held"}, held(4, func(d *run) [][]float64 { return d.tau }))
	add("time", "torques held at 10 Hz", []string{"held"}, held(10, func(d *run) [][]float64 { return d.tau }))
	// Values.
	spikes := func(part, value float64, g func(d *run, j int) []float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			for j := range d.q {
				x := g(d, j)
				for k := range x {
					if rng.Float64() < part {
						x[k] = value
					}
				}
			}
			return true
		}
	}
	torques := func(d *run, j int) []float64 { return d.tau[j] }
	positions := func(d *run, j int) []float64 { return d.q[j] }
	add("values", "9999 in 0.5 % of torques", []string{"spike", "units"}, spikes(0.005, 9999, torques))
	add("values", "9999 in 5 % of torques", []string{"spike", "units"}, spikes(0.05, 9999, torques))
	add("values", "9999 in 2 % of positions", []string{"spike", "units"}, spikes(0.02, 9999, positions))
	add("values", "0 in 3 % of torques", []string{"dropout", "spike"}, spikes(0.03, 0, torques))
	add("values", "spikes of 10 times in 2 %", []string{"spike"}, func(d *run, rng *rand.Rand) bool {
		for j := range d.tau {
			m := spread(d.tau[j])
			for k := range d.tau[j] {
				if rng.Float64() < 0.02 {
					d.tau[j][k] += 10 * m * float64(1-2*rng.IntN(2))
				}
			}
		}
		return true
	})
	add("values", "NaN in 3 %", []string{"dropout", "spike"}, spikes(0.03, math.NaN(), torques))
	add("values", "torque wrapped", []string{"wrapped"}, func(d *run, rng *rand.Rand) bool {
		j := loaded(d)
		m := 0.8 * most(d.tau[j])
		d.tau[j] = mapped(d.tau[j], func(v float64) float64 { return v - 2*m*math.Round(v/(2*m)) })
		return true
	})
	add("values", "torque held for a tenth", []string{"stuck", "held"}, func(d *run, rng *rand.Rand) bool {
		j, n := loaded(d), len(d.t)
		for k := n / 2; k < n/2+n/10; k++ {
			d.tau[j][k] = d.tau[j][n/2]
		}
		return true
	})
	// Load and world.
	load := func(by func(u float64) float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			if d.joints() < 2 {
				return false
			}
			d.load(d.payloadMass(), by)
			return true
		}
	}
	add("load", "appears at 0.4", []string{"payload"}, load(func(u float64) float64 {
		if u > 0.4 {
			return 1
		}
		return 0
	}))
	add("load", "leaves at 0.7", []string{"payload"}, load(func(u float64) float64 {
		if u > 0.7 {
			return 0
		}
		return 1
	}))
	add("load", "grows", []string{"payload"}, load(func(u float64) float64 { return u }))
	push := func(from, to float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			if d.joints() < 2 {
				return false
			}
			f := d.forceSize()
			d.force(func(k int, v [3]float64) [3]float64 {
				if u := d.part(k); u < from || u > to {
					return [3]float64{}
				}
				return [3]float64{0.6 * f, -0.5 * f, 0.6 * f}
			})
			return true
		}
	}
	add("load", "push for 0.12", []string{"contact"}, push(0.33, 0.45))
	add("load", "push for 0.2", []string{"contact"}, push(0.6, 0.8))
	add("load", "drags on a table", []string{"contact"}, func(d *run, rng *rand.Rand) bool {
		if d.joints() < 2 {
			return false
		}
		f := d.forceSize()
		d.force(func(k int, v [3]float64) [3]float64 {
			v[2] = 0
			s := max(norm(v), 0.02)
			return [3]float64{-f * v[0] / s, -f * v[1] / s, 0}
		})
		return true
	})
	add("load", "friction warms up", []string{"drift"}, func(d *run, rng *rand.Rand) bool {
		_, v, _ := d.motion()
		for j := range d.tau {
			f := 0.25 * spread(d.tau[j])
			s := spread(v[j])
			for k := range d.tau[j] {
				d.tau[j][k] += math.Exp(-4*d.part(k)) * f * (signOf(v[j][k]) + 0.5*v[j][k]/max(s, 1e-6))
			}
		}
		return true
	})
	add("load", "offset drifts", []string{"drift"}, func(d *run, rng *rand.Rand) bool {
		j := loaded(d)
		for k := range d.tau[j] {
			d.tau[j][k] += 0.8 * spread(d.tau[j]) * (d.part(k) - 0.5)
		}
		return true
	})
	// The robot file.
	file := func(change func(r *robot.Robot) bool) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool { return change(d.robot) }
	}
	geometry := []string{"geometry", "robot-mismatch"}
	add("robot file", "lengths in mm", []string{"geometry", "units"}, file(func(r *robot.Robot) bool {
		any := false
		for i := range r.Links {
			for a := range 3 {
				r.Links[i].Placement.P[a] *= 1000
				any = any || i > 0 && math.Abs(r.Links[i].Placement.P[a]) > 5
			}
		}
		return any
	}))
	longer := func(by float64) func(r *robot.Robot) bool {
		return func(r *robot.Robot) bool {
			if len(r.Links) < 3 {
				return false
			}
			p := &r.Links[2].Placement.P
			if norm(*p) < 0.05 {
				p = &r.Links[min(3, len(r.Links)-1)].Placement.P
			}
			for a := range p {
				p[a] *= by
			}
			return norm(*p) > 0.05
		}
	}
	add("robot file", "link 30 % longer", geometry, file(longer(1.3)))
	add("robot file", "link 60 % longer", geometry, file(longer(1.6)))
	twist := func(link int, by float64) func(r *robot.Robot) bool {
		return func(r *robot.Robot) bool {
			if len(r.Links) < 3 {
				return false
			}
			i := min(link, len(r.Links)-1)
			p := &r.Links[i].Placement
			turn := robot.Transform{R: [3][3]float64{{1, 0, 0}, {0, math.Cos(by), -math.Sin(by)}, {0, math.Sin(by), math.Cos(by)}}}
			*p = p.Mul(turn)
			return true
		}
	}
	add("robot file", "frame 3 twisted 10°", geometry, file(twist(2, 0.175)))
	add("robot file", "frame 4 twisted 20°", geometry, file(twist(3, 0.35)))
	add("robot file", "axis 3 flipped", []string{"geometry", "sign", "robot-mismatch"}, file(twist(2, math.Pi)))
	add("robot file", "base turned 90°", []string{"gravity", "geometry"}, file(func(r *robot.Robot) bool {
		p := &r.Links[0].Placement
		p.R = [3][3]float64{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}
		return norm(r.Gravity) > 0
	}))
	add("robot file", "last links exchanged", geometry, file(func(r *robot.Robot) bool {
		n := len(r.Links)
		if n < 5 {
			return false
		}
		a, b := &r.Links[n-1], &r.Links[n-2]
		a.Placement, b.Placement = b.Placement, a.Placement
		return true
	}))
	return out
}
