package regression

import (
	"fmt"
	"math"
	"testing"

	"ident/datasets"
	"ident/regressor"
)

// temperatureAt is a joint's temperature, in degrees: it rises, and follows a room that is aired.
func temperatureAt(joint int, t float64) float64 {
	return 25 + 15*(1-math.Exp(-t/6)) + 3*math.Sin(0.9*t+float64(joint))
}

// addedState makes a run with the torques of a term, which may be one with states, "" for none; followed are the terms that the
// run has channels and states for.
func addedState(tb testing.TB, rec *record, term regressor.Term, chi map[string]float64, followed ...regressor.Term) Run {
	tb.Helper()
	joints, n, dt := len(rec.q), len(rec.t), rec.t[1]-rec.t[0]
	states, err := regressor.StatesOf(rec.robot, followed)
	if err != nil {
		tb.Fatal(err)
	}
	own, err := regressor.StatesOf(rec.robot, []regressor.Term{term})
	if err != nil {
		tb.Fatal(err)
	}
	var in regressor.Batch
	for range joints {
		in.Temperature, in.Heat = append(in.Temperature, make([]float64, n)), append(in.Heat, make([]float64, n))
	}
	for range joints * regressor.MaxWidths {
		in.Presliding = append(in.Presliding, make([]float64, n))
	}
	for k := range joints {
		name := func(kind string) float64 { return chi[fmt.Sprintf("%s%d", kind, k+1)] }
		heat := 0.0
		for i := range n {
			in.Temperature[k][i], in.Heat[k][i] = temperatureAt(k, rec.t[i]), heat
			if own.Heating == nil || own.Heating[k] == 0 {
				continue
			}
			// The torque that heats is the whole one.
			tau := rec.tau[k][i] + heat*(name("Fpv")*rec.dq[k][i]+name("Fps")*math.Copysign(1, rec.dq[k][i])+name("Fpo"))
			heat += dt / own.Heating[k] * (math.Abs(tau*rec.dq[k][i]) - heat)
		}
		if own.Widths == nil {
			continue
		}
		for w, width := range own.Widths[k] {
			z := in.Presliding[k*regressor.MaxWidths+w]
			for i := 1; i < n; i++ {
				z[i] = math.Max(-1, math.Min(1, z[i-1]+(rec.q[k][i]-rec.q[k][i-1])/width))
			}
		}
	}
	run := rec.run("a")
	if term != "" {
		run = added(tb, rec, "a", []regressor.Term{term}, chi, in)
	}
	run.States = states
	for k := range joints {
		name := fmt.Sprintf("temp%d", k+1)
		run.Log, run.Temperature = run.Log.WithColumn(datasets.Channel{Name: name}, in.Temperature[k]), append(run.Temperature, name)
	}
	return run
}
