package loops

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// The reference mechanisms are those of the notes on chapter 13 of a collection
// on multibody dynamics (Zakhariev and Genova), whose numbers were computed there
// by closed forms and finite differences.

func moveX(d float64) robot.Transform {
	return robot.Transform{R: spatial.Eye(), P: spatial.Vec{d, 0, 0}}
}
func turn(r spatial.Mat) robot.Transform { return robot.Transform{R: r} }

// chainRobot hangs revolute joints on each other: link i on the link on[i].
func chainRobot(name string, on []int, at []robot.Transform) *robot.Robot {
	r := &robot.Robot{Name: name, Gravity: robot.StandardGravity}
	for i := range on {
		r.Links = append(r.Links, robot.Link{Name: "L", Antecedent: on[i], Placement: at[i], UserFrame: robot.Identity(),
			Joint: robot.Joint{Name: "q" + string(rune('0'+i)), Passive: i > 0}})
	}
	return r
}

func closeAt(r *robot.Robot, name string, a int, frame robot.Transform, b int, meets robot.Transform) {
	n := len(r.Extra)
	r.Extra = append(r.Extra, robot.ExtraFrame{Name: name, Antecedent: a, Placement: frame},
		robot.ExtraFrame{Name: name + "'", Antecedent: b, Kind: robot.Fixed, Placement: meets})
	r.Loops = append(r.Loops, robot.Loop{Frame: n, Meets: n + 1})
}

// ring is a loop of four pairs Rz(q)·Trans(x, l)·Rot(x, α), the last one cut;
// after it the axes are turned by back.
func ring(name string, length, alpha [4]float64, back float64) *robot.Robot {
	side := func(i int) robot.Transform { return moveX(length[i]).Mul(turn(spatial.RotX(alpha[i]))) }
	r := chainRobot(name, []int{-1, 0, 1}, []robot.Transform{robot.Identity(), side(0), side(1)})
	closeAt(r, "q3", 2, side(2), -1, side(3).Mul(turn(spatial.RotZ(back))).Inv())
	return r
}

func watt() *robot.Robot {
	corner := robot.Transform{R: spatial.Eye(), P: spatial.Vec{1.5 * math.Cos(0.5), 1.5 * math.Sin(0.5), 0}}
	pivot := robot.Transform{R: spatial.Eye(), P: spatial.Vec{6.5, 0.5, 0}}
	r := chainRobot("Watt", []int{-1, 0, -1, 2, -1}, []robot.Transform{robot.Identity(), moveX(1), moveX(4), corner, pivot})
	closeAt(r, "c1", 1, moveX(3.5), 2, moveX(3))
	closeAt(r, "c2", 3, moveX(3), 4, moveX(2))
	return r
}

func rsur() *robot.Robot {
	half := math.Pi / 2
	tall := robot.Transform{R: spatial.RotX(half), P: spatial.Vec{0, 0, 2.2}}
	out := robot.Transform{R: spatial.Mul(spatial.RotX(1.1), spatial.RotZ(0.2)), P: spatial.Vec{2, 0.5, 0.3}}
	r := chainRobot("RSUR", []int{-1, 0, 1, 2, 3, -1}, []robot.Transform{robot.Identity(), moveX(0.6), turn(spatial.RotX(half)), turn(spatial.RotY(half)), tall, out})
	rocker := spatial.Mul(spatial.Mul(spatial.RotX(0.3), spatial.RotZ(0.1)), spatial.RotX(0.2))
	closeAt(r, "c", 4, turn(spatial.Mul(spatial.RotY(half), spatial.RotX(0.4))), 5, moveX(1.3).Mul(turn(rocker)))
	return r
}

// publishedCase is a mechanism with the motion of all its coordinates, those of cuts
// last.
type publishedCase struct {
	r          *robot.Robot
	q, dq, ddq []float64
	rank       int
}

func references() []publishedCase {
	thirty, sixty := math.Pi/6, math.Pi/3
	return []publishedCase{
		{ring("four-bar", [4]float64{1, 3.5, 3, 4}, [4]float64{}, math.Pi),
			[]float64{math.Pi / 3, -0.418482423551, -1.97453280784, 4.48741033378},
			[]float64{2, -2.42291527144, 0.717517646929, -0.294602375485},
			[]float64{-3, 4.5404158878, -0.467696873967, -1.07271901383}, 3},
		{ring("Bennett", [4]float64{1, math.Sqrt(3), 1, math.Sqrt(3)}, [4]float64{thirty, sixty, thirty, sixty}, 0),
			[]float64{1, 2.74687732402, 5.28318530718, 3.53630798316},
			[]float64{1, -0.456991899112, -1, 0.456991899112},
			[]float64{0.5, -0.436391673274, -0.5, 0.436391673274}, 3},
		{watt(),
			[]float64{math.Pi / 3, -0.418482423551, 1.7957749734, -1.37398453334, 1.95929941764, 1.16705984575, 1.53750897758},
			[]float64{2, -2.42291527144, 0.294602375485, -0.245942113975, 0.210990933849, 0.717517646929, 0.162330672339},
			[]float64{-3, 4.5404158878, 1.07271901383, -0.884166309019, 0.750895473384, -0.467696873967, 0.562342768569}, 6},
		{rsur(),
			[]float64{0.7, -0.913845704439, -0.362706315306, -0.133177634781, -2.42679735525, -1.40176807036, -2.19303528962},
			[]float64{1, -1.28766165525, -0.0983886033817, -0.212771820223, -0.0737469593158, -0.484252422759, -0.332708756447},
			[]float64{0.4, -0.331329292546, 0.0121557196116, -0.229878211059, 0.247726174407, -0.528433231046, -0.493162612679}, 6},
	}
}

// Positions, rates, accelerations and rank of the published mechanisms, from a
// start that is off by a few degrees.
func TestPublishedMechanisms(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, ref := range references() {
		c := closureOf(t, ref.r)
		start := slices.Clone(ref.q)
		for k := 1; k < len(start); k++ {
			start[k] += 0.05 * rng.NormFloat64()
		}
		q, err := c.Close(start, c.Active())
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Motion(q)
		if err != nil {
			t.Fatal(err)
		}
		if m.Rank != ref.rank || m.Mobility != 1 {
			t.Errorf("%s: rank %d, %d motions; want %d and 1", ref.r.Name, m.Rank, m.Mobility, ref.rank)
		}
		tr, err := c.Track(q)
		if err != nil {
			t.Fatal(err)
		}
		o := oneByOne(tr.Newton())
		if err := o.move(ref.q[:1], ref.dq[:1], ref.ddq[:1]); err != nil {
			t.Fatal(err)
		}
		at := &o.k.newton // with the rates of cut joints
		rates, accs := m.Rates(ref.dq[:1]), m.Accelerations(ref.dq[:1], ref.ddq[:1])
		worst := 0.0
		for k := range q {
			worst = max(worst, math.Abs(wrap(q[k]-ref.q[k])), math.Abs(wrap(at.q[k]-ref.q[k])), math.Abs(at.dq[k]-ref.dq[k]), math.Abs(at.ddq[k]-ref.ddq[k]))
			if k < c.DOF() {
				worst = max(worst, math.Abs(rates[k]-ref.dq[k]), math.Abs(accs[k]-ref.ddq[k]))
			}
		}
		t.Logf("%s: %d constraints, off by %.2g", ref.r.Name, m.Rank, worst)
		if worst > 1e-8 {
			t.Errorf("%s: off by %g", ref.r.Name, worst)
		}
	}
}

// From sixty random starts on the RSUR loop with its crank held, every state that
// is reported is closed in all twelve entries, and is one of the two that the
// closed form gives.
func TestRandomStartsOnRSUR(t *testing.T) {
	c := closureOf(t, rsur())
	rng := rand.New(rand.NewPCG(33, 34))
	base := make([]float64, 7)
	base[0] = 0.7
	reported := 0
	for range 60 {
		q, err := c.Close(c.RandomState(base, []int{0}, rng), []int{0})
		if err != nil {
			var open *ClosureError
			if !errors.As(err, &open) {
				t.Fatal(err)
			}
			continue
		}
		reported++
		poses := c.tree.Poses(q)
		a, b := poses[c.loops[0].frame], poses[c.loops[0].meets]
		for i := range 3 {
			if math.Abs(a.P[i]-b.P[i]) > 1e-10 {
				t.Fatalf("origins %v and %v", a.P, b.P)
			}
			for j := range 3 {
				if math.Abs(a.R[i][j]-b.R[i][j]) > 1e-10 {
					t.Fatalf("axes %v and %v", a.R, b.R)
				}
			}
		}
		if x, y := wrap(q[5]+1.40176807036), wrap(q[5]+4.87340080969); math.Abs(x) > 1e-8 && math.Abs(y) > 1e-8 {
			t.Errorf("the rocker is at %.10g", q[5])
		}
	}
	t.Logf("%d of 60 starts closed", reported)
	if reported < 50 {
		t.Errorf("only %d of 60 starts closed", reported)
	}
}

// The same loop with its three concurrent joints as one ball and socket that is
// cut, and with its two crossing ones as a universal joint.
func TestComplexJointsAtTheCut(t *testing.T) {
	half := math.Pi / 2
	full := rsur()
	tall, second := full.Links[4].Placement, full.Extra[0].Placement
	rocker := full.Extra[1].Placement

	ball := chainRobot("RSUR by its ball", []int{-1, -1, 1, 2}, []robot.Transform{robot.Identity(), full.Links[5].Placement, rocker, second.Inv()})
	ball.Extra = []robot.ExtraFrame{{Name: "s", Antecedent: 3, Kind: robot.Fixed, Placement: tall.Inv()}, {Name: "s'", Antecedent: 0, Kind: robot.Fixed, Placement: moveX(0.6)}}
	ball.Loops = []robot.Loop{{Frame: 0, Meets: 1, Spherical: true}}

	cross := chainRobot("RSUR by its cross", []int{-1, 0, 1, 2, -1}, []robot.Transform{robot.Identity(), moveX(0.6), turn(spatial.RotX(half)), turn(spatial.RotY(half)), full.Links[5].Placement})
	cross.Extra = []robot.ExtraFrame{{Name: "u.1", Antecedent: 3, Placement: tall}, {Name: "u", Antecedent: -2, Placement: turn(spatial.RotX(-half))}, {Name: "u'", Antecedent: 4, Kind: robot.Fixed, Placement: rocker}}
	cross.Loops = []robot.Loop{{Frame: 1, Meets: 2}}

	for _, m := range []struct {
		r      *robot.Robot
		rocker int // coordinate
		rank   int
	}{{ball, 1, 3}, {cross, 4, 6}} {
		c := closureOf(t, m.r)
		rng := rand.New(rand.NewPCG(35, 36))
		base := make([]float64, c.DOF()+c.Cuts())
		base[0] = 0.7
		var at *Motion
		for at == nil {
			q, err := c.Close(c.RandomState(base, []int{0}, rng), []int{0})
			if err == nil && math.Abs(wrap(q[m.rocker]+1.40176807036)) < 1e-8 {
				if at, err = c.Motion(q); err != nil {
					t.Fatal(err)
				}
			}
		}
		if at.Rank != m.rank || at.Mobility != 1 {
			t.Errorf("%s: rank %d, %d motions", m.r.Name, at.Rank, at.Mobility)
		}
		v, a := at.Rates([]float64{1})[m.rocker], at.Accelerations([]float64{1}, []float64{0.4})[m.rocker]
		tr := oneByOne(trackerOf(t, c, at).Newton())
		if err := tr.move([]float64{0.7}, []float64{1}, []float64{0.4}); err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string][3]float64{"rate": {v, tr.dq[m.rocker], -0.484252422759}, "acceleration": {a, tr.ddq[m.rocker], -0.528433231046}} {
			if math.Abs(got[0]-got[2]) > 1e-8 || math.Abs(got[1]-got[2]) > 1e-8 {
				t.Errorf("%s: %s of the rocker %.12g, tracked %.12g; want %.12g", m.r.Name, what, got[0], got[1], got[2])
			}
		}
	}
}

// The cylinder of an excavator's boom: its rod may turn in it as well as slide,
// which the pins at its ends leave no room for; it is as long as the triangle
// says, whichever of the two its cut is described as.
func TestCylinderOfABoom(t *testing.T) {
	side := turn(spatial.RotY(math.Pi / 2)) // z along x of the rod and of the cylinder
	boom := func(cylindrical bool) *robot.Robot {
		r := chainRobot("boom", []int{-1, 0, -1}, []robot.Transform{robot.Identity(), moveX(0.9), moveX(0.5)})
		slide := robot.ExtraFrame{Name: "c", Antecedent: 2, Kind: robot.Prismatic, Placement: side}
		r.Extra = []robot.ExtraFrame{slide, {Name: "c'", Antecedent: 1, Kind: robot.Fixed, Placement: side}}
		r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
		if cylindrical {
			r.Extra[0] = robot.ExtraFrame{Name: "c", Antecedent: -2 - 2, Kind: robot.Prismatic, Placement: robot.Identity()}
			slide.Name, slide.Kind = "c.1", robot.Revolute
			r.Extra = append(r.Extra, slide)
		}
		return r
	}
	for _, cylindrical := range []bool{false, true} {
		c := closureOf(t, boom(cylindrical))
		start := make([]float64, c.DOF()+c.Cuts())
		start[0], start[1], start[2] = 1, 0.5, 1.5
		start[slices.Index(c.Joints(), "c")] = 0.7
		q, err := c.Close(start, c.Active())
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Motion(q)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Sqrt(0.9*0.9 + 0.5*0.5 - 2*0.9*0.5*math.Cos(1))
		if got := q[slices.Index(c.Joints(), "c")]; m.Mobility != 1 || math.Abs(got-want) > 1e-10 {
			t.Errorf("cylindrical %v: %d motions, length %.12g, want %.12g", cylindrical, m.Mobility, got, want)
		}
		tr := oneByOne(trackerOf(t, c, m))
		if err := tr.move([]float64{1.3}, nil, nil); err != nil {
			t.Fatal(err)
		}
		want = math.Sqrt(0.9*0.9 + 0.5*0.5 - 2*0.9*0.5*math.Cos(1.3))
		if got := tr.q[slices.Index(c.Joints(), "c")]; math.Abs(got-want) > 1e-10 {
			t.Errorf("cylindrical %v: length %.12g, want %.12g", cylindrical, got, want)
		}
	}
}

// The parallelogram of the SR400 as linear relations between its joints gives
// the motion that its loop gives.
func TestCouplingsAsAParallelogram(t *testing.T) {
	loop := sr400(t)
	ties := loop.Cut()
	ties.Extra = nil
	ties.Couplings = []robot.Coupling{
		{Joint: 2, Of: map[int]float64{1: -1, 6: 1}, Offset: math.Pi / 2},
		{Joint: 7, Of: map[int]float64{1: 1, 6: -1}},
	}
	a, b := closureOf(t, loop), closureOf(t, ties)
	if b.Cuts() != 0 || !slices.Equal(a.Active(), b.Active()) {
		t.Fatalf("%d cuts, active %v", b.Cuts(), b.Active())
	}
	rng := rand.New(rand.NewPCG(37, 38))
	start := []float64{0, 0.2, math.Pi/2 - 1.5, 0, 0, 0, -1.3, 1.5}
	var tr [2]*one
	for i, c := range []*Closure{a, b} {
		q, err := c.Close(start, c.Active())
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Motion(q)
		if err != nil {
			t.Fatal(err)
		}
		if m.Mobility != 6 {
			t.Errorf("%d motions", m.Mobility)
		}
		tr[i] = oneByOne(trackerOf(t, c, m))
	}
	for range 30 {
		to, rates, accs := make([]float64, 6), make([]float64, 6), make([]float64, 6)
		for i := range to {
			to[i], rates[i], accs[i] = start[a.Active()[i]]+0.4*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		}
		if math.Abs(math.Sin(to[1]-to[5])) < 0.2 {
			continue
		}
		var got [2][3][]float64
		for i := range tr {
			if err := tr[i].move(to, rates, accs); err != nil {
				t.Fatal(err)
			}
			got[i] = [3][]float64{tr[i].q[:a.DOF()], tr[i].dq, tr[i].ddq}
		}
		for what := range 3 {
			for k := range got[0][what] {
				if x, y := got[0][what][k], got[1][what][k]; math.Abs(x-y) > 1e-10 {
					t.Fatalf("coordinate %d (derivative %d): %.14g by the loop, %.14g by the relations", k+1, what, x, y)
				}
			}
		}
	}
	// A relation that no joint can keep, and one that holds a driven joint.
	twice := ties.Clone()
	twice.Couplings = append(twice.Couplings, robot.Coupling{Joint: 2, Of: map[int]float64{1: -1, 6: 1}, Offset: 1})
	if _, err := closureOf(t, twice).Close(start, nil); err == nil {
		t.Error("two relations that contradict each other are closed")
	}
}
