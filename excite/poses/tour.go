package poses

import (
	"context"
	"math"
	"slices"

	"ident/excite"
)

// stop is a pose to be passed, or a place to go by.
type stop struct {
	pose []float64
	sign float64 // of the direction that it is passed in first; 0 for a place to go by
}

func (s *stop) via() bool { return s.sign == 0 }

// tour orders the chosen poses, the nearest in time first, along free lines. Poses that no line leads to, by one place
// on the way at most, are left out.
func (c *chooser) tour(ctx context.Context) (order []stop, left int) {
	open := slices.Clone(c.chosen)
	// The direction that is first alternates: friction that falls while the gears warm leaves the same torque with either sign.
	sign := 1.0
	order = []stop{{c.free[open[0]], sign}}
	open = open[1:]
	for len(open) > 0 {
		from := c.w.end(order[len(order)-1].pose, -sign)
		sign = -sign
		slices.SortStableFunc(open, func(a, b int) int {
			ta, tb := c.w.travel(from, c.w.end(c.free[a], -sign)), c.w.travel(from, c.w.end(c.free[b], -sign))
			switch {
			case ta < tb:
				return -1
			case ta > tb:
				return 1
			}
			return a - b
		})
		next := slices.IndexFunc(open, func(i int) bool { return c.w.line(from, c.w.end(c.free[i], -sign)) })
		var via []float64
		for at := 0; at < len(open) && next < 0 && ctx.Err() == nil; at++ {
			to := c.w.end(c.free[open[at]], -sign)
			for range draws / 4 {
				place := c.free[c.rng.IntN(len(c.free))]
				if c.w.line(from, place) && c.w.line(place, to) {
					next, via = at, place
					break
				}
			}
		}
		if next < 0 {
			return order, len(open)
		}
		if via != nil {
			order = append(order, stop{via, 0})
		}
		order = append(order, stop{c.free[open[next]], sign})
		open = slices.Delete(open, next, next+1)
	}
	return order, 0
}

// knots gathers the samples that a motion goes through.
type knots struct {
	t          []float64
	q, dq, ddq [][]float64
}

func (k *knots) add(t float64, q, dq []float64) {
	k.t = append(k.t, t)
	for i := range q {
		k.q[i], k.ddq[i] = append(k.q[i], q[i]), append(k.ddq[i], 0)
		v := 0.0
		if dq != nil {
			v = dq[i]
		}
		k.dq[i] = append(k.dq[i], v)
	}
}

// shortest is the least time between two knots, s.
const shortest = 1e-3

// motion returns the motion along the stops: to the rest before each pose, through its window and behind it, and back.
func (w *windows) motion(order []stop) (*excite.Polynomials, []Pass, error) {
	n := len(w.joints)
	k := &knots{q: make([][]float64, n), dq: make([][]float64, n), ddq: make([][]float64, n)}
	var names []string
	for _, j := range w.joints {
		names = append(names, j.Joint)
	}
	edge := func(s *stop, side float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = s.pose[i] + s.sign*side*w.width[i]/2
		}
		return out
	}
	speed := func(sign float64) []float64 {
		out := make([]float64, n)
		for i, v := range w.speed {
			out[i] = sign * v
		}
		return out
	}
	var passes []Pass
	t, at := 0.0, []float64(nil)
	for i := range order {
		s := &order[i]
		target := s.pose
		if !s.via() {
			target = w.end(s.pose, -s.sign)
		}
		if at != nil {
			t += max(shortest, math.Nextafter(w.travel(at, target), math.Inf(1)))
		}
		at = target
		k.add(t, at, nil)
		if s.via() {
			continue
		}
		p := Pass{Pose: len(passes), Sign: int(s.sign), First: [2]float64{t + w.ramp, t + w.ramp + w.time}}
		k.add(p.First[0], edge(s, -1), speed(s.sign))
		k.add(p.First[1], edge(s, 1), speed(s.sign))
		t = p.First[1] + w.ramp
		k.add(t, w.end(s.pose, s.sign), nil)
		p.Back = [2]float64{t + w.ramp, t + w.ramp + w.time}
		k.add(p.Back[0], edge(s, 1), speed(-s.sign))
		k.add(p.Back[1], edge(s, -1), speed(-s.sign))
		t = p.Back[1] + w.ramp
		k.add(t, at, nil)
		passes = append(passes, p)
	}
	m, err := excite.Through(names, k.t, k.q, k.dq, k.ddq)
	return m, passes, err
}
