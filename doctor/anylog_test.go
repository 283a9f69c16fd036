package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/datasets"
	"ident/doctor"
	"ident/filter"
)

// Whatever the columns hold, the examination ends with complete findings, and twice with the same ones.
func TestAnyLog(t *testing.T) {
	value := rapid.OneOf(
		rapid.Float64Range(-3, 3), rapid.Float64(), rapid.Just(0.0),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324}))
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		r := planar(rng)
		rows := rapid.SampledFrom([]int{0, 1, 2, 49, 50, 60, 400}).Draw(t, "rows")
		e := &experiment{robot: r, t: make([]float64, rows)}
		for k := range e.t {
			e.t[k] = float64(k) / 100
		}
		column := func(name string) []float64 {
			x := make([]float64, rows)
			switch rapid.IntRange(0, 3).Draw(t, name) {
			case 0:
				for k := range x {
					x[k] = math.Sin(float64(k) / 20)
				}
			case 1:
				v := value.Draw(t, "constant")
				for k := range x {
					x[k] = v
				}
			case 2:
				for k := range x {
					x[k] = rng.NormFloat64()
				}
			}
			for range rapid.IntRange(0, 5).Draw(t, "damage") {
				if rows > 0 {
					x[rng.IntN(rows)] = value.Draw(t, "value")
				}
			}
			return x
		}
		for j := range 2 {
			e.q = append(e.q, column(fmt.Sprint("q", j)))
			e.dq = append(e.dq, column(fmt.Sprint("dq", j)))
			e.tau = append(e.tau, column(fmt.Sprint("tau", j)))
		}
		if rows > 0 {
			for range rapid.IntRange(0, 4).Draw(t, "clock damage") {
				e.t[rng.IntN(rows)] = value.Draw(t, "time")
			}
		}
		if a, b := fmt.Sprint(e.findings(t)), fmt.Sprint(e.findings(t)); a != b {
			t.Fatalf("two examinations differ:\n%s\n%s", a, b)
		}
		checkExamined(t, e)
	})
}

// checkExamined holds the extremes of an examination against the values of the log.
func checkExamined(t *rapid.T, e *experiment) {
	l, roles := e.log()
	x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	if x.Examined == nil {
		return
	}
	if clock := filter.AnalyseClock(e.t); fmt.Sprint(x.Examined.Clock) != fmt.Sprint(clock) || x.Examined.Log != l {
		t.Fatalf("clock %v of %s, want %v", x.Examined.Clock, x.Examined.Log.Path(), clock)
	}
	for i, name := range l.Names() {
		if name == roles.T {
			continue
		}
		want, sound := 0.0, true
		if err := l.Scan([]string{name}, 0, func(_ int, cols [][]float64) error {
			for _, v := range cols[0] {
				want, sound = max(want, math.Abs(v)), sound && !math.IsNaN(v) && !math.IsInf(v, 0)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got, told := x.Examined.Largest[name]; told != sound || sound && got != want {
			t.Fatalf("channel %d, %s: largest %g (%v), want %g (%v)", i, name, got, told, want, sound)
		}
	}
}

// Bounds are those that a spike is judged by.
func TestBounds(t *testing.T) {
	r := planar(rand.New(rand.NewPCG(1, 1)))
	r.Links[1].Joint.Lower, r.Links[1].Joint.Upper = math.NaN(), math.NaN()
	r.Links[1].Joint.Velocity, r.Links[1].Joint.Effort = math.NaN(), math.NaN()
	got := doctor.Bounds(r, datasets.Roles{T: "t", Q: []string{"a", "b"}, DQ: []string{"", "d"}, Tau: []string{"e", "f"}})
	want := map[string]float64{"a": 20 * math.Pi, "b": 1e5, "d": 1e5, "e": 100 * 2000, "f": 1e6}
	if len(got) != len(want) {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	for name, v := range want {
		if math.Abs(got[name]/v-1) > 1e-12 {
			t.Errorf("bound of %s is %g, want %g", name, got[name], v)
		}
	}
}

func TestWorst(t *testing.T) {
	for _, c := range []struct {
		in   []doctor.Severity
		want doctor.Severity
	}{
		{nil, ""},
		{[]doctor.Severity{doctor.Info}, doctor.Info},
		{[]doctor.Severity{doctor.Info, doctor.Error, doctor.Warning}, doctor.Error},
		{[]doctor.Severity{doctor.Warning, doctor.Info}, doctor.Warning},
	} {
		var f []doctor.Finding
		for _, s := range c.in {
			f = append(f, doctor.Finding{Severity: s})
		}
		if got := doctor.Worst(f); got != c.want {
			t.Errorf("worst of %v is %q, want %q", c.in, got, c.want)
		}
	}
}
