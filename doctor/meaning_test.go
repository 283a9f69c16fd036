package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/robot"
)

// Whatever the clock, the positions, the velocities and the torques are in, one examination names all of it, its repairs make the log what it was,
// and an examination of the repaired log names nothing more of the kind.
func TestUnitsOfSeveralChannelsAtOnce(t *testing.T) {
	const deg, rpm = math.Pi / 180, math.Pi / 30
	for i, c := range []struct{ t, q, dq, slide, tau float64 }{
		{1e-3, deg, 1, 1, 1},
		{1e-3, deg, deg, 1e-3, 1e-3},
		{1e-6, deg, rpm, 1, 1e-3},
		{1, 1e-3, 1e-3, 1, 1},
		{86400, 1, 1, 1e-3, 1},
		{0.02, 1, 1, 1, 1}, // the number of the row
		{1, 1, 1, 1, 0.0980665},
	}[:draws.Of(7, 3)] {
		rng := rand.New(rand.NewPCG(uint64(i), 71))
		r := scara(rng)
		sound := run(r, rng, 50, 12).measure(rng, 0, 1e-4, 0.005)
		if c.tau > 0.01 && c.tau < 1 { // the bodies tell it, where gravity acts
			r = puma()
			sound = run(r, rng, 50, 12).measure(rng, 0, 1e-4, 0.005)
		}
		for j, tau := range sound.tau {
			r.Links[r.Moving()[j]].Joint.Effort = 1.2 * max(slices.Max(tau), -slices.Min(tau))
		}
		e := sound.clone()
		e.scaled(e.t, 1/c.t)
		for j := range e.q {
			revolute := r.Links[r.Moving()[j]].Joint.Kind == robot.Revolute
			q, dq := c.q, c.dq
			if !revolute {
				q, dq = c.slide, c.slide
			}
			e.scaled(e.q[j], 1/q)
			e.scaled(e.dq[j], 1/dq)
			e.scaled(e.tau[j], 1/c.tau)
		}
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			found := e.findings(t)
			for _, f := range found {
				if f.Severity != doctor.Info && (f.Tried.Outcome != "written" || len(f.Repair.Settings) == 0) {
					t.Errorf("not mended by a setting: %s", show(f))
				}
			}
			m := e.mended(t, nil)
			if m == nil {
				t.Fatal("nothing is written")
			}
			for j := range m.q {
				for _, x := range [][2][]float64{{m.q[j], sound.q[j]}, {m.dq[j], sound.dq[j]}, {m.tau[j], sound.tau[j]}} {
					if by := rms(x[0]) / rms(x[1]); math.Abs(by-1) > 0.01 {
						t.Errorf("joint %d: a channel is %.4g times what it was", j+1, by)
					}
				}
			}
			if by := (m.t[len(m.t)-1] - m.t[0]) / (sound.t[len(sound.t)-1] - sound.t[0]); math.Abs(by-1) > 0.01 {
				t.Errorf("the log takes %.4g times as long as it did", by)
			}
			for _, f := range m.findings(t) {
				if f.Severity != doctor.Info && (f.ID == doctor.Units || f.ID == doctor.ClockRate) {
					t.Errorf("the next examination: %s", show(f))
				}
			}
		})
	}
}

func rms(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s / float64(len(x)))
}

// Rows before a driver has published, rows in descending order, and a log that starts from rest.
func TestRowsOfTheStart(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(e *experiment)
		told string
	}{
		{"zeros", func(e *experiment) { e.first(9, 0) }, "the first 9 rows hold no measurement"},
		{"one row of zeros", func(e *experiment) { e.first(1, 0) }, "the first 1 row hold"},
		{"the state of another day", func(e *experiment) { e.first(25, 0.7) }, "the first 25 rows hold no measurement"},
		{"descending", func(e *experiment) {
			for _, x := range slices.Concat([][]float64{e.t}, e.q, e.dq, e.tau) {
				slices.Reverse(x)
			}
		}, "reverse order"},
		{"from rest", func(e *experiment) {
			for j := range e.q {
				at := e.q[j][0]
				for k := range 60 { // in a quarter of the time of a sine
					w := 1 - math.Cos(math.Pi/2*float64(k)/60)
					e.q[j][k] = at + w*(e.q[j][60]-at)
				}
			}
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(73, 0))
			sound := run(puma(), rng, 100, 14).measure(rng, 1e-6, 1e-4, 0.01)
			e := sound.clone()
			c.make(e)
			found := e.findings(t)
			told := slices.IndexFunc(found, func(f doctor.Finding) bool {
				return f.Severity == doctor.Error && (strings.Contains(f.Why, "no measurement") || strings.Contains(f.Why, "reverse order"))
			})
			if c.told == "" {
				if told >= 0 {
					t.Errorf("a sound start: %s", show(found[told]))
				}
				return
			}
			if told < 0 || !strings.Contains(found[told].Why, c.told) {
				t.Fatalf("%v", found)
			}
			for _, f := range found {
				if f.Severity != doctor.Info && f.Why != found[told].Why {
					t.Errorf("a second finding: %s", show(f))
				}
			}
			m := e.mended(t, nil)
			if m == nil {
				t.Fatal("nothing is written")
			}
			if n := len(m.t); m.q[0][n-1] != sound.q[0][len(sound.t)-1] || m.t[n-1] < m.t[0] {
				t.Error("the rows are not those of the log in their order")
			}
			for _, f := range m.findings(t) {
				if f.Severity != doctor.Info {
					t.Errorf("the next examination: %s", show(f))
				}
			}
		})
	}
}

// first sets the first n rows of all channels to a value.
func (e *experiment) first(n int, value float64) {
	for _, x := range slices.Concat(e.q, e.dq, e.tau) {
		for k := range n {
			x[k] = value
		}
	}
}

// Whatever the travel of a slide and the limit that its file has, a position in another unit is mended to metres or not at all: its size may
// allow two units.
func TestUnitOfSlide(t *testing.T) {
	mended := 0
	for seed := range uint64(draws.Of(24, 6)) {
		rng := rand.New(rand.NewPCG(seed, 75))
		r := arm("cylindrical", rng, []robot.MDHFrame{
			{Antecedent: -1}, {Antecedent: 0, Alpha: half, D: 0.1}, {Antecedent: 1, Kind: robot.Prismatic, Alpha: half, R: 0.3}, {Antecedent: 2},
		})
		sound := run(r, rng, 100, 14).measure(rng, 0, 1e-4, 0.005)
		r.Links[r.Moving()[2]].Joint.Upper = norm(sound.q[2]) * (1 + 4*rng.Float64())
		r.Links[r.Moving()[2]].Joint.Lower = -r.Links[r.Moving()[2]].Joint.Upper
		by := []float64{100, 1000}[seed%2]
		e := sound.clone()
		e.scaled(e.q[2], by)
		e.scaled(e.dq[2], by)
		m := e.mended(t, nil)
		if m == nil {
			continue
		}
		mended++
		if x := rms(m.q[2]) / rms(sound.q[2]); math.Abs(x-1) > 0.01 && math.Abs(x-by) > 0.01*by {
			t.Errorf("%d: a slide in %g to the metre, with the limit %.3g, is %.4g times what it was", seed, by, r.Links[r.Moving()[2]].Joint.Upper, x)
		}
	}
	if mended < 3 {
		t.Errorf("%d logs mended: this test cannot fail", mended)
	}
}

// In a plane two torques tell only the ratio of their scales, three tell which is wrong: the scale of a torque is told, and only a repair of
// that torque is written.
func TestScaleInPlane(t *testing.T) {
	told := 0
	for seed := range uint64(draws.Of(16, 4)) {
		rng := rand.New(rand.NewPCG(seed, 76))
		r := scara(rng)
		if seed%4 < 2 {
			r = arm("two in a plane", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}, {Antecedent: 1, Kind: robot.Prismatic, D: 0.3}})
		}
		e := run(r, rng, 100, 16).measure(rng, 0, 1e-4, 0.005)
		j, by := int(seed%2), []float64{0.75, 0.9, 1.3}[seed%3]
		e.scaled(e.tau[j], by)
		for _, f := range e.findings(t) {
			if f.ID == doctor.GearRatio && f.Severity != doctor.Info {
				told++
			}
			if len(f.Repair.Edits) > 0 && f.Tried.Outcome == "written" && (seed%4 < 2 || f.Channel != fmt.Sprint("tau", j+1)) {
				t.Errorf("%d: tau%d times %g: %s", seed, j+1, by, show(f))
			}
		}
	}
	if told == 0 {
		t.Error("no scale is told: this test cannot fail")
	}
}

// Currents in mA whose gains are known are mended, all of them, whether one of them is too large for amperes or only the bodies tell.
func TestMilliamperesWithGains(t *testing.T) {
	for i, gain := range []float64{2, 60} {
		rng := rand.New(rand.NewPCG(uint64(i), 77))
		e := run(puma(), rng, 100, 14).measure(rng, 1e-6, 1e-4, 0.005)
		e.current = true
		for j := range e.tau {
			k := gain / float64(1+j)
			e.opt.State.Gains = append(e.opt.State.Gains, k)
			e.scaled(e.tau[j], 1000/k)
		}
		m := e.mended(t, nil)
		if m == nil {
			t.Errorf("gains of %g: nothing is mended: %v", gain, e.findings(t))
			continue
		}
		for j := range m.tau {
			if by := rms(e.tau[j]) / rms(m.tau[j]); math.Abs(by-1000) > 1 {
				t.Errorf("gains of %g: current %d was divided by %.4g", gain, j+1, by)
			}
		}
	}
}
