package poses

import (
	"fmt"
	"math"

	"ident/excite"
)

// windows are the slow passes of all poses: the same way and speed by joint.
type windows struct {
	space  *excite.Space
	joints []excite.Reach
	speed  []float64 // rad/s or m/s, 0 for a held joint
	width  []float64 // at that speed, rad or m
	time   float64   // within the window, s
	ramp   float64   // from rest to the speed, s
}

// leastRamp is the least time from rest to the speed, s: filters and drives have settled behind it.
const leastRamp = 0.2

func newWindows(p *Problem) (*windows, error) {
	w := &windows{space: p.Space, joints: p.Space.Joints()}
	n := len(w.joints)
	for _, list := range []struct {
		name string
		v    []float64
	}{{"Width", p.Width}, {"Ratio", p.Ratio}, {"Noise", p.Noise}} {
		if list.v != nil && len(list.v) != n {
			panic(fmt.Sprintf("poses: %s has %d entries for %d joints", list.name, len(list.v), n))
		}
	}
	w.speed, w.width = make([]float64, n), make([]float64, n)
	for k, j := range w.joints {
		if j.Held {
			continue
		}
		switch {
		case p.Width != nil:
			w.width[k] = p.Width[k]
		case j.Prismatic:
			w.width[k] = slideWidth
		case p.Ratio != nil && p.Ratio[k] != 0:
			// At least as many whole turns of the motor as are usualTurn wide.
			turn := 2 * math.Pi / math.Abs(p.Ratio[k])
			w.width[k] = turn * max(1, math.Round(usualTurn/turn))
		default:
			w.width[k] = usualTurn
		}
		if !(w.width[k] > 0) {
			return nil, fmt.Errorf("poses: joint %q has a pass of %g; give a length above zero", j.Joint, w.width[k])
		}
		w.time = max(w.time, w.width[k]/(p.Speed*j.Velocity))
	}
	w.ramp = leastRamp
	for k, j := range w.joints {
		if w.width[k] == 0 {
			continue
		}
		v := w.width[k] / w.time
		w.speed[k] = v
		// The quartic from rest to v has accelerations up to 3v/2T and jerks up to 6v/T².
		w.ramp = max(w.ramp, 1.5*v/j.Accel)
		if j.Jerk > 0 {
			w.ramp = max(w.ramp, math.Sqrt(6*v/j.Jerk))
		}
	}
	for k, j := range w.joints {
		if !j.Held && !(j.Upper-j.Lower > 2*w.reach(k)) {
			return nil, fmt.Errorf("poses: joint %q has a range of %.3g, a pass takes %.3g; narrow the passes, or slow them", j.Joint, j.Upper-j.Lower, 2*w.reach(k))
		}
	}
	return w, nil
}

// reach returns the way of a joint from a pose to the rest before or behind its pass.
func (w *windows) reach(k int) float64 { return w.width[k]/2 + w.speed[k]*w.ramp/2 }

// end returns the pose at rest before (sign -1) or after (sign 1) a pass.
func (w *windows) end(pose []float64, sign float64) []float64 {
	out := make([]float64, len(pose))
	for k := range out {
		out[k] = pose[k] + sign*w.reach(k)
	}
	return out
}

// stepOfLine is the largest step of a joint between two distance checks along a line, as a part of its range.
const stepOfLine = 0.01

// clear reports whether a pose and its pass are free.
func (w *windows) clear(pose []float64) bool { return w.line(w.end(pose, -1), w.end(pose, 1)) }

// line reports whether the straight line between two poses is free at its looks.
func (w *windows) line(a, b []float64) bool {
	most := 0.0
	for k, j := range w.joints {
		if j.Upper > j.Lower {
			most = max(most, math.Abs(b[k]-a[k])/(j.Upper-j.Lower))
		}
	}
	n := int(math.Ceil(most/stepOfLine)) + 1
	q := make([]float64, len(a))
	for i := range n + 1 {
		for k := range q {
			q[k] = a[k] + (b[k]-a[k])*float64(i)/float64(n)
		}
		if !w.space.Clear(q) {
			return false
		}
	}
	return true
}

// travel returns the time of the quintic from rest to rest over a line within the limits, s: it has speeds up to
// 15/8, accelerations up to 10/√3 and jerks up to 60 of Δ/T, Δ/T² and Δ/T³.
func (w *windows) travel(a, b []float64) float64 {
	t := 0.0
	for k, j := range w.joints {
		d := math.Abs(b[k] - a[k])
		if d == 0 {
			continue
		}
		t = max(t, 15./8*d/j.Velocity, math.Sqrt(10/math.Sqrt(3)*d/j.Accel))
		if j.Jerk > 0 {
			t = max(t, math.Cbrt(60*d/j.Jerk))
		}
	}
	return t
}
