package regression

import (
	"context"
	"errors"
	"math"
	"slices"

	"ident/mechanics/loops"
	"ident/regressor"
)

// LoopCheck compares a run with the closed loops of its robot.
type LoopCheck struct {
	Rows      int
	Deviation []Deviation  // one for each passive joint that the log measures
	States    loops.States // closed states along the motion, those of the tracker first
}

// Deviation compares the measured position of a passive joint with its position by
// the closed loops, modulo 2π.
type Deviation struct {
	Joint, Channel string
	RMS, Worst     float64 // root mean square and largest deviation, rad or m
	Mean           float64 // mean deviation, rad or m: the zero error of the joint's sensor
	Row            int     // row of the largest deviation, counted in the whole log, from 1
}

// errLost stops reading at a row that cannot be reached from the last closed state.
var errLost = errors.New("lost")

// loopBlock is the number of rows that are read and followed at once.
const loopBlock = 8192

// CheckLoops follows the loops along a run, row by row from the first, so that the assembly never changes. passive gives
// the channel of each measured passive joint. Rows with values that are not finite are skipped. If the loops cannot be
// followed, the error is a *LoopError.
func CheckLoops(ctx context.Context, t *loops.Tracker, run *Run, passive map[string]string) (*LoopCheck, error) {
	channels := append([]string(nil), run.Roles.Q...)
	check := &LoopCheck{States: t.States()}
	var coords []int
	for k, name := range t.Closure().Joints() {
		if ch := passive[name]; ch != "" {
			channels = append(channels, ch)
			coords = append(coords, k)
			check.Deviation = append(check.Deviation, Deviation{Joint: name, Channel: ch})
		}
	}
	n := len(run.Roles.Q)
	finite := loops.Rows(make([]float64, len(channels)*loopBlock), loopBlock)
	drive := loops.Drive{Q: finite[:n], DQ: slices.Repeat([][]float64{make([]float64, loopBlock)}, n)}
	path := t.NewPath(loopBlock)
	path.States = &check.States
	along := t.Newton().Continue()
	rows := make([]int, 0, loopBlock) // of the whole log, from 1
	lost := &LoopError{Log: run.Name}
	err := run.Log.Scan(channels, loopBlock, func(first int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows = rows[:0]
	rows:
		for i := range cols[0] {
			for c := range cols {
				v := cols[c][i]
				if math.IsNaN(v) || math.IsInf(v, 0) {
					continue rows
				}
				finite[c][len(rows)] = v
			}
			rows = append(rows, run.First+first+i+1)
		}
		done, err := along.Track(path, drive, 0, len(rows), false)
		for l, row := range rows[:done] {
			for p, k := range coords {
				check.Deviation[p].add(finite[n+p][l]-path.Q[k][l], t.Closure().IsRevolute(k), row)
			}
		}
		check.Rows += done
		if err != nil {
			lost.Row, lost.Err = rows[done], err
			return errLost
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

// add adds one difference to the sums.
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

// followLoops follows the closed loops along all runs, before anything is computed from parts of them. The returned
// model starts from the states found.
func followLoops(ctx context.Context, m *regressor.Model, runs []Run, progress func(string, int, int)) (*regressor.Model, error) {
	t := m.Loops()
	if t == nil {
		return m, nil
	}
	for i := range runs {
		check, err := CheckLoops(ctx, t, &runs[i], nil)
		if err != nil {
			return nil, err
		}
		t = t.StartingFrom(check.States)
		progress("closing loops", i+1, len(runs))
	}
	return m.WithStates(t.States()), nil
}
