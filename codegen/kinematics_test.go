package codegen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// numericKinematics are the kinematic models of a robot by package kinematics, in a state.
type numericKinematics struct {
	pose interface {
		Frame(link int) robot.Transform
		Twist(at kinematics.Point) kinematics.Twist
		Acceleration(at kinematics.Point) kinematics.Twist
		Jacobian(dst kinematics.Jacobian, at kinematics.Point)
		Move(dq, ddq []float64)
	}
	s     state
	frame Frame
}

func newNumericKinematics(t fataler, r *robot.Robot, s state, f Frame) *numericKinematics {
	t.Helper()
	if r.Closed() {
		c, err := kinematics.NewClosed(r)
		if err != nil {
			t.Fatalf("%v", err)
		}
		m, err := regressor.NewDynamic(r, links)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if _, err := c.Place(s.q, m.Loops().Start().Q); err != nil {
			t.Fatalf("%v", err)
		}
		return &numericKinematics{c, s, f}
	}
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	p := tree.NewPose()
	p.Place(s.q)
	return &numericKinematics{p, s, f}
}

func (n *numericKinematics) point() kinematics.Point {
	return kinematics.Point{Link: n.frame.Link, At: n.frame.Placement.P}
}

// axes is the frame whose axes the results are along.
func (n *numericKinematics) axes() robot.Transform {
	return n.pose.Frame(n.frame.Axes).Mul(n.frame.AxesPlacement)
}

func (n *numericKinematics) jacobian() kinematics.Jacobian {
	j := make(kinematics.Jacobian, len(n.s.q))
	n.pose.Jacobian(j, n.point())
	return j.Along(n.axes().R)
}

// along returns the components of a twist along the frame's axes.
func (n *numericKinematics) along(v kinematics.Twist) [][]float64 {
	one := kinematics.Jacobian{v}.Along(n.axes().R)[0]
	return [][]float64{one.Linear[:], one.Angular[:]}
}

func dense(j kinematics.Jacobian, rows []int) *mat.Dense {
	all := j.Dense()
	if len(rows) == 0 {
		return all
	}
	out := mat.NewDense(len(rows), len(j), nil)
	for i, r := range rows {
		for c := range j {
			out.Set(i, c, all.At(r, c))
		}
	}
	return out
}

// check compares the kinematic models with the numeric ones. Models that a robot lacks are nil.
func (n *numericKinematics) check(t fataler, name string, rows []int, run func(Model) [][]float64) {
	t.Helper()
	place := n.axes().Inv().Mul(n.pose.Frame(n.frame.Link).Mul(n.frame.Placement))
	p := place.P
	want := []float64{}
	for i := range 3 {
		want = append(want, place.R[i][0], place.R[i][1], place.R[i][2], p[i])
	}
	compare(t, name+", transform", run(Transform)[0], append(want, 0, 0, 0, 1))
	j := n.jacobian()
	compare(t, name+", jacobian", run(Jacobian)[0], j.Dense().RawMatrix().Data)
	two := func(m Model, v kinematics.Twist) {
		t.Helper()
		got := run(m)
		for i, want := range n.along(v) {
			size := 0.0
			for _, x := range want {
				size = math.Max(size, math.Abs(x))
			}
			compareTo(t, name+", "+string(m), got[i], want, size)
		}
	}
	n.pose.Move(n.s.dq, nil)
	two(JdotQdot, n.pose.Acceleration(n.point()))
	two(Velocities, n.pose.Twist(n.point()))
	n.pose.Move(n.s.dq, n.s.ddq)
	two(Accelerations, n.pose.Acceleration(n.point()))
	d := dense(j, rows)
	if got := run(JacobianDeterminant); got != nil {
		r, c := d.Dims()
		size, want := 1.0, 0.0
		square := d
		if c > r {
			square = mat.NewDense(r, r, nil)
			square.Mul(d, d.T())
		}
		want = mat.Det(square)
		for i := range r {
			size *= mat.Norm(square.RowView(i), 2) // Hadamard's bound: the size of the products
		}
		compareTo(t, name+", determinant", got[0], []float64{want}, size)
	}
	if got := run(JacobianInverse); got != nil {
		r, _ := d.Dims()
		inverse := mat.NewDense(r, r, got[0])
		var unit mat.Dense
		unit.Mul(inverse, d)
		// The error of a product of two matrices is rounding times that of their absolute values.
		for i := range r {
			for k := range r {
				size, want := 0.0, 0.0
				for l := range r {
					size += math.Abs(inverse.At(i, l)) * mat.Norm(d.RowView(l), 1)
				}
				if i == k {
					want = 1
				}
				size = math.Max(size, mat.Norm(inverse, 1)*mat.Norm(d, 1))
				compareTo(t, name+", inverse", []float64{unit.At(i, k)}, []float64{want}, size)
			}
		}
	}
}

// kinematicPrograms builds the kinematic models of a robot, without those that it lacks.
func kinematicPrograms(t fataler, r *robot.Robot, opt Options) map[Model]*symbolic.Program {
	t.Helper()
	out := map[Model]*symbolic.Program{}
	for _, m := range KinematicModels() {
		p, err := Build(context.Background(), m, r, opt)
		if err != nil && !errors.Is(err, ErrDeterminant) && !errors.Is(err, ErrNoClosedForm) {
			t.Fatalf("%s of %s: %v", m, r.Name, err)
		}
		if err == nil {
			out[m] = p
		}
	}
	return out
}

func checkKinematics(t fataler, rng *rand.Rand, r *robot.Robot, opt Options) {
	t.Helper()
	checkKinematicsAt(t, r, randomState(rng, r, nil), opt)
}

func checkKinematicsAt(t fataler, r *robot.Robot, s state, opt Options) {
	t.Helper()
	f := *LinkFrame(tipOf(t, r), [3]float64{}, -1)
	if opt.Frame != nil {
		f = *opt.Frame
	}
	programs := kinematicPrograms(t, r, opt)
	newNumericKinematics(t, r, s, f).check(t, r.Name, opt.Rows, func(m Model) [][]float64 {
		p := programs[m]
		if p == nil {
			return nil
		}
		return p.Eval(s.inputs(t, r, p, nil))
	})
}

func tipOf(t fataler, r *robot.Robot) int {
	t.Helper()
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return tree.Tip()
}

// The kinematic models of the reference robots, of their tips and of points elsewhere along other axes.
func TestKinematicModels(t *testing.T) {
	long.Only(t, "TestCases stands for it")
	rng := rand.New(rand.NewPCG(7, 1))
	for i, c := range testrobot.Cases(t) {
		if i%long.Of(1, 12) != 0 {
			continue
		}
		r := c.Robot(t)
		checkKinematics(t, rng, r, Options{})
		checkKinematics(t, rng, r, Options{Geometry: true})
		f := LinkFrame(rng.IntN(len(r.Links)), [3]float64{0.1, -0.2, 0.3}, rng.IntN(len(r.Links)+1)-1)
		f.Placement.R, f.AxesPlacement = spatial.Mul(spatial.RotX(0.4), spatial.RotZ(-1.1)), robot.Transform{R: spatial.RotX(-0.7), P: spatial.Vec{0.2, 0.1, -0.3}}
		checkKinematics(t, rng, r, Options{Frame: f})
		checkKinematics(t, rng, r, Options{Rows: []int{0, 1, 2}})
	}
}

// Those of random trees.
func TestKinematicModelsOfRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		if len(r.Moving()) == 0 {
			return
		}
		if m := r.Moving(); len(m) > 2 && rapid.Bool().Draw(t, "mimic") {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: m[2], Of: m[0], Multiplier: -1.5, Offset: 0.3})
		}
		link := rapid.IntRange(-1, len(r.Links)-1).Draw(t, "link")
		axes := rapid.IntRange(-1, len(r.Links)-1).Draw(t, "axes")
		checkKinematics(t, rng, r, Options{Frame: LinkFrame(link, [3]float64{0.3, 0.1, -0.2}, axes)})
	})
}

// printedPose is the state of the examples that were computed by an independent symbolic program.
var printedPose = []float64{0.3, -0.5, 0.8, 0.4, 0.9, -0.2}

// The poses and determinants of the RX90 (D3 = RL4 = 0.45 m) and of the Stanford arm (RL2 = 0.15 m), and
// the factors of the first: det ³J₆ = −C3·D3·RL4·S5·(S23·RL4 − C2·D3).
func TestPrintedDeterminants(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   map[string]float64
		place []float64 // first rows of T, or the position alone
		det   float64
	}{
		{"rx90", map[string]float64{"D3": 0.45, "RL4": 0.45}, []float64{0.349957583153, -0.569426499912, -0.743830055316, 0.250229433104,
			0.165045594911, 0.819099053401, -0.549396662092, 0.0774050343782, 0.922111512559, 0.0694996540662, 0.380631260527, 0.214159927735}, 0.02894676881191},
		{"stanford", map[string]float64{"RL2": 0.15}, []float64{-0.410738199677, 0.0299565259712, 0.702066049512}, -0.2403500323528},
	} {
		r := reference(t, c.name)
		p := build(t, JacobianDeterminant, r, Options{Geometry: true})
		at := build(t, Transform, r, Options{Geometry: true})
		values := func(p *symbolic.Program) []float64 {
			var in []float64
			for _, x := range p.Inputs {
				if x.Group == "q" {
					in = append(in, printedPose[x.Index])
					continue
				}
				v, ok := c.set[x.Name]
				if !ok {
					t.Fatalf("%s: no value of %s", c.name, x.Name)
				}
				in = append(in, v)
			}
			return in
		}
		place := at.Eval(values(at))[0]
		got := place[:12]
		if len(c.place) == 3 {
			got = []float64{place[3], place[7], place[11]}
		}
		for i, want := range c.place {
			if math.Abs(got[i]-want) > 1e-9 {
				t.Errorf("%s: entry %d of the pose is %.12f, want %.12f", c.name, i, got[i], want)
			}
		}
		if got := p.Eval(values(p))[0][0]; math.Abs(got-c.det) > 1e-9 {
			t.Errorf("%s: the determinant is %.13f, want %.13f", c.name, got, c.det)
		}
		if n := p.Counts(); n.Mul > 6 || n.Div > 0 {
			t.Errorf("%s: %+v: the factors are not found", c.name, n)
		}
		t.Logf("%s: %+v\n%s", c.name, p.Counts(), strings.Join(p.Doc, "\n"))
	}
}
