package feet

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/internal/swaytest"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// stance is an exact sway of a quadruped with a sensor on its trunk.
type stance struct {
	robot *robot.Robot
	base  regressor.FloatingBase
	feet  []regressor.Foot
	sway  *swaytest.Sway
	log   Log
	// Of the sensor: its pose on the base, and what is wrong with it.
	sensor          Sensor
	turned          spatial.Vec
	gyroBias, fBias spatial.Vec
}

const gravity = 9.81

func newStance(t testing.TB, seed uint64, seconds float64, turned spatial.Vec) *stance {
	t.Helper()
	r := testrobot.Quadruped(t, rand.New(rand.NewPCG(seed, 1)))
	base, err := regressor.FloatingBaseOf(r)
	if err != nil {
		t.Fatal(err)
	}
	s := &stance{robot: r, base: base, turned: turned, gyroBias: spatial.Vec{0.01, -0.02, 0.005}, fBias: spatial.Vec{0.2, -0.1, 0.14},
		sensor: Sensor{Turn: rotation(spatial.Vec{0.3, -0.2, 1.5}), At: spatial.Vec{-0.03, 0.01, 0.05}}}
	for _, leg := range testrobot.QuadrupedLegs {
		for j := range r.Links {
			if r.Links[j].Name == leg+"_calf" {
				s.feet = append(s.feet, regressor.Foot{Name: leg, Link: j, Centre: testrobot.QuadrupedFoot, Radius: testrobot.QuadrupedRadius})
			}
		}
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	s.sway = swaytest.New(t, r, s.feet, m, make([]float64, len(m.Columns())), seed, swaytest.Options{DT: 0.01, Seconds: seconds,
		Start: []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7}})
	s.log = Log{DT: s.sway.DT, Q: s.sway.Q, DQ: s.sway.DQ, DDQ: s.sway.DDQ, Gyro: vector(len(s.sway.Up[0])), Force: vector(len(s.sway.Up[0]))}
	turn := spatial.Mul(rotation(turned), s.sensor.Turn)
	for i := range s.sway.Up[0] {
		w, dw, f := at(&s.sway.Base.Rate, i), at(&s.sway.Base.Acceleration, i), at(&s.sway.Base.SpecificForce, i)
		f = spatial.Add(f, spatial.Add(spatial.Cross(dw, s.sensor.At), spatial.Cross(w, spatial.Cross(w, s.sensor.At))))
		put(&s.log.Gyro, i, spatial.Add(spatial.MulTVec(turn, w), s.gyroBias))
		put(&s.log.Force, i, spatial.Add(spatial.MulTVec(turn, f), s.fBias))
	}
	return s
}

// follow returns the motion with the radius of the feet changed by some metres.
func (s *stance) follow(t testing.TB, radius float64) *Motion {
	t.Helper()
	m, _ := s.stands(t, radius)
	return m
}

// stands returns the motion and its gates, likewise.
func (s *stance) stands(t testing.TB, radius float64) (*Motion, []Gate) {
	t.Helper()
	feet := append([]regressor.Foot(nil), s.feet...)
	for i := range feet {
		feet[i].Radius += radius
	}
	sticking, err := regressor.NewSticking(s.robot, feet)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Follow(s.base, sticking, &s.log, s.sensor, gravity)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Check(sticking, func(radius float64, without int) *Motion {
		again, log := sticking, s.log
		if !math.IsNaN(radius) {
			for i := range feet {
				feet[i].Radius = radius
			}
			if again, err = regressor.NewSticking(s.robot, feet); err != nil {
				t.Fatal(err)
			}
		}
		if without >= 0 {
			log.Sticks = make([][]bool, len(feet))
			log.Sticks[without] = make([]bool, len(log.Q[0]))
		}
		m, err := Follow(s.base, again, &log, s.sensor, gravity)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}, gravity)
}

// only returns the gate of a kind if it is the only one, apart from the mount of the sensor.
func only(t *testing.T, gates []Gate, kind string) Gate {
	t.Helper()
	var out []Gate
	for _, g := range gates {
		if g.Kind != IMUMount {
			out = append(out, g)
		}
	}
	if len(out) != 1 || out[0].Kind != kind {
		t.Fatalf("found %+v, want %s alone", out, kind)
	}
	return out[0]
}

// worst returns the largest difference of two vectors' signals.
func worst(a, b *[3][]float64) float64 {
	out := 0.0
	for k := range a {
		for i, v := range a[k] {
			out = max(out, math.Abs(v-b[k][i]))
		}
	}
	return out
}

// The feet tell the motion of the base, and the mount and biases of the sensor, without its help.
func TestFollow(t *testing.T) {
	for seed := range uint64(3) {
		turned := spatial.Vec{0.03, -0.02, 0.04}
		s := newStance(t, seed, 20, turned)
		m := s.follow(t, 0)
		b := &s.sway.Base
		for _, c := range []struct {
			name       string
			got, limit float64
		}{
			{"rate", worst(&m.Base.Rate, &b.Rate), 2e-5},
			{"angular acceleration", worst(&m.Base.Acceleration, &b.Acceleration), 1e-4},
			{"specific force", worst(&m.Base.SpecificForce, &b.SpecificForce), 5e-3},
			{"normal", worst(&m.Up, &s.sway.Up), 5e-4},
			{"mount", spatial.Norm(spatial.Sub(m.Mount, turned)), 1e-4},
			{"bias of the gyroscope", spatial.Norm(spatial.Sub(m.GyroBias, s.gyroBias)), 1e-4},
			{"bias of the accelerometer", spatial.Norm(spatial.Sub(m.ForceBias, s.fBias)), 5e-3},
			{"gravity", math.Abs(m.Gravity - gravity), 5e-3},
			{"slip", RMS(m.Slip[0]), 1e-6},
			{"rest of the gyroscope", m.GyroRest, 1e-4},
		} {
			t.Logf("%s: %.2g", c.name, c.got)
			if !(c.got < c.limit) {
				t.Errorf("seed %d: %s is %.3g off", seed, c.name, c.got)
			}
		}
		if !m.MountSeen {
			t.Error("the mount was not seen")
		}
	}
}

// A sound stance has no gate but that of the sensor's mount, which is corrected.
func TestSoundStance(t *testing.T) {
	s := newStance(t, 4, 10, spatial.Vec{0, 0, 0.02})
	_, gates := s.stands(t, 0)
	if len(gates) != 1 || gates[0].Kind != IMUMount || gates[0].Fatal || math.Abs(gates[0].Value-0.02) > 1e-3 {
		t.Errorf("found %+v, want the mount alone", gates)
	}
}

// A radius that is wrong by 3 mm, or left out, is found.
func TestRadius(t *testing.T) {
	s := newStance(t, 5, 10, spatial.Vec{})
	for _, off := range []float64{-0.003, 0.003, -testrobot.QuadrupedRadius} {
		_, gates := s.stands(t, off)
		if g := only(t, gates, FootRadius); !g.Fatal || math.Abs(g.Value-testrobot.QuadrupedRadius) > 5e-4 {
			t.Errorf("radius wrong by %g m: found %+v", off, g)
		}
	}
}

// Noise of the joints' velocities that moves the feet as fast as a slip is no slip if its size is given, and the ends of a log show none.
func TestNoiseIsNoSlip(t *testing.T) {
	const sigma, edge = 0.006, 50
	s, rng := newStance(t, 7, 10, spatial.Vec{}), rand.New(rand.NewPCG(7, 2))
	for _, dq := range s.log.DQ {
		for i := range dq {
			dq[i] += sigma * rng.NormFloat64()
		}
	}
	s.log.DQ[1][edge/2] += 0.1
	slips := func(g Gate) bool { return g.Kind == FootSlips }
	if _, gates := s.stands(t, 0); !slices.ContainsFunc(gates, slips) {
		t.Fatalf("velocities with noise: %+v", gates)
	}
	s.log.RateNoise, s.log.Edge = slices.Repeat([]float64{sigma}, len(s.log.DQ)), edge
	m, gates := s.stands(t, 0)
	if slices.ContainsFunc(gates, slips) || m.SlipsAt(edge/2) {
		t.Errorf("with their deviation: %+v", gates)
	}
	for foot, x := range m.Slip {
		if got, want := m.slipNoise[foot], RMS(x); math.Abs(got/want-1) > 0.1 {
			t.Errorf("foot %d: noise makes a slip of %.3g m/s, found %.3g", foot, want, got)
		}
	}
}

// A foot that slides by 3 mm/s for a second is told, by its name, and the samples are marked.
func TestSlip(t *testing.T) {
	s := newStance(t, 6, 10, spatial.Vec{})
	sticking, err := regressor.NewSticking(s.robot, s.feet)
	if err != nil {
		t.Fatal(err)
	}
	n := len(s.sway.Up[0])
	c := sticking.NewContacts(n)
	in := s.sway.Batch()
	sticking.Eval(c, in, s.sway.Up, sticking.NewWorkspace())
	const foot, from, to, speed = 2, 400, 500, 0.003
	var way [3]float64
	for i := from; i < n; i++ {
		// Rates of the leg that move its point of contact along x of the base.
		j, y := mat.NewDense(3, 3, nil), mat.NewVecDense(3, []float64{speed, 0, 0})
		for k := range 3 {
			for q := range 3 {
				j.Set(k, q, c.Jacobian[3*foot+k][6+3*foot+q][i])
			}
		}
		var dq mat.VecDense
		if err := dq.SolveVec(j, y); err != nil {
			t.Fatal(err)
		}
		for q := range 3 {
			if i < to {
				s.log.DQ[3*foot+q][i] += dq.AtVec(q)
				way[q] += s.log.DT * dq.AtVec(q)
			}
			s.log.Q[3*foot+q][i] += way[q]
		}
	}
	m, gates := s.stands(t, 0)
	g := only(t, gates, FootSlips)
	if g.Foot != s.feet[foot].Name {
		t.Errorf("%s slips, found %+v", s.feet[foot].Name, g)
	}
	if !m.SlipsAt((from+to)/2) || m.SlipsAt(from-10) || m.SlipsAt(to+10) {
		t.Error("the samples of the slip are not marked, or others are")
	}
}

// An accelerometer in g, one with a wrong scale, and a robot that slides are told apart.
func TestGravity(t *testing.T) {
	scaled := func(by float64) *stance {
		s := newStance(t, 7, 10, spatial.Vec{})
		for k := range s.log.Force {
			for i := range s.log.Force[k] {
				s.log.Force[k][i] *= by
			}
		}
		return s
	}
	_, gates := scaled(1/9.80665).stands(t, 0)
	if g := only(t, gates, GravitySize); !g.Fatal {
		t.Errorf("in g: %+v", g)
	}
	_, gates = scaled(1.02).stands(t, 0)
	if g := only(t, gates, GravitySize); g.Fatal || math.Abs(g.Value-1.02*gravity) > 0.05 {
		t.Errorf("scale of 1.02: %+v", g)
	}
	s := newStance(t, 8, 10, spatial.Vec{})
	for i := 500; i < len(s.log.Q[0]); i++ {
		// The knees fold: no foot is where it was.
		for _, k := range []int{2, 5} {
			s.log.DQ[k][i] -= 1.5
			s.log.Q[k][i] -= 1.5 * s.log.DT * float64(i-500)
		}
	}
	_, gates = s.stands(t, 0)
	if g := only(t, gates, Fell); !g.Fatal {
		t.Errorf("a fall: %+v", g)
	}
}

// A gyroscope in degrees per second, a base that is held, and a foot that is in the air while its flag says that it stands
// are named; no other foot is.
func TestNamedCauses(t *testing.T) {
	s := newStance(t, 9, 10, spatial.Vec{})
	for k := range s.log.Gyro {
		for i := range s.log.Gyro[k] {
			s.log.Gyro[k][i] *= 180 / math.Pi
		}
	}
	_, gates := s.stands(t, 0)
	if len(gates) != 1 || !gates[0].Fatal || !strings.Contains(gates[0].Why, "degrees per second") {
		t.Errorf("in degrees: %+v", gates)
	}
	s = newStance(t, 9, 10, spatial.Vec{})
	for i := range s.log.Gyro[0] {
		put(&s.log.Gyro, i, spatial.Vec{0.01, 0, 0.002})
		put(&s.log.Force, i, spatial.MulTVec(s.sensor.Turn, spatial.Vec{0, 0, gravity}))
	}
	_, gates = s.stands(t, 0)
	if g := only(t, gates, Fell); !g.Fatal || !strings.Contains(g.Why, "held") {
		t.Errorf("held: %+v", g)
	}
	for foot := range s.feet {
		s = newStance(t, 10+uint64(foot), 10, spatial.Vec{})
		knee := 3*foot + 2
		for i := 300; i < 700; i++ {
			sin, cos := math.Sincos(2 * math.Pi * float64(i-300) / 100)
			s.log.Q[knee][i] += 0.3 * (cos - 1)
			s.log.DQ[knee][i] -= 0.3 * 2 * math.Pi * sin
			s.log.DDQ[knee][i] -= 0.3 * 4 * math.Pi * math.Pi * cos
		}
		_, gates = s.stands(t, 0)
		if g := only(t, gates, FootSlips); !g.Fatal || g.Foot != s.feet[foot].Name {
			t.Errorf("foot %s in the air: %+v", s.feet[foot].Name, g)
		}
	}
}

// A sole that turns about the normal of the ground is told; soles that stick are not.
func TestSoleTwists(t *testing.T) {
	m := Motion{Gravity: gravity, ForceSize: gravity, GyroScale: 1, GyroSize: 0.1, Slip: [][]float64{make([]float64, 4), make([]float64, 4)}}
	r := testrobot.Quadruped(t, rand.New(rand.NewPCG(1, 1)))
	soles := []regressor.Foot{{Name: "L", Link: 8, Sole: true}, {Name: "R", Link: 11, Sole: true}}
	sticking, err := regressor.NewSticking(r, soles)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rate  float64
		told  bool
		fatal bool
	}{{0.003, false, false}, {0.02, true, false}, {0.1, true, true}} {
		m.Twist = [][]float64{make([]float64, 4), {c.rate, -c.rate, c.rate, math.NaN()}}
		gates := m.Check(sticking, nil, gravity)
		if told := len(gates) == 1 && gates[0].Kind == SoleTwists && gates[0].Foot == "R"; told != c.told || told && gates[0].Fatal != c.fatal || !told && len(gates) > 0 {
			t.Errorf("%g rad/s: %+v", c.rate, gates)
		}
	}
}

// A base whose feet are in the air, or that has two, is refused.
func TestNotStanding(t *testing.T) {
	s := newStance(t, 6, 2, spatial.Vec{})
	air := make([]bool, len(s.sway.Up[0]))
	s.log.Sticks = [][]bool{nil, nil, air, air}
	sticking, err := regressor.NewSticking(s.robot, s.feet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Follow(s.base, sticking, &s.log, s.sensor, gravity); !errors.Is(err, ErrNotStanding) {
		t.Errorf("two feet: %v", err)
	}
	s.log.Sticks = [][]bool{nil, nil, nil, air}
	if _, err := Follow(s.base, sticking, &s.log, s.sensor, gravity); err != nil {
		t.Errorf("three feet: %v", err)
	}
}
