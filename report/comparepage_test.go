package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"ident/result"
)

// The page of a comparison has differences first, an interval of each side, and no number that is none.
func TestComparePage(t *testing.T) {
	c := newComparison()
	var b bytes.Buffer
	if err := CompareHTML(&b, c, Options{Version: "1"}); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(b.String(), "<script") // which has words that the page does not say
	for _, want := range []string{"&lt;arm&gt;, compared", "1 difference of 2 is more than chance", ">5.00 σ, p &lt; 0.001<", ">2.50<", ">differs<"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if first, second := strings.Index(text, ">apart<"), strings.Index(text, ">alike<"); first < 0 || second < first {
		t.Errorf("what differs stands at %d, what does not at %d", first, second)
	}
	if strings.Contains(text, "NaN") || strings.Count(text, `class="side-0 interval"`) != 2 || strings.Contains(text, `class="side-1 interval"`) {
		t.Error("a number that is none, or an interval of an exact one")
	}
}

// newComparison has a result and a robot file, of an arm with three parameters: one differs, one is alike, one not known.
func newComparison() *result.Comparison {
	errors := &result.Errors{RelativeError: result.Relative{Stacked: 2.5, Joints: []float64{1, 4}}}
	side := func(v, sigma, apart float64, significant bool) result.SideEstimate {
		s := result.SideEstimate{Value: v, Sigma: sigma, Low95: v - 1.96*sigma, High95: v + 1.96*sigma}
		if apart != 0 {
			s.Difference = &result.Difference{Deviations: apart, Significant: significant}
		}
		return s
	}
	return &result.Comparison{Robot: "<arm>", Joints: []string{"a1", "a2"}, Significant: 1, Compared: 2,
		Sides: []result.ComparedSide{{Name: "monday", Fit: &result.Relative{Stacked: 2}, Condition: &result.Condition{Scaled: 50}}, {Name: "arm.urdf", RobotFile: true}},
		Logs:  []result.ComparedLog{{Log: "check", SameFilter: true, Errors: []*result.Errors{errors, nil}}},
		Apart: []result.SideDistance{{Side: "arm.urdf", Parameters: 2, Deviations: 5, P: 1e-9}},
		Parameters: []result.ComparedParameter{
			{Name: "alike", Unit: "kg", Sides: []result.SideEstimate{side(1, 0.1, 0, false), side(1.1, 0, 1, false)}},
			{Name: "apart", Unit: "kg", Sides: []result.SideEstimate{side(2, 0.1, 0, false), side(3, 0, -10, true)}},
			{Name: "unknown", Sides: []result.SideEstimate{side(math.NaN(), math.NaN(), 0, false), {Missing: "the file has no body"}}},
		}}
}

// Results of several robots are listed: no parameters, no letters, no robot drawn.
func TestListedResults(t *testing.T) {
	c := &result.Comparison{Warnings: []string{"parameters are not compared: b has 6 links, a 1"}, Sides: []result.ComparedSide{
		{Name: "cell/b.ident", Robot: "arm", Runs: 2, Grade: result.Sound, Fit: &result.Relative{Stacked: 2}, Held: &result.Relative{Stacked: 3.25}},
		{Name: "cell/a.ident", Robot: "slide", Runs: 1, Grade: result.Doubtful, Fit: &result.Relative{Stacked: 7}, FitRMSE: 0.5, FitUnit: "N"}}}
	var text, page bytes.Buffer
	CompareText(&text, c, false, 100)
	for _, want := range []string{"2 results of 2 robots\n", "cell/b.ident  arm    sound        2        2.00          3.25\n", "cell/a.ident  slide  doubtful     1     0.500 N             –\n", "! parameters are not compared: b has 6 links, a 1"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
	if err := CompareHTML(&page, c, Options{Version: "1"}); err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.Split(page.String(), "<script")[0], "</style>")[1]
	for want, is := range map[string]bool{"2 results of 2 robots": true, ">Validation error, %<": true, ">slide<": true, `<th scope="row">cell/b.ident</th>`: true, "Parameters that differ": false, "robot-card": false, "differences are those from A": false} {
		if strings.Contains(words, want) != is {
			t.Errorf("the page has %q: %v, want %v", want, !is, is)
		}
	}
}
