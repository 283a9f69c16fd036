package elastic

import (
	"math"
	"testing"

	"ident/robot"
)

// truth are the base parameters of the robot file.
func truth(f *Fit) []float64 {
	return f.Base.FromStandard(f.Machine.standard(f.Base.Columns))
}

// Noise-free logs with exact derivatives give the parameters back: to rounding of 1e-16 times the condition number, some
// tens, times the ratio of the largest column to the parameter's own, some thousands at 0.01; 1e-8 is above that by far.
func TestRecovery(t *testing.T) {
	for _, r := range []*robot.Robot{twoAxis(), sevenJoints()} {
		m, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		rec := moved(t, m, 500, 4)
		l := ideal(rec, 500)
		l.Sensor = nil
		f, err := m.Identify(t.Context(), []*Log{l}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range truth(f) {
			got := f.Parameters[k].Value
			if math.Abs(got-want) > 1e-8*math.Max(math.Abs(want), 0.01) {
				t.Errorf("%s: %s is %.12g, want %.12g", r.Name, f.Parameters[k].Name, got, want)
			}
		}
	}
}
