package loops

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// ballLoop is a chain of four revolute joints in space whose tip a ball holds to the base: one motion, and as many
// constraints as the ball's force has components.
func ballLoop() *robot.Robot {
	r := robot.FromMDH("ball loop", []robot.MDHFrame{
		{Antecedent: -1, Alpha: 0.3},
		{Antecedent: 0, Alpha: 1.1, D: 0.3, R: 0.1},
		{Antecedent: 1, Alpha: -0.8, D: 0.4, R: -0.2},
		{Antecedent: 2, Alpha: 0.7, D: 0.35, R: 0.15},
	})
	for j := 1; j < 4; j++ {
		r.Links[j].Joint.Passive = true
	}
	r.Extra = append(r.Extra, robot.ExtraFrame{Name: "tip", Antecedent: 3, Kind: robot.Fixed, Placement: robot.MDH{D: 0.25, R: 0.1}.Transform()},
		robot.ExtraFrame{Name: "socket", Antecedent: -1, Kind: robot.Fixed, Placement: robot.Transform{R: robot.Identity().R, P: [3]float64{0.45, 0.35, 0.2}}})
	r.Loops = append(r.Loops, robot.Loop{Frame: 0, Meets: 1, Spherical: true})
	return r
}

// movingLoops are closed robots with bodies and no rotors, each with a state far from singular.
func movingLoops(t *testing.T, rng *rand.Rand) map[string]*Motion {
	out := map[string]*Motion{}
	for _, r := range []*robot.Robot{testrobot.SR400(t), testrobot.AKR3000(t), testrobot.FourBar(1, 0.35, 0.9, 0.7, 0.4, 1.1), testrobot.Bennett(), ballLoop()} {
		testrobot.Weigh(r, rng)
		for j := range r.Links {
			r.Links[j].Joint.Ia = 0
		}
		c := closureOf(t, r)
		var best *Motion
		for range 40 {
			if m, err := c.Assemble(rng); err == nil && (best == nil || m.Margin > best.Margin) {
				best = m
			}
		}
		if best == nil {
			t.Fatalf("%s: no assembly", r.Name)
		}
		out[r.Name] = best
	}
	return out
}

// Along its axis a joint transmits the drive's torque where it has a drive, and the torque that acts in it where it is
// passive, at cuts nothing. The tolerance is that of rounding times the condition of the constraints.
func TestJointWrenchesAlongAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for name, m := range movingLoops(t, rng) {
		c := m.c
		rates, acc := make([]float64, len(c.active)), make([]float64, len(c.active))
		for i := range rates {
			rates[i], acc[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		passive := make([]float64, c.dof)
		for _, k := range c.Passive() {
			passive[k] = rng.NormFloat64()
		}
		ws := m.JointWrenches(rates, acc, passive)
		full := make([]float64, len(c.unit))
		c.tree.InverseDynamics(full, m.Q, m.full(rates), m.fullAccelerations(rates, acc))
		for k, v := range passive {
			full[k] += v
		}
		size := 0.0
		for _, w := range ws {
			for i := range 3 {
				size = math.Max(size, math.Max(math.Abs(w.Force[i]), math.Abs(w.Moment[i])))
			}
		}
		along := func(w *JointWrench, k int) float64 {
			if c.IsRevolute(k) {
				return w.Moment[2]
			}
			return w.Force[2]
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-11*size/m.Margin) {
				t.Errorf("%s: %s along the axis is %.12g, want %.12g", name, what, got, want)
			}
		}
		for k := range c.dof {
			w := &ws[c.coords[k]]
			want := -passive[k]
			for i, a := range c.active {
				if a == k {
					want = 0
					for l, v := range full {
						want += m.g.At(l, i) * v
					}
				}
			}
			near("joint "+c.joints[k], along(w, k), want)
		}
		for i, l := range c.loops {
			if k := c.links[l.frame].Coord; k >= 0 && l.linear == nil {
				near("cut "+l.name, along(&ws[c.own+i], k), 0)
			}
		}
	}
}

// Of a plane loop the forces in its plane are determined, of a loop in space that holds no motion twice all.
func TestUndeterminedWrenches(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 2))
	states := movingLoops(t, rng)
	zero := []float64{0}
	for _, w := range states["four-bar"].JointWrenches(zero, zero, nil) {
		if w.Undetermined != [6]bool{2: true, 3: true, 4: true} {
			t.Errorf("four-bar: %v", w.Undetermined)
		}
	}
	for _, w := range states["ball loop"].JointWrenches(zero, zero, nil) {
		if w.Undetermined != [6]bool{} {
			t.Errorf("ball loop: %v", w.Undetermined)
		}
	}
	open := 0
	m := states["sr400"]
	if m == nil {
		for name := range states {
			t.Log(name)
		}
		t.Fatal("no SR400")
	}
	still := make([]float64, len(m.c.active))
	for _, w := range m.JointWrenches(still, still, nil) {
		if w.Undetermined == [6]bool{} {
			open++
		}
	}
	if open == 0 {
		t.Error("no joint outside the loops is determined")
	}
}

// Cut at another joint, a four-bar has the same forces in its plane.
func TestWrenchesOfAnotherCut(t *testing.T) {
	const ground, crank, coupler, rocker, gamma, alpha = 1, 0.35, 0.9, 0.7, 0.4, 1.1
	rng := rand.New(rand.NewPCG(61, 3))
	a := testrobot.Weigh(testrobot.FourBar(ground, crank, coupler, rocker, gamma, alpha), rng)
	b := robot.FromMDH("four-bar", []robot.MDHFrame{{Antecedent: -1, Gamma: gamma, Alpha: alpha}, {Antecedent: 0, D: crank}, {Antecedent: 1, D: coupler}})
	b.Links[1].Joint.Passive, b.Links[2].Joint.Passive = true, true
	testrobot.CutAt(b, 2, robot.MDH{D: rocker}, -1, robot.MDH{Gamma: gamma, Alpha: alpha, D: ground})
	for j := range b.Links {
		b.Links[j].Inertial, b.Links[j].HasInertial = a.Links[j].Inertial, true
		b.Links[j].Joint.Ia = a.Links[j].Joint.Ia
	}
	// The rocker's frame is at the coupler's end now, with x to the ground.
	turned := robot.Transform{R: [3][3]float64{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, P: [3]float64{rocker, 0, 0}}
	b.Links[2].Inertial = a.Links[2].Inertial.InFrame(turned)
	ca, cb := closureOf(t, a), closureOf(t, b)
	q, err := ca.Close([]float64{1.1, -0.6, 1.3, 0.5}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	qb, err := cb.Close([]float64{q[0], q[1], q[2] - q[0] - q[1] - math.Pi, math.Pi - q[2]}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	ma, err := ca.Motion(q)
	if err != nil {
		t.Fatal(err)
	}
	mb, err := cb.Motion(qb)
	if err != nil {
		t.Fatal(err)
	}
	wa, wb := ma.JointWrenches([]float64{2}, []float64{-3}, nil), mb.JointWrenches([]float64{2}, []float64{-3}, nil)
	size := math.Hypot(wa[0].Force[0], wa[0].Force[1])
	near := func(what string, x, y float64) {
		if math.Abs(x-y) > 1e-9*size/min(ma.Margin, mb.Margin) { // closed to 1e-11
			t.Errorf("%s: %.12g and %.12g", what, x, y)
		}
	}
	for j := range 2 {
		near(a.Links[j].Name+" fx", wa[j].Force[0], wb[j].Force[0])
		near(a.Links[j].Name+" fy", wa[j].Force[1], wb[j].Force[1])
		near(a.Links[j].Name+" mz", wa[j].Moment[2], wb[j].Moment[2])
	}
	// Between coupler and rocker, a cut and a joint: magnitudes, since their frames differ.
	near("coupler's end", math.Hypot(wa[3].Force[0], wa[3].Force[1]), math.Hypot(wb[2].Force[0], wb[2].Force[1]))
	near("rocker's pivot", math.Hypot(wa[2].Force[0], wa[2].Force[1]), math.Hypot(wb[3].Force[0], wb[3].Force[1]))
}
