package doctor_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"unicode/utf8"

	"ident/datasets"
	"ident/doctor"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// arm is a robot with bodies, friction and limits.
func arm(name string, rng *rand.Rand, frames []robot.MDHFrame) *robot.Robot {
	r := robot.FromMDH(name, frames)
	for i := range r.Links {
		r.Links[i].Inertial, r.Links[i].HasInertial = testrobot.Body(rng), true
		j := &r.Links[i].Joint
		j.Ia, j.Fv, j.Fs, j.Fo = 0.2, 1+rng.Float64(), 1+rng.Float64(), 0.3
		j.Lower, j.Upper, j.Velocity, j.Effort = -2.9, 2.9, 6, 2000
	}
	return r
}

const half = math.Pi / 2

func sixAxis(rng *rand.Rand) *robot.Robot {
	return arm("six", rng, []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: half, D: 0.1}, {Antecedent: 1, D: 0.45},
		{Antecedent: 2, Alpha: -half, R: 0.4, D: 0.05}, {Antecedent: 3, Alpha: half}, {Antecedent: 4, Alpha: -half, R: 0.1},
	})
}

func scara(rng *rand.Rand) *robot.Robot {
	return arm("scara", rng, []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, D: 0.4}, {Antecedent: 1, D: 0.3}, {Antecedent: 2, Kind: robot.Prismatic},
	})
}

func planar(rng *rand.Rand) *robot.Robot {
	return arm("planar", rng, []robot.MDHFrame{{Antecedent: -1, Alpha: half}, {Antecedent: 0, D: 0.5}})
}

// experiment is a log before it becomes one.
type experiment struct {
	robot      *robot.Robot
	t          []float64
	q, dq, tau [][]float64
	ddq        [][]float64 // exact, and never logged
	current    bool
	unit       map[string]string
	opt        doctor.Options
	skip       map[string]bool
	extra      map[string][]float64 // further channels, without a role
}

// run moves the robot along Fourier series from rest to rest and measures it at the given rate.
func run(r *robot.Robot, rng *rand.Rand, rate, seconds float64) *experiment {
	const harmonics = 5
	n := r.DOF()
	rows := int(rate * seconds)
	var a, b [16][harmonics]float64
	base := 2 * math.Pi * 0.12
	for j := range n {
		for h := range harmonics {
			a[j][h], b[j][h] = 0.35*rng.NormFloat64(), 0.35*rng.NormFloat64()
		}
	}
	path := func(j int, t float64) float64 {
		// Rest for 0.8 s, then two seconds from rest to the full motion, and the same at the end.
		edge := math.Min(t, seconds-t) - 0.8
		w := math.Min(math.Max(edge/2, 0), 1)
		w = w * w * w * (10 + w*(6*w-15))
		s := 0.0
		for h := range harmonics {
			s += a[j][h]*math.Sin(base*float64(h+1)*t) + b[j][h]*math.Cos(base*float64(h+1)*t)
		}
		return 0.3*float64(j%3) + w*s*0.6
	}
	e := &experiment{robot: r, t: make([]float64, rows), unit: map[string]string{}, skip: map[string]bool{}}
	for range n {
		e.q = append(e.q, make([]float64, rows))
		e.dq = append(e.dq, make([]float64, rows))
		e.ddq = append(e.ddq, make([]float64, rows))
		e.tau = append(e.tau, make([]float64, rows))
	}
	tree, err := dynamics.New(r)
	if err != nil {
		panic(err)
	}
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	const step = 1e-4
	for k := range rows {
		t := float64(k) / rate
		e.t[k] = t
		for j := range n {
			before, now, after := path(j, t-step), path(j, t), path(j, t+step)
			q[j], dq[j], ddq[j] = now, (after-before)/(2*step), (after-2*now+before)/(step*step)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range n {
			d := r.Links[r.Moving()[j]].Joint
			sign := 0.0
			if math.Abs(dq[j]) > 1e-9 {
				sign = math.Copysign(1, dq[j])
			}
			e.q[j][k], e.dq[j][k], e.ddq[j][k] = q[j], dq[j], ddq[j]
			e.tau[j][k] = tau[j] + d.Ia*ddq[j] + d.Fv*dq[j] + d.Fs*sign + d.Fo
		}
	}
	return e
}

// measure adds the noise and the steps of sensors.
func (e *experiment) measure(rng *rand.Rand, angle, speed, torque float64) *experiment {
	for j := range e.q {
		size := math.Max(norm(e.tau[j]), 0.1)
		for k := range e.t {
			if angle > 0 {
				e.q[j][k] = math.Round(e.q[j][k]/angle) * angle
			}
			e.dq[j][k] += speed * rng.NormFloat64()
			e.tau[j][k] += torque * size * rng.NormFloat64()
		}
	}
	return e
}

func norm(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v / float64(len(x))
	}
	return math.Sqrt(s)
}

// failer is the common part of *testing.T and *rapid.T.
type failer interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Error(args ...any)
	Fatal(args ...any)
}

// log makes a log and its roles of the experiment.
func (e *experiment) log() (*datasets.Log, datasets.Roles) {
	channels := []datasets.Channel{{Name: "t", Unit: "s"}}
	cols := [][]float64{e.t}
	n := len(e.q)
	roles := datasets.Roles{T: "t", Q: make([]string, n), DQ: make([]string, n), DDQ: make([]string, n), Tau: make([]string, n), Current: make([]string, n)}
	for i, set := range [][][]float64{e.q, e.dq, e.tau} {
		for j, x := range set {
			name := fmt.Sprintf("%s%d", []string{"q", "dq", "tau"}[i], j+1)
			if e.skip[name] {
				continue
			}
			role := [][]string{roles.Q, roles.DQ, roles.Tau}[i]
			if i == 2 && e.current {
				name, role = fmt.Sprintf("i%d", j+1), roles.Current
			}
			role[j] = name
			channels = append(channels, datasets.Channel{Name: name, Unit: e.unit[name]})
			cols = append(cols, x)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.extra)) {
		channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, e.extra[name])
	}
	return datasets.FromColumns("log", channels, cols, nil), roles
}

// longest is the largest number of characters of a sentence of a finding.
const longest = 200

// findings has the experiment's log examined, and every finding looked at for completeness.
func (e *experiment) findings(t failer) []doctor.Finding {
	t.Helper()
	l, roles := e.log()
	f, err := doctor.Check(t.Context(), e.robot, l, roles, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range f {
		if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) || math.IsNaN(x.Limit) || x.Where == "" || x.Why == "" || x.Advice() == "" {
			t.Errorf("incomplete finding: %+v", x)
		}
		for _, text := range []string{x.Why, x.Fix, x.Hint} {
			if n := utf8.RuneCountInString(text); n > longest {
				t.Errorf("%s: %d characters, of %d: %s", x.ID, n, longest, text)
			}
		}
	}
	if !slices.IsSortedFunc(f, func(a, b doctor.Finding) int { return order(b) - order(a) }) {
		t.Error("findings are not sorted by severity")
	}
	return f
}

func order(f doctor.Finding) int {
	return slices.Index([]doctor.Severity{doctor.Info, doctor.Warning, doctor.Error}, f.Severity)
}

func show(f doctor.Finding) string {
	return fmt.Sprintf("%s %s [%s %s] %.5g against %.5g, %s: %s (%s)", f.Severity, f.ID, f.Channel, f.Joint, f.Value, f.Limit, f.Where, f.Why, f.Advice())
}
