package folder

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ident/result"
)

// curveTable has joints of n values each, all different.
func curveTable(from float64, joints, n int) [][]float64 {
	out := make([][]float64, joints)
	for k := range out {
		for i := range n {
			out[k] = append(out[k], from+100*float64(k)+math.Sin(float64(i)))
		}
	}
	return out
}

// residualRuns are a short one and two long ones, of two joints; the second long one has no stretch.
func residualRuns() []result.ResidualRun {
	plain := func(log, role string, stride, n int) result.ResidualRun {
		r := result.ResidualRun{Log: log, Role: role, Stride: stride, Measured: curveTable(1, 2, n), Predicted: curveTable(2, 2, n), Logged: curveTable(3, 2, n), File: curveTable(4, 2, n)}
		for i := range n {
			r.T = append(r.T, 0.01*float64(i*stride))
		}
		return r
	}
	long := func(n int) *result.LongRun {
		l := &result.LongRun{Rows: 7}
		for i := range n {
			l.From, l.To = append(l.From, 0.07*float64(i)), append(l.To, 0.07*float64(i)+0.06)
		}
		for i, c := range []*result.Curves{&l.Low, &l.High} {
			at := 10 * float64(i)
			*c = result.Curves{Measured: curveTable(at+11, 2, n), Predicted: curveTable(at+12, 2, n), Residual: curveTable(at+13, 2, n), Logged: curveTable(at+14, 2, n), File: curveTable(at+15, 2, n), FileResidual: curveTable(at+16, 2, n)}
		}
		return l
	}
	all := []result.ResidualRun{plain("short", "train", 1, 9), plain("one", "train", 50, 8), plain("two", "validate", 40, 6)}
	all[1].Long, all[2].Long = long(5), long(3)
	all[1].Long.Blocks = []result.ResidualRun{plain("one", "train", 1, 4), plain("one", "train", 1, 3)}
	return all
}

// Runs come back to the bit, those without long ones from one file.
func TestResidualFiles(t *testing.T) {
	for _, want := range [][]result.ResidualRun{residualRuns(), residualRuns()[:1]} {
		dir := t.TempDir()
		if err := writeResiduals(t.Context(), dir, want); err != nil {
			t.Fatal(err)
		}
		got, err := readResiduals(t.Context(), dir, 2)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if got, err := readResiduals(t.Context(), t.TempDir(), 2); got != nil || err != nil {
		t.Errorf("of an empty folder: %v, %v", got, err)
	}
}
