package identify

import (
	"context"
	"errors"
	"math"

	"ident/loops"
	"ident/regressor"
)

// LoopCheck compares a run with the closed loops of its robot.
type LoopCheck struct {
	Rows      int
	Deviation []Deviation // one for each passive joint that the log measures
}

// Deviation compares the measured position of a passive joint with that which
// the closed loops give it. Whole turns do not count.
type Deviation struct {
	Joint, Channel string
	RMS, Worst     float64 // rad or m
	Mean           float64 // what a wrong zero of the joint's sensor leaves
	Row            int     // of the worst, of the whole log, from 1
}

// errLost ends a reading at a row that the loops cannot be followed to.
var errLost = errors.New("lost")

// CheckLoops goes along a run with the loops closed, row by row from its first,
// so that the assembly stays the same through all of it, and remembers states on
// the way. passive names channels by joint, for those that are measured. Rows
// with values that are not finite are passed over. The error is a *LoopError
// where the loops cannot be followed.
func CheckLoops(ctx context.Context, t *loops.Tracker, run *Run, passive map[string]string) (*LoopCheck, error) {
	channels := append([]string(nil), run.Roles.Q...)
	check := &LoopCheck{}
	var coords []int
	for k, name := range t.Closure().Joints() {
		if ch := passive[name]; ch != "" {
			channels = append(channels, ch)
			coords = append(coords, k)
			check.Deviation = append(check.Deviation, Deviation{Joint: name, Channel: ch})
		}
	}
	n := len(run.Roles.Q)
	to := make([]float64, n)
	begun := false
	lost := &LoopError{Log: run.Name}
	err := run.Log.Scan(channels, 8192, func(first int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
	rows:
		for i := range cols[0] {
			for c := range cols {
				if v := cols[c][i]; math.IsNaN(v) || math.IsInf(v, 0) {
					continue rows
				}
			}
			for k := range to {
				to[k] = cols[k][i]
			}
			move := t.Move
			if !begun {
				move = t.Seek
			}
			row := run.First + first + i + 1
			if err := move(to); err != nil {
				lost.Row, lost.Err = row, err
				return errLost
			}
			begun = true
			t.Remember()
			check.Rows++
			for p, k := range coords {
				check.Deviation[p].add(cols[n+p][i]-t.Closed()[k], t.Closure().IsRevolute(k), row)
			}
		}
		return nil
	})
	if errors.Is(err, errLost) {
		return check, lost
	}
	for p := range check.Deviation {
		d := &check.Deviation[p]
		d.RMS, d.Mean = math.Sqrt(d.RMS/float64(max(check.Rows, 1))), d.Mean/float64(max(check.Rows, 1))
	}
	return check, err
}

// add sums up one difference.
func (d *Deviation) add(x float64, turns bool, row int) {
	if turns {
		x = math.Remainder(x, 2*math.Pi)
	}
	d.RMS += x * x
	d.Mean += x
	if math.Abs(x) > d.Worst {
		d.Worst, d.Row = math.Abs(x), row
	}
}

// followLoops goes along all runs of a robot with closed loops, before anything is
// computed from them in parts. The model that it returns starts from states of them.
func followLoops(ctx context.Context, m *regressor.Model, runs []Run, progress func(string, int, int)) (*regressor.Model, error) {
	t := m.Loops()
	if t == nil {
		return m, nil
	}
	for i := range runs {
		if _, err := CheckLoops(ctx, t, &runs[i], nil); err != nil {
			return nil, err
		}
		progress("closing loops", i+1, len(runs))
	}
	return m.WithStates(t), nil
}
