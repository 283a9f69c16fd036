package identify

import (
	"math"
	"testing"

	"ident/robot"
	"ident/simulate/replay"
)

// A replay of a bar that a constant torque accelerates has curves of its motion: stretches that stay apart, with the deviation of
// the model's from the measured one, and every state in them where the rest is buckets.
func TestReplayFigure(t *testing.T) {
	for _, seconds := range []float64{5, 100} {
		const interval, inertia, slow = 0.005, 2.0, 0.9
		rec := &replay.Record{Name: "log", Interval: interval, Start: 3}
		for _, to := range []*[][]float64{&rec.Q, &rec.DQ, &rec.DDQ, &rec.Tau} {
			*to = make([][]float64, 1)
		}
		for i := range int(seconds / interval) {
			at := float64(i) * interval
			rec.Q[0], rec.DQ[0] = append(rec.Q[0], 0.5*slow*at*at/inertia), append(rec.DQ[0], slow*at/inertia)
			rec.DDQ[0], rec.Tau[0] = append(rec.DDQ[0], slow/inertia), append(rec.Tau[0], 1)
		}
		r := &robot.Robot{Links: []robot.Link{{Name: "bar", Antecedent: -1, Placement: robot.Identity(), UserFrame: robot.Identity(),
			Joint: robot.Joint{Name: "turn", Kind: robot.Revolute, Ia: inertia}, HasInertial: true}}}
		drawn := newDrawnReplay([]*replay.Record{rec})
		errs, err := replay.Forward(t.Context(), r, drawn.records, replay.Options{Visit: drawn.visit})
		if err != nil {
			t.Fatal(err)
		}
		drawn.finish()
		d := &ReplayDocument{Joints: []string{"turn"}, Units: []string{"rad"}, Identified: horizonsOf(errs), drawn: drawn}
		s := d.section()
		if s.Curves == nil || len(s.Curves.Runs) != 1 || len(s.Curves.Rows[0].Panels) != 3 {
			t.Fatalf("%g s: curves %+v", seconds, s.Curves)
		}
		run := s.Curves.Runs[0]
		parts := run.Closely
		if run.Until == nil {
			parts = append(parts, run)
		}
		states, apart := 0, 0
		for _, p := range parts {
			since := math.NaN()
			for i, v := range p.Low["simulated"][0] {
				switch {
				case i > 0 && p.T[i] <= p.T[i-1]:
					t.Fatalf("%g s: time %g follows %g", seconds, p.T[i], p.T[i-1])
				case math.IsNaN(v):
					since = math.NaN()
					continue
				case math.IsNaN(since):
					since, apart = p.T[i], apart+1
				}
				after := p.T[i] - since
				states++
				if want := 1e3 * 0.5 * (1 - slow) / inertia * after * after; math.Abs(p.Low["deviation"][0][i]-want) > 0.01 {
					t.Fatalf("%g s: %g s after a start the deviation is %g mrad, want %g", seconds, after, p.Low["deviation"][0][i], want)
				}
			}
		}
		// Of 5 s, the starts lie 0.1 s apart, and one in eleven is drawn; of 100 s all forty are.
		if want := map[float64]int{5: 4, 100: 40}[seconds]; apart != want || states < 200*want {
			t.Errorf("%g s: %d stretches of %d states, want %d", seconds, apart, states, want)
		}
		if last := run.T[len(run.T)-1]; last < 3+seconds-0.1 || run.T[0] != 3 {
			t.Errorf("%g s: drawn from %g to %g", seconds, run.T[0], last)
		}
		if got, want := drawn.sums[0].most, 0.025; math.Abs(got-want) > 1e-4 {
			t.Errorf("%g s: largest deviation %g, want %g", seconds, got, want)
		}
	}
}
