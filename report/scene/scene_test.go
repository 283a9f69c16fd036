package scene

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/result"
	"ident/robot"
)

// The ellipsoid of a body has its mass and inertia: that of uniform density with semi-axes a has the principal
// moments m/5·(aⱼ² + aₖ²).
func TestEllipsoid(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 100 {
		p := testrobot.Body(rng)
		b := newBody(p)
		if b.Axes == nil {
			t.Fatalf("a feasible body has no ellipsoid: %s", b.Why)
		}
		turn, moment := mat.NewDense(3, 3, b.Turn[:]), mat.NewDense(3, 3, nil)
		for k := range 3 {
			moment.Set(k, k, b.Mass/5*(sq(b.Axes[(k+1)%3])+sq(b.Axes[(k+2)%3])))
		}
		var got mat.Dense
		got.Mul(turn, moment)
		got.Mul(&got, turn.T())
		want, _ := p.Central()
		// Axes and turns are rounded to half a millionth: each moment is off by at most that part of m·a² twice over.
		size := b.Mass * sq(b.Axes[0]+1) * 1e-5
		for i := range 3 {
			for k := range 3 {
				if d := math.Abs(got.At(i, k) - want[i][k]); d > size {
					t.Fatalf("inertia %d,%d: %g, want %g", i, k, got.At(i, k), want[i][k])
				}
			}
		}
	}
}

func sq(x float64) float64 { return x * x }

func TestBodiesThatCannotBe(t *testing.T) {
	var heavy robot.Inertial
	heavy[robot.M], heavy[robot.ZZ] = 1, 1 // a plate without the other two moments
	heavy[robot.XX], heavy[robot.YY] = 0.1, 0.1
	if b := newBody(heavy); b.Axes != nil || b.Why == "" || b.Centre == nil {
		t.Errorf("triangle inequality: %+v", b)
	}
	heavy[robot.M] = -1
	if b := newBody(heavy); b.Centre != nil || b.Why == "" {
		t.Errorf("negative mass: %+v", b)
	}
	heavy[robot.M] = math.NaN()
	if b := newBody(heavy); b.Why == "" || b.Mass != 0 {
		t.Errorf("unknown mass: %+v", b)
	}
}

// A body names the parameters that the data determined, and doubts its centre only where they determined all of it.
func TestIdentify(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 3, false)
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	var res result.Result
	for j := range 3 {
		for k, name := range robot.InertialNames {
			p := result.StdParameter{Name: robot.ParameterName(name, j), Link: r.Links[j].Name, Frame: "mdh", Value: r.Links[j].Inertial[k]}
			if j == 0 || j == 1 && k == robot.MX {
				p.Determined, p.Sigma = true, 0.1
			}
			res.StandardParameters = append(res.StandardParameters, p, result.StdParameter{Name: p.Name, Link: p.Link, Frame: "user", Value: 99})
		}
	}
	s.Identify(&res)
	first, second, third := s.Links[0].Identified, s.Links[1].Identified, s.Links[2].Identified
	if first.From != "identified" || first.Doubt == nil || first.Given {
		t.Errorf("determined body: %+v", first)
	}
	// With M and MX known to 0.1 each and |c|·σ(m) in full: no correlation makes more.
	m, c := first.Mass, first.Centre[0]
	if want := (0.1 + math.Abs(c)*0.1) / m; math.Abs(first.Doubt[0]-want) > 2e-6*(1+1/m) {
		t.Errorf("doubt %g, want %g", first.Doubt[0], want)
	}
	if !strings.HasPrefix(second.From, "1 of ten") || second.Doubt != nil || second.Given {
		t.Errorf("body in part: %+v", second)
	}
	if !third.Given || third.From != fromFile {
		t.Errorf("given body: %+v", third)
	}
	res.Consistency = &result.Consistency{}
	s.Identify(&res)
	if s.Links[2].Identified.From != consistency {
		t.Errorf("chosen body: %+v", s.Links[2].Identified)
	}
}

// positions decodes a motion.
func positions(t *testing.T, m Motion) (times []float64, q [][]float64) {
	t.Helper()
	tb, err := base64.StdEncoding.DecodeString(m.T)
	if err != nil {
		t.Fatal(err)
	}
	qb, err := base64.StdEncoding.DecodeString(m.Q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.N {
		times = append(times, m.Start+float64(math.Float32frombits(binary.LittleEndian.Uint32(tb[4*i:]))))
	}
	for c := range m.Low {
		column := make([]float64, m.N)
		for i := range column {
			column[i] = m.Low[c] + (m.High[c]-m.Low[c])*float64(binary.LittleEndian.Uint16(qb[2*(c*m.N+i):]))/math.MaxUint16
		}
		q = append(q, column)
	}
	return times, q
}

// Frames hold the motion within half a step of 16 bits, and are bounded however long the runs are.
func TestPlay(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(2, 1)), 4, false)
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	n := 50_000
	run := Run{Name: "long", T: make([]float64, n), Q: loops.Rows(make([]float64, 4*n), n)}
	for k := range n {
		run.T[k] = 5 + 0.01*float64(k)
		for j := range 4 {
			run.Q[j][k] = math.Sin(0.001 * float64(k*(j+1)))
		}
	}
	if err := s.Play([]Run{run, {Name: "empty", Q: make([][]float64, 4)}}); err != nil {
		t.Fatal(err)
	}
	m := s.Motions[0]
	if s.Motions[1].N != 0 || m.N > motionValues/4+1 || m.N < 1000 {
		t.Fatalf("%d and %d frames", m.N, s.Motions[1].N)
	}
	times, q := positions(t, m)
	for i, at := range times {
		k := math.Round((at - 5) / 0.01)
		for j := range 4 {
			if want := math.Sin(0.001 * k * float64(j+1)); math.Abs(q[j][i]-want) > 1.01*(m.High[j]-m.Low[j])/(2*math.MaxUint16) {
				t.Fatalf("frame %d of joint %d: %g, want %g", i, j, q[j][i], want)
			}
		}
	}
	if err := s.Play([]Run{{Q: make([][]float64, 3)}}); err == nil {
		t.Error("a motion of too few joints is accepted")
	}
}

// The passive joints of a closed robot follow, so that the two frames of each cut meet in every frame.
func TestPlayClosed(t *testing.T) {
	r := testrobot.SR400(t)
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	joints := r.Independent()
	n := 40
	run := Run{T: make([]float64, n), Q: loops.Rows(make([]float64, len(joints)*n), n)}
	for k := range n {
		run.T[k] = 0.1 * float64(k)
		for i, j := range joints {
			run.Q[i][k] = s.Start[s.Links[j].Coord] + 0.2*math.Sin(0.1*float64(k*(i+1)))
		}
	}
	if err := s.Play([]Run{run}); err != nil {
		t.Fatal(err)
	}
	m := s.Motions[0]
	if m.Note != "" || m.N != n || len(s.Loops) == 0 {
		t.Fatalf("%d frames, %d loops, %q", m.N, len(s.Loops), m.Note)
	}
	tree, err := dynamics.New(r.Cut())
	if err != nil {
		t.Fatal(err)
	}
	_, q := positions(t, m)
	state := make([]float64, len(q))
	for i := range n {
		for c := range q {
			state[c] = q[c][i]
		}
		poses := tree.Poses(state)
		at := func(m Mark) [3]float64 {
			if m.Link < 0 {
				return m.At
			}
			return poses[m.Link].Apply(m.At)
		}
		for _, l := range s.Loops {
			a, b := at(l[0]), at(l[1])
			for k := range 3 {
				// Angles are off by half a step of a turn in 65 535, each of some ten joints, at arms of the reach.
				if math.Abs(a[k]-b[k]) > 10*s.Reach*2*math.Pi/(2*math.MaxUint16) {
					t.Fatalf("frame %d: %v and %v", i, a, b)
				}
			}
		}
	}
}

// Every robot of the published cases makes a scene whose figure can be drawn.
func TestPublishedRobots(t *testing.T) {
	for _, c := range testrobot.Cases(t) {
		r := c.Robot(t)
		if len(r.Unset) > 0 {
			continue
		}
		s, err := New(r)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		figure, err := s.Figure()
		if err != nil || !strings.Contains(string(figure), "joints") {
			t.Errorf("%s: %v", r.Name, err)
		}
		if len(s.Shapes) == 0 && s.Reach == 1 {
			t.Logf("%s has no extent", r.Name)
		}
	}
}

// Symbols without values are an error that names them.
func TestUnsetGeometry(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 2, false)
	r.Unset = []string{"D3"}
	if _, err := New(r); err == nil || !strings.Contains(err.Error(), "D3") {
		t.Errorf("error %v", err)
	}
}
