package excite_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"ident/excite"
)

// programMotion is a motion of n joints from rest to rest.
func programMotion(t *testing.T, n int, duration float64) (excite.Motion, []excite.Limits) {
	t.Helper()
	names, limits := make([]string, n), make([]excite.Limits, n)
	zero, from := make([][]float64, n), make([][]float64, n)
	for i := range n {
		names[i] = string(rune('a' + i))
		limits[i] = excite.Limits{Joint: names[i], Lower: -3, Upper: 3, Velocity: 2, Accel: 8}
		zero[i], from[i] = []float64{0, 0}, []float64{0.1 * float64(i), 1}
	}
	m, err := excite.Through(names, []float64{0, duration}, from, zero, zero)
	if err != nil {
		t.Fatal(err)
	}
	return m, limits
}

// The rate is one that the controller takes, never above the one asked for.
func TestRateOfPrograms(t *testing.T) {
	for _, c := range []struct {
		language    string
		asked, want float64
	}{{"urscript", 500, 500}, {"urscript", 1000, 500}, {"urscript", 125, 125}, {"urscript", 200, 1 / 0.006}, {"krl", 200, 1 / 0.048}, {"krl", 20, 1 / 0.06},
		{"rapid", 200, 10}, {"rapid", 4, 4}, {"ros2", 200, 200}} {
		l, ok := excite.FindProgramLanguage(c.language)
		if got := l.Rate(c.asked); !ok || math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s at %g Hz: %g, want %g", c.language, c.asked, got, c.want)
		}
	}
}

// Motions that a controller cannot take are refused.
func TestRefusedPrograms(t *testing.T) {
	write := func(language string, joints int, duration, rate float64, sliding bool) error {
		m, limits := programMotion(t, joints, duration)
		limits[0].Prismatic = sliding
		l, _ := excite.FindProgramLanguage(language)
		return excite.WriteProgram(&bytes.Buffer{}, l, m, excite.ProgramOptions{Rate: rate, Limits: limits})
	}
	for _, c := range []struct {
		language       string
		joints         int
		duration, rate float64
		sliding        bool
		why            string
	}{{"urscript", 7, 2, 100, false, "moves 6 joints, the motion has 7"}, {"urscript", 5, 2, 100, false, "has 5"}, {"krl", 13, 2, 20, false, "moves 12 joints"},
		{"rapid", 6, 2, 20, true, `joint "a" slides`}, {"urscript", 6, 2, 100, true, "slides"}, {"ros2", 2, 1000, 100, false, "too many for one program"}} {
		err := write(c.language, c.joints, c.duration, c.rate, c.sliding)
		if !errors.As(err, new(*excite.ProgramLimitError)) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, l := range excite.ProgramLanguages() {
		if err := write(l.Name, 6, 2, 20, false); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
}

// Points that are too rare for a fast motion are said; enough of them are not. A position that no joint has is refused.
func TestPointsOfFastMotions(t *testing.T) {
	l, _ := excite.FindProgramLanguage("rapid")
	for _, c := range []struct {
		duration float64
		said     bool
	}{{0.3, true}, {4, false}} {
		m, limits := programMotion(t, 6, c.duration)
		opt := excite.ProgramOptions{Rate: 10, Limits: limits}
		notes := l.Notes(m, opt)
		var b bytes.Buffer
		if err := excite.WriteProgram(&b, l, m, opt); err != nil {
			t.Fatal(err)
		}
		if c.said != (len(notes) > 0) || c.said != strings.Contains(b.String(), "a spline through points") {
			t.Errorf("%g s: %q", c.duration, notes)
		}
	}
	m, limits := programMotion(t, 6, 2)
	limits[3].Upper = 0.5
	for _, l := range excite.ProgramLanguages() {
		var refused *excite.ProgramLimitError
		if err := excite.WriteProgram(&bytes.Buffer{}, l, m, excite.ProgramOptions{Rate: 10, Limits: limits}); !errors.As(err, &refused) {
			t.Errorf("%s: a position beyond the limits: %v", l.Name, err)
		}
	}
}
