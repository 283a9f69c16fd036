package regressor

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/symbolic"
)

// Every declaration answers all traits, and what it says agrees with its parameters.
func TestTermsAnswer(t *testing.T) {
	for _, d := range table() {
		for i, a := range d.says.all() {
			if a != yes && a != no {
				t.Errorf("%s does not answer trait %d of answers", d.name, i+1)
			}
		}
		has := d.says.traits()
		slides, forms, lossless := 0, 0, 0
		for _, p := range d.params {
			if p.slides != nil {
				slides++
			}
			if p.form != nil {
				forms++
			}
			if p.stores != nil || p.law.energy != nil {
				lossless++
			}
			if p.offset && !has.Friction {
				t.Errorf("%s: %s is an offset of a term that is no friction", d.name, p.kind)
			}
			if p.slides == nil && has.File && !p.offset {
				t.Errorf("%s is in robot files, and %s has no torque at a constant rate", d.name, p.kind)
			}
		}
		switch {
		case has.File != (slides > 0):
			t.Errorf("%s: file %t, %d parameters with a torque at a constant rate", d.name, has.File, slides)
		case has.Form != (forms == len(d.params)) || !has.Form && forms > 0:
			t.Errorf("%s: form %t, %d of %d parameters with one", d.name, has.Form, forms, len(d.params))
		case has.Friction && lossless > 0:
			t.Errorf("%s is friction and stores energy", d.name)
		case has.Dry && (!has.Friction || !has.Filtered):
			t.Errorf("%s is dry: it must be friction, and filtered", d.name)
		case has.PerJoint && !has.Friction:
			t.Errorf("%s may differ from joint to joint and is no friction", d.name)
		case (has.File || has.PerJoint || has.Offered || has.Driven) && d.of != ofJoint:
			t.Errorf("%s has traits of joints and is of none", d.name)
		case d.needs&^(NeedPayload) != 0 && !has.Filtered:
			t.Errorf("%s is made of other channels than the motion and not filtered", d.name)
		}
	}
}

func slid(c Column, rate, stribeck float64) float64 { return c.Sliding(stribeck)(rate) }

// The three ways to write a law are one law: the column of a model, its torque at a constant rate, its symbolic form; the energy's
// derivative is the torque.
func TestFormsOfLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 58))
	for _, d := range table() {
		for i, p := range d.params {
			c := Column{Term: d.name, Param: i}
			for range 8 {
				s, ds, dds, stribeck := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 0.1+rng.Float64()
				want := math.NaN()
				if p.law.torque != nil && d.needs&(NeedLoad|NeedCurrent) == 0 {
					out := []float64{0}
					p.law.torque(out, &driveCoordinate{s: []float64{s}, ds: []float64{ds}, dds: []float64{dds}, speed: stribeck})
					want = out[0]
				}
				check := func(what string, got float64) {
					if !math.IsNaN(want) && !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
						t.Errorf("%s: %s of %s is %.15g, the column %.15g", d.name, what, p.kind, got, want)
					}
				}
				if f := c.Sliding(stribeck); f != nil {
					check("the torque at a constant rate", f(ds))
					if f(0) != 0 {
						t.Errorf("%s: %s has the torque %g at rest", d.name, p.kind, f(0))
					}
				}
				if f := c.Sliding(stribeck); f != nil && d.name != StribeckV && f(ds)*ds < 0 {
					t.Errorf("%s: %s drives at the rate %g", d.name, p.kind, ds)
				}
				if as := c.Like(); as != "" && slid(c, ds, stribeck) != slid(Column{Term: as}, ds, stribeck) {
					t.Errorf("%s: %s is not like %s", d.name, p.kind, as)
				}
				eval := func(of func(Column, *Symbols) (symbolic.Node, bool), s float64) (float64, bool) {
					g := symbolic.NewGraph()
					in := func(name string) symbolic.Node { return g.Input(symbolic.Input{Name: name}) }
					x := &Symbols{Graph: g, S: in("s"), DS: in("ds"), DDS: in("dds"), Order: 3}
					x.Direction = func() symbolic.Node { return g.Sign(x.DS) }
					n, ok := of(c, x)
					if !ok {
						return 0, false
					}
					return g.Program("law", []symbolic.Node{x.S, x.DS, x.DDS}, symbolic.Result{Name: "y", Rows: 1, Cols: 1, Entries: []symbolic.Node{n}}).Eval([]float64{s, ds, dds})[0][0], true
				}
				got, ok := eval(Column.Torque, s)
				if ok {
					check("the symbolic torque", got)
				}
				const h = 1e-4 // of a central difference, its error h²/6 times a third derivative of up to 9
				up, stored := eval(Column.Energy, s+h)
				low, _ := eval(Column.Energy, s-h)
				if slope := (up - low) / (2 * h); stored && d.name != Ia && !(math.Abs(slope-got) <= 1e-6*(1+s*s*6)) {
					t.Errorf("%s: the energy of %s has the derivative %.9g, its torque is %.9g", d.name, p.kind, slope, got)
				}
			}
		}
	}
}
