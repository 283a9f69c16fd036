package watch

import (
	"fmt"
	"math"
	"slices"
)

// beginning sums the squares of the torques of the first rows, and of what the model leaves of them beyond its bounds.
type beginning struct {
	rows         int
	torque, left float64
}

// compare tells once, behind the first second of a log, if its torques are none of the robot's: the model leaves most of them, as of quiet logs of
// another robot.
func (w *Watcher) compare(c Columns, k int) {
	b, most := &w.first, int(darkSeconds*w.noise.RateHz)
	if b.rows >= most {
		return
	}
	b.rows++
	for j, r := range w.o.R {
		x := beyond(r, w.o.bound[j])
		b.torque, b.left = b.torque+c.Tau[j][k]*c.Tau[j][k], b.left+x*x
	}
	if share := math.Sqrt(b.left / b.torque); b.rows == most && w.episode.on && share > LeastUnexplained {
		w.tell(Event{Type: Sensor, T: w.row.T, Text: fmt.Sprintf("the result leaves %.0f %% of all torques of the first second: the log has other units, signs or channels, or is of another robot; or the robot is held or loaded", 100*share)})
	}
}

// LeastUnexplained is the part of all torques above which a model does not explain them: one that explains nothing leaves the torques themselves.
const LeastUnexplained = 0.7

// opening holds the rows of a second, until one of them is right: the robot moves, and there is no event. Before that, a log may be in other units. A
// robot that stands may be explained in any.
type opening struct {
	rows  Columns
	most  int
	told  bool // events in this second
	tries int
	done  bool
}

// mostTries is how many seconds are read in other units: a monitor that has not understood its log by then tells events as ever.
const mostTries = 10

// take copies rows of c until the second is complete, and returns how many.
func (o *opening) take(c *Columns) int {
	n := min(o.most-len(o.rows.T), len(c.T))
	o.rows.T = append(o.rows.T, c.T[:n]...)
	add := func(to *[][]float64, from [][]float64) {
		for j := range from {
			if len(*to) == j {
				*to = append(*to, make([]float64, 0, o.most))
			}
			(*to)[j] = append((*to)[j], from[j][:n]...)
		}
	}
	add(&o.rows.Q, c.Q)
	add(&o.rows.DQ, c.DQ)
	add(&o.rows.Tau, c.Tau)
	return n
}

// next begins another second.
func (o *opening) next() {
	o.rows.T, o.told = o.rows.T[:0], false
	for _, x := range [][][]float64{o.rows.Q, o.rows.DQ, o.rows.Tau} {
		for j := range x {
			x[j] = x[j][:0]
		}
	}
}

// UnitError says that the rows of a log are in other units than they are read in.
type UnitError string

func (e UnitError) Error() string { return string(e) }

// reading is a unit that channels may be logged in: by what it multiplies positions, velocities and torques that are in SI units. It is of angles, or of
// lengths; torques are those of all joints.
type reading struct {
	lengths   bool
	q, dq, by float64
	words     string
}

// readings are what robots log and nobody declares.
var readings = []reading{
	{false, math.Pi / 180, math.Pi / 180, 1, "the positions and velocities are in degrees"},
	{false, math.Pi / 180, 1, 1, "the positions are in degrees"},
	{false, 1, math.Pi / 180, 1, "the velocities are in degrees a second"},
	{false, 1, math.Pi / 30, 1, "the velocities are in revolutions a minute"},
	{false, 2 * math.Pi, 2 * math.Pi, 1, "the positions and velocities are in turns"},
	{true, 1e-3, 1e-3, 1, "the positions and velocities are in millimetres"},
	{false, 1, 1, 1e-3, "the torques are in N·mm"},
}

// otherUnits returns a [UnitError] if events were told in a second, the model leaves most of its torques, and explains them by the numbers in other
// units: nothing can be watched then.
func (w *Watcher) otherUnits() error {
	o := &w.opening
	if len(o.rows.T) < o.most {
		return nil
	}
	defer o.next()
	if !o.told {
		moving := 0
		for k := range o.rows.T {
			if w.moves(&o.rows, k) {
				moving++
			}
		}
		o.done = 2*moving > o.most
		return nil
	}
	if o.tries++; o.tries == mostTries {
		o.done = true
	}
	// A fault of some rows is no unit: one explains nine of ten, and the other not half of them.
	none, _ := w.leftOf(&o.rows, reading{q: 1, dq: 1, by: 1})
	if !(none > LeastUnexplained) {
		return nil
	}
	best, at := math.Inf(1), -1
	for i, r := range readings {
		if _, left := w.leftOf(&o.rows, r); left < best {
			best, at = left, i
		}
	}
	if best > mostExplained {
		return nil
	}
	without := "all"
	if none < 1 {
		without = fmt.Sprintf("%.0f %%", 100*none)
	}
	return UnitError(fmt.Sprintf("%s: the result then leaves %.0f %% of the torques of a second, otherwise %s; declare the units", readings[at].words, 100*best, without))
}

// moves reports whether a joint moves at a row.
func (w *Watcher) moves(c *Columns, k int) bool {
	for j, rest := range w.noise.RestRate {
		if math.Abs(c.DQ[j][k]) > rest {
			return true
		}
	}
	return false
}

// mostExplained is the largest part of the torques that a model leaves which explains them: those of motor currents leave up to a fifth.
const mostExplained = 0.25

// leftOf returns the part of the torques that the model does not explain in a unit: the median over rows, and what one row in ten exceeds. It leaves
// out rows that are not finite, and rows at rest: there friction explains any small torque, so a reading that makes all torques small would seem
// right. If fewer than half of the rows are left, it returns 0 and infinity: no unit is judged.
func (w *Watcher) leftOf(rows *Columns, r reading) (middle, most float64) {
	o, err := newObserver(w.o.m, w.noise.Bandwidth)
	if err != nil {
		return 0, math.Inf(1)
	}
	var parts []float64
	o.restRate = w.noise.RestRate
	linear := o.m.Linear()
	c := Columns{T: rows.T}
	for j := range rows.Q {
		c.Q, c.DQ, c.Tau = append(c.Q, nil), append(c.DQ, nil), append(c.Tau, nil)
		q, dq := 1.0, 1.0
		if linear[j] == r.lengths {
			q, dq = r.q, r.dq
		}
		for k := range rows.T {
			c.Q[j], c.DQ[j], c.Tau[j] = append(c.Q[j], q*rows.Q[j][k]), append(c.DQ[j], dq*rows.DQ[j][k]), append(c.Tau[j], r.by*rows.Tau[j][k])
		}
	}
	settles, begun := 5/w.noise.Bandwidth, 0.0
	for k, t := range rows.T {
		bad := func(x [][]float64) bool {
			return slices.ContainsFunc(x, func(x []float64) bool { return !(math.Abs(x[k]) <= math.MaxFloat64) })
		}
		if !clockTime(t, w.noise.RateHz) || o.begun && t <= o.t || bad(c.Q) || bad(c.DQ) || bad(c.Tau) {
			continue
		}
		if !o.begun || t-o.t > lateRows/w.noise.RateHz {
			o.reset()
			begun = t
		}
		one := c.Slice(k, k+1)
		if o.add(one.T, one.Q, one.DQ, one.Tau, func(int) {}) != nil || t < begun+settles || !w.moves(&c, k) {
			continue
		}
		torque, left := 0.0, 0.0
		for j, e := range o.R {
			x := beyond(e, o.bound[j])
			left, torque = left+x*x, torque+o.f[j]*o.f[j]
		}
		parts = append(parts, math.Sqrt(left/torque))
	}
	if 2*len(parts) < len(rows.T) {
		return 0, math.Inf(1)
	}
	slices.Sort(parts)
	return parts[len(parts)/2], parts[len(parts)*9/10]
}
