package report

import (
	"math"
	"strings"
	"testing"

	"ident/result"
)

// The interval of a friction law is that of cᵀΣc: two parameters that are opposed make a narrow one where they meet.
func TestFrictionFigure(t *testing.T) {
	res := &result.Result{Joints: []string{"a"}, JointUnits: []string{"N·m"}, BaseParameters: []result.BaseParameter{
		{Name: "XX1", Joint: "a", Value: 9}, {Name: "Fv1", Joint: "a", Value: 2, Sigma: 0.2}, {Name: "Fs1", Joint: "a", Value: 3, Sigma: 0.2}, {Name: "Fo1", Joint: "a", Value: 5}},
		Covariance: [][]float64{{1, 0, 0, 0}, {0, 0.04, -0.04, 0}, {0, -0.04, 0.04, 0}, {0, 0, 0, 1}}}
	law, ok := frictionOf(res, "a")
	if !ok {
		t.Fatal("no law")
	}
	for _, c := range [][3]float64{{1, 5, 0}, {-1, -5, 0}, {2, 7, 0.2}, {-0.5, -4, 0.1}} {
		if y, sigma := law.at(c[0]); math.Abs(y-c[1]) > 1e-12 || math.Abs(sigma-c[2]) > 1e-8 {
			t.Errorf("at %g: %g ± %g, want %g ± %g", c[0], y, sigma, c[1], c[2])
		}
	}
	var points []residualPoint
	for k := range 300 {
		points = append(points, residualPoint{e: 0.5, dq: float64(k-150) / 100})
	}
	f, ok := frictionFigure(res, points, 0)
	if !ok || !strings.HasPrefix(f.Title, "Friction: 5.9") || len(f.Areas) != 2 || strings.Contains(string(f.Lines[1].D+f.Lines[2].D), "NaN") {
		t.Errorf("%+v", f)
	}
	// The largest dot, the law and half a newton metre more, is inside the figure at its top: 0.02 of its height.
	if n := strings.Count(string(f.Lines[1].D), "M"); n != 298 {
		t.Errorf("%d dots", n)
	}
	run := result.ResidualRun{Role: "train", T: make([]float64, 100), Measured: make([][]float64, 1), Predicted: make([][]float64, 1), Position: make([][]float64, 1)}
	for k := range run.T {
		run.T[k] = float64(k) / 100
		run.Measured[0], run.Predicted[0], run.Position[0] = append(run.Measured[0], 0.5), append(run.Predicted[0], 0), append(run.Position[0], math.Sin(run.T[k]*9))
	}
	if s, ok := FrictionSection(res, []result.ResidualRun{run}); !ok || len(s.Figures) != 1 || !strings.HasPrefix(s.Figures[0].Title, "a: ") {
		t.Errorf("section %+v", s)
	}
	if _, ok := FrictionSection(res, nil); ok {
		t.Error("a section without residuals")
	}
	res.BaseParameters[2].Name = "Fs1R" // regrouped with others: it is no friction by itself
	if law, _ := frictionOf(res, "a"); len(law.values) != 1 {
		t.Errorf("%d parameters", len(law.values))
	}
	res.BaseParameters[2].Name = "Fl1" // friction with the load
	if _, ok := frictionFigure(res, points, 0); ok {
		t.Error("a law that needs the load is drawn over the rate")
	}
}
