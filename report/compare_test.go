package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ident/result"
)

// A comparison of four sides with every parameter significant, several logs and parameters that are not compared
// fits a screen; in full it names every parameter.
func TestCompareText(t *testing.T) {
	c := &result.Comparison{Robot: "arm", Significance: 0.05, Significant: 90, Compared: 90}
	for i := range 4 {
		c.Sides = append(c.Sides, result.ComparedSide{Name: fmt.Sprint("run", i), Terms: []string{"links"}, Estimator: "wls", Fit: &result.Relative{Stacked: 2}, SharesData: i > 0, Filter: "none"})
		if i > 0 {
			c.Apart = append(c.Apart, result.SideDistance{Side: fmt.Sprint("run", i), Parameters: 30, Deviations: 3, P: 1e-300})
		}
	}
	for k := range 40 {
		p := result.ComparedParameter{Name: fmt.Sprintf("XX%d", k), Unit: "kg·m²"}
		for i := range c.Sides {
			e := result.SideEstimate{Value: 1.25, Sigma: 0.01}
			if i > 0 {
				e.Difference = &result.Difference{Deviations: float64(-10 - k), Significant: true}
			}
			if i == 3 && k >= 36 {
				e = result.SideEstimate{Missing: fmt.Sprint("reason ", k)}
			}
			p.Sides = append(p.Sides, e)
		}
		c.Parameters = append(c.Parameters, p)
	}
	for k := range 5 {
		c.Logs = append(c.Logs, result.ComparedLog{Log: fmt.Sprint("log", k), SameFilter: k > 0, Errors: []*result.Errors{{}, {}, nil, {}}})
	}
	var short, full bytes.Buffer
	CompareText(&short, c, false, 0)
	CompareText(&full, c, true, 0)
	if n := strings.Count(short.String(), "\n"); n > 25 {
		t.Errorf("%d lines on one screen:\n%s", n, short.String())
	}
	for _, want := range []string{"XX39", "−49 *", "1.250 ± 0.010", "37 more", "log0 (raw)", "3 more logs", "p < 0.001", "2 more reasons"} {
		if !strings.Contains(short.String(), want) {
			t.Errorf("%q is missing:\n%s", want, short.String())
		}
	}
	for k := range 40 {
		if !strings.Contains(full.String(), fmt.Sprintf("XX%d ", k)) {
			t.Errorf("XX%d is missing in full", k)
		}
	}
}
