package identify

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"ident/datasets"
)

// The curves of a check keep the extremes of every channel, have a finding at the time of its row, and every row about
// it, however long the log is.
func TestCheckCurves(t *testing.T) {
	const row = 9001
	path := filepath.Join(t.TempDir(), "log.parquet")
	log, err := datasets.Open("../datasets/example/puma560.parquet", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	columns, err := log.Columns(log.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range columns { // twice the rate
		fine := make([]float64, 0, 2*len(c))
		for i := range c[:len(c)-1] {
			fine = append(fine, c[i], (c[i]+c[i+1])/2)
		}
		columns[k] = fine
	}
	clock, torque := columns[slices.Index(log.Names(), "t")], columns[slices.Index(log.Names(), "tau3")]
	torque[row] = math.NaN()
	if err := datasets.Write(path, log.Channels(), nil, func(w *datasets.Writer) error { return w.Append(columns) }); err != nil {
		t.Fatal(err)
	}
	p, err := Open("../datasets/example/puma560.urdf", path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Check(t.Context(), CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	curves, motions, err := c.Curves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run, at := curves.Runs[0], clock[row]-clock[0]
	if len(run.T) > mostCurveBuckets || run.Until == nil || len(motions) != 1 || len(motions[0].T) == 0 {
		t.Fatalf("%d buckets, motion %d", len(run.T), len(motions))
	}
	if got, want := slices.Max(run.High["torque"][1]), slices.Max(columns[slices.Index(log.Names(), "tau2")]); got != want {
		t.Errorf("the largest torque is %g, want %g", got, want)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	marked := false
	for _, m := range run.Marks {
		marked = marked || m.Row == 2 && m.Kind == "torque" && near(m.From, at) && near(m.To, at)
	}
	if !marked {
		t.Errorf("no mark on torque 3 at %g s: %+v", at, run.Marks)
	}
	kept := false
	for _, part := range run.Closely {
		if k := slices.IndexFunc(part.T, func(t float64) bool { return near(t, at) }); k >= 0 {
			kept = math.IsNaN(part.Low["torque"][2][k]) && part.Low["torque"][2][k+1] == torque[row+1] && k >= closeRows && len(part.T)-k >= closeRows && near(part.T[k+1]-part.T[k], clock[row+1]-clock[row])
		}
	}
	if !kept {
		t.Error("the rows about the finding are not kept")
	}
}
