package trialfit

import (
	"math"
	"testing"

	"ident/regressor"
	"ident/robot"
)

// Of a long log of many joints as many samples are taken as the rows need, in pieces from the first sample to the last, with
// the columns that the log has; of fewer joints, or of a short log, all.
func TestSpread(t *testing.T) {
	const interval, rate = 0.01, 25.0
	of := func(joints int, seconds ...float64) (in Signals, samples int) {
		frames := []robot.MDHFrame{{Antecedent: -1}}
		for j := 1; j < joints; j++ {
			frames = append(frames, robot.MDHFrame{Antecedent: j - 1, Alpha: math.Pi / 2})
		}
		m, err := regressor.NewDynamic(robot.FromMDH("chain", frames), []regressor.Term{regressor.Links})
		if err != nil {
			t.Fatal(err)
		}
		in = Signals{Model: m, Interval: interval, Joints: make([]JointSignals, joints)}
		for _, s := range seconds {
			n := int(math.Round(s / interval))
			x := make([]float64, n)
			for k := range x {
				x[k] = float64(samples + k)
			}
			samples += n
			in.Segments = append(in.Segments, Segment{T: x, Uniform: true, Q: [][]float64{x, nil}, Effort: [][]float64{nil, x}})
		}
		return in, samples
	}
	for _, c := range []struct {
		joints  int
		seconds []float64
	}{{ManyJoints, []float64{600}}, {16, []float64{40}}} {
		in, _ := of(c.joints, c.seconds...)
		if got, part := in.spread(rate); part != 1 || len(got) != len(in.Segments) {
			t.Errorf("%d joints, %g s: part %g is taken, in %d pieces", c.joints, c.seconds, part, len(got))
		}
	}
	in, samples := of(16, 100, 10, 90)
	got, part := in.spread(rate)
	if want := maxEquations / 16.0 / (200 * rate); math.Abs(part-want) > 1e-12 {
		t.Errorf("part %g is taken, want %g", part, want)
	}
	taken := 0
	for i, s := range got {
		taken += len(s.T)
		if s.Q[1] != nil || s.Effort[0] != nil || &s.Q[0][0] != &s.T[0] || len(s.Effort[1]) != len(s.T) || !s.Uniform {
			t.Errorf("piece %d has other columns than times", i)
		}
		if i > 0 && !(s.T[0] > got[i-1].T[len(got[i-1].T)-1]) {
			t.Errorf("piece %d begins before the end of the one before", i)
		}
	}
	last := got[len(got)-1].T
	if got[0].T[0] != 0 || last[len(last)-1] != float64(samples-1) || len(got) < maxPieces {
		t.Errorf("%d pieces from sample %g to %g of %d", len(got), got[0].T[0], last[len(last)-1], samples)
	}
	if want := part * float64(samples); math.Abs(float64(taken)-want) > maxPieces {
		t.Errorf("%d samples are taken, want %g", taken, want)
	}
}
