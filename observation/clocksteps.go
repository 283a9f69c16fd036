package observation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/filter"
)

const (
	// besideStep is the number of rows on either side of a step of the clock that say whether the robot moves on. A parabola through them follows
	// joints to the fourth harmonic of 1 Hz at 50 Hz.
	besideStep = 16
	// mostClockSteps is the largest number of steps: clocks that are merged, or packets out of order, have one in some rows.
	mostClockSteps = 20
	// endSpread and endSlope are the deviations of a parabola through besideStep rows half a row beyond its end, and of its slope there in
	// units per row, for rows with independent errors of deviation one.
	endSpread, endSlope = 0.76, 0.22
	// certain is the number of deviations beyond which a difference is none of noise, moves that of slopes of motion.
	certain, moves = 5, 20
	// sameSlope is the part of its slope by which that of a joint may change between the two rows.
	sameSlope = 0.25
)

// clockStep is a row at which the clock steps, backward or over a gap.
type clockStep struct {
	row int
	by  float64 // what the times from the row on lack, in seconds
}

// setSteps returns times that go on where the clock was set, back or forward, while the robot moved on: each joint is behind the step where its
// motion before it leads, and at the same speed. A log that was joined from two has another motion there, and one with a gap is farther on. r and steps
// are nil if there is no such step, or if the robot rests at all of them.
func setSteps(l *datasets.Log, roles datasets.Roles, t *filter.Times, c filter.Clock) (r *filter.Times, steps []clockStep, err error) {
	rows := slices.Concat(c.Backward, c.Gaps)
	slices.Sort(rows)
	if len(rows) == 0 || len(rows) > mostClockSteps || len(c.NaN) > 0 || !(c.Median > 0) {
		return nil, nil, nil
	}
	names := slices.DeleteFunc(slices.Clone(roles.Q), func(name string) bool { return name == "" })
	if len(names) == 0 {
		return nil, nil, nil
	}
	for i, row := range rows {
		from, to := row-besideStep, row+besideStep
		if from < 0 || to > t.Len() || i > 0 && rows[i-1] > from || i+1 < len(rows) && rows[i+1] < to {
			continue
		}
		cols := make([][]float64, len(names))
		part := l.Slice(from, to)
		if err := part.Scan(names, scanRows, func(_ int, part [][]float64) error {
			for j := range part {
				cols[j] = append(cols[j], part[j]...)
			}
			return nil
		}); err != nil {
			return nil, nil, err
		}
		if movesOn(cols) {
			steps = append(steps, clockStep{row, stepOf(t.Part(nil, from, to), c.Resolution)})
		}
	}
	if len(steps) == 0 {
		return nil, nil, nil
	}
	r = new(filter.Times)
	next, by := 0, 0.0
	t.Each(func(first int, part []float64) {
		for i, v := range part {
			if next < len(steps) && steps[next].row == first+i {
				by += steps[next].by
				next++
			}
			r.Append(v + by)
		}
	})
	return r, steps, nil
}

// stepOf returns what the times of the second half lack to follow the first: the median over pairs of rows about the step, in whole steps of
// the printed times.
func stepOf(t []float64, resolution float64) float64 {
	n := len(t) / 2
	interval := ((t[n-1] - t[0]) + (t[2*n-1] - t[n])) / float64(2*(n-1))
	var by []float64
	for i := range n {
		by = append(by, t[n-1-i]-t[n+i]+float64(2*i+1)*interval)
	}
	slices.Sort(by)
	return math.Round(by[n/2]/resolution) * resolution
}

// movesOn reports whether all joints go on from the first half of the rows to the second as from row to row, and one at least moves.
func movesOn(q [][]float64) bool {
	moving := false
	for _, x := range q {
		n := len(x) / 2
		before, v, s := parabola(x[:n], 1)
		after, w, u := parabola(x[n:], -1)
		sigma := max(s, u)
		if math.IsNaN(sigma + before + after) {
			return false
		}
		speed := max(math.Abs(v), math.Abs(w))
		if math.Abs(after-before) > certain*endSpread*math.Sqrt2*sigma+speed || math.Abs(w-v) > certain*endSlope*math.Sqrt2*sigma+sameSlope*speed {
			return false
		}
		moving = moving || speed > moves*endSlope*sigma && speed > 0
	}
	return moving
}

// parabola returns value and slope, a row, of the parabola of least squares half a row beyond the last row (side 1) or before the first (side -1),
// and the standard deviation of the rows about the parabola.
func parabola(x []float64, side float64) (value, slope, sigma float64) {
	n := float64(len(x))
	// Polynomials that are orthogonal on rows numbered from the middle: 1, z, z² - (n²-1)/12.
	middle, c := (n-1)/2, (n*n-1)/12
	var a, b, d, bb, dd float64
	for i, v := range x {
		z := float64(i) - middle
		p := z*z - c
		a, b, d, bb, dd = a+v, b+v*z, d+v*p, bb+z*z, dd+p*p
	}
	a, b, d = a/n, b/bb, d/dd
	for i, v := range x {
		z := float64(i) - middle
		e := v - a - b*z - d*(z*z-c)
		sigma += e * e
	}
	z := side * n / 2
	return a + b*z + d*(z*z-c), b + 2*d*z, math.Sqrt(sigma / (n - 3))
}

// told says where a clock was set.
func told(steps []clockStep) string {
	worst := slices.MaxFunc(steps, func(a, b clockStep) int { return cmp.Compare(math.Abs(a.by), math.Abs(b.by)) })
	way := "back"
	if worst.by < 0 {
		way = "forward"
	}
	text := fmt.Sprintf("was set %s by %.6g s at row %d", way, math.Abs(worst.by), worst.row+1)
	if len(steps) > 1 {
		text += fmt.Sprintf(", and at %d more", len(steps)-1)
	}
	return text + ", where the robot moves on as from row to row: read as if it had gone on"
}
