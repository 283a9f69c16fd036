package codegen

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// withBodies is a robot whose inertials are the standard parameters of a state.
func withBodies(r *robot.Robot, columns []regressor.Column, chi []float64) *robot.Robot {
	c := r.Clone()
	for j := range c.Links {
		c.Links[j].Inertial, c.Links[j].HasInertial = robot.Inertial{}, true
	}
	for i, col := range columns {
		if col.Term == regressor.Links {
			c.Links[col.Link].Inertial[col.Param] = chi[i]
		}
	}
	return c
}

// checkWrenches compares the wrenches in the joints and on the ground with package dynamics.
func (b *subject) checkWrenches(t fataler, run func(Model) [][]float64) {
	t.Helper()
	tree, err := dynamics.New(withBodies(b.r, b.numeric.Columns(), b.s.chi))
	if err != nil {
		t.Fatalf("%v", err)
	}
	r := tree.NewReactions()
	r.Move(b.s.q, b.s.dq, b.s.ddq)
	var f, n []float64
	for j := range b.r.Links {
		w := r.Joint(j)
		f, n = append(f, w.Force[:]...), append(n, w.Moment[:]...)
	}
	got, base := run(JointWrenches), run(BaseWrench)
	compare(t, b.r.Name+", joint forces", got[0], f)
	compare(t, b.r.Name+", joint moments", got[1], n)
	w := r.Base()
	compare(t, b.r.Name+", base force", base[0], w.Force[:])
	compare(t, b.r.Name+", base moment", base[1], w.Moment[:])
}

// floating hangs a robot on a base that slides along x, y and z and turns about x, y and z, by links
// without mass.
func floating(r *robot.Robot) *robot.Robot {
	c := r.Clone()
	c.Links = nil
	half := halfTurn / 2
	axes := []robot.Transform{{R: spatial.RotY(half)}, {R: spatial.RotX(-half)}, {R: spatial.Eye()}}
	at := robot.Identity() // the base's axes in the frame of the last link
	for i := range 6 {
		turned := axes[i%3]
		l := robot.Link{Name: label("float", i), Antecedent: i - 1, Placement: at.Mul(turned), UserFrame: robot.Identity(), Massless: true,
			Joint: robot.Joint{Name: label("f", i), Kind: robot.Prismatic}}
		if i >= 3 {
			l.Joint.Kind = robot.Revolute
		}
		c.Links = append(c.Links, l)
		at = turned.Inv()
	}
	for j := range r.Links {
		l := r.Links[j]
		if l.MDH = nil; l.Antecedent < 0 {
			l.Placement = at.Mul(l.Placement)
		}
		l.Antecedent += 6
		c.Links = append(c.Links, l)
	}
	return c
}

// External wrenches add Jᵀ·w, and a moving base the torques of a robot with six joints more.
func TestOutside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 19))
		checkOutside(t, rng, testrobot.RandomSpecial(rng, rapid.IntRange(1, 5).Draw(t, "links"), false), (*symbolic.Program).Eval)
	})
}

// The same in the languages: C, and all with IDENT_LONG.
func TestOutsideInLanguages(t *testing.T) {
	languages := source.Languages()
	for _, language := range languages[:long.Of(len(languages), 0)] {
		if language == "listing" || language == "c-batch" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			rng := rand.New(rand.NewPCG(19, 5))
			checkOutside(t, rng, testrobot.RandomSpecial(rng, 4, false), func(p *symbolic.Program, in []float64) [][]float64 {
				p.Name = "outside"
				return split(p, foreign.Run(t, language, source.Unit{Name: "outside_model", Maker: "ident", Programs: []*symbolic.Program{p}}, [][][]float64{{in}})[0][0])
			})
		})
	}
}

// checkOutside compares the models of a robot, evaluated in some way, with the numeric ones.
func checkOutside(t fataler, rng *rand.Rand, r *robot.Robot, eval func(p *symbolic.Program, inputs []float64) [][]float64) {
	t.Helper()
	link := rng.IntN(len(r.Links))
	opt := Options{Gravity: true, External: []int{link}, BaseMotion: true}
	big := floating(r)
	all, err := regressor.NewDynamic(big, links)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b := newSubject(t, rng, r, opt)
	whole := randomState(rng, big, nil)
	copy(whole.q[6:], b.s.q)
	copy(whole.dq[6:], b.s.dq)
	copy(whole.ddq[6:], b.s.ddq)
	// The motion of the base in its own axes, which are those of link 6 turned back.
	tree, err := kinematics.New(big)
	if err != nil {
		t.Fatalf("%v", err)
	}
	pose := tree.NewPose()
	pose.Place(whole.q)
	pose.Move(whole.dq, whole.ddq)
	frame := pose.Frame(5) // its z is that of the base
	v, a := pose.Twist(kinematics.Point{Link: 5}), pose.Acceleration(kinematics.Point{Link: 5})
	own := func(x [3]float64) [3]float64 { return spatial.MulTVec(frame.R, x) }
	w0, wp0, vp0 := own(v.Angular), own(a.Angular), own(a.Linear)
	b.s.gravity = own(big.Gravity)
	wrench := [6]float64{}
	for i := range wrench {
		wrench[i] = rng.NormFloat64()
	}
	inputs := func(p *symbolic.Program) []float64 {
		out := make([]float64, len(p.Inputs))
		known := map[string]float64{}
		for _, group := range []struct {
			name string
			v    [3]float64
		}{{"W0", w0}, {"WP0", wp0}, {"VP0", vp0}} {
			for k, x := range group.v {
				known[group.name+"xyz"[k:k+1]] = x
			}
		}
		for i, in := range p.Inputs {
			x, ok := known[in.Name]
			switch {
			case ok:
				out[i] = x
			case in.Group == label("e", link):
				out[i] = wrench[in.Index]
			default:
				one := symbolic.Program{Inputs: []symbolic.Input{in}}
				out[i] = b.s.inputs(t, r, &one, b.s.chi)[0]
			}
		}
		return out
	}
	// Torques of the joints: the rows of the floating robot's regressor, and the wrench along the joints.
	rows := regressorRows(all, whole)[6:]
	var dense [][]float64
	for _, row := range rows {
		var kept []float64
		for i, c := range all.Columns() {
			if c.Link >= 6 {
				kept = append(kept, row[i])
			}
		}
		dense = append(dense, kept)
	}
	jac := make(kinematics.Jacobian, len(whole.q))
	pose.Jacobian(jac, kinematics.Point{Link: link + 6})
	outside := make([]float64, len(whole.q))
	at := pose.Frame(link + 6).R
	jac.Torques(outside, spatial.MulVec(at, spatial.Vec(wrench[:3])), spatial.MulVec(at, spatial.Vec(wrench[3:])))
	want := apply(dense, b.s.chi)
	for i := range want {
		want[i] += outside[6+i]
	}
	run := func(m Model) [][]float64 {
		p, err := Build(context.Background(), m, r, opt)
		if err != nil {
			t.Fatalf("%v", err)
		}
		return eval(p, inputs(p))
	}
	compare(t, "torques", run(InverseDynamics)[0], want)
	d := run(DynamicRegressor)
	compare(t, "regressor", d[0], flat(dense))
	compare(t, "torques of the wrench", d[1], outside[6:])
	// tau = A·ddq + H
	h, inertia := run(Bias)[0], run(InertiaMatrix)[0]
	for i := range h {
		for k, x := range b.s.ddq {
			h[i] += inertia[i*len(h)+k] * x
		}
	}
	compare(t, "inertia and bias", h, want)
}

// Models without these arguments say so.
func TestOutsideRefusals(t *testing.T) {
	r := general(3)
	for what, c := range map[string]struct {
		model Model
		opt   Options
	}{
		"energy of a moving base":           {EnergyRegressor, Options{BaseMotion: true}},
		"base parameters of a moving base":  {InverseDynamics, Options{Base: baseSet(t, r), BaseMotion: true}},
		"bearing loads by base parameters":  {JointWrenches, Options{Base: baseSet(t, r)}},
		"ground's wrench, base parameters":  {BaseWrench, Options{Base: baseSet(t, r)}},
		"coefficients with a wrench":        {Lagrange, Options{External: []int{2}}},
		"filtered model with a moving base": {FilteredRegressor, Options{BaseMotion: true}},
	} {
		if _, err := Build(t.Context(), c.model, r, c.opt); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
