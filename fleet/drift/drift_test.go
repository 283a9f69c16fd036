package drift

import "testing"

// A step in a parameter's windows is found where it is, and none in windows that scatter by their deviations.
func TestSteps(t *testing.T) {
	p := Parameter{Name: "Fs1"}
	for i := range 12 {
		p.Value, p.Sigma = append(p.Value, 5+0.01*float64(i%3-1)), append(p.Sigma, 0.01)
	}
	const limit = 6
	p.widen()
	if got := p.steps(0, 12, limit, nil); len(got) != 0 || p.Scatter < 1 {
		t.Errorf("steps %v where nothing changes", got)
	}
	for i := 7; i < 12; i++ {
		p.Value[i] += 1
	}
	got := p.steps(0, 12, limit, nil)
	if len(got) != 1 || got[0].split != 7 {
		t.Fatalf("steps %v, want one at window 7", got)
	}
	if c := p.change(0, 7, 12); c.Percent < 19 || c.Percent > 21 {
		t.Errorf("the step is %+v, want 20 %%", c)
	}
}
