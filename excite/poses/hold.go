package poses

import (
	"context"
	"math/rand/v2"

	"ident/excite"
)

// Free draws poses within the limits of a space and free of contact, by a seed. If it finds fewer than asked for, it returns a
// [*TooTightError].
func Free(space *excite.Space, count int, seed uint64) ([][]float64, error) {
	w := still(space)
	c := &chooser{w: w, rng: rand.New(rand.NewPCG(seed, 0x706f736573))}
	var out [][]float64
	for range count {
		q := c.draw()
		if q == nil {
			return nil, &TooTightError{len(out), draws}
		}
		out = append(out, q)
	}
	return out, nil
}

// still is windows of no width: poses at rest.
func still(space *excite.Space) *windows {
	joints := space.Joints()
	return &windows{space: space, joints: joints, speed: make([]float64, len(joints)), width: make([]float64, len(joints))}
}

// Hold returns the motion that rests at each pose for some seconds, in their order, along free straight lines in joint
// space, directly or by way of one of the given places. Poses that cannot be reached this way are left out; held lists
// the indices of the others.
func Hold(ctx context.Context, space *excite.Space, poses, places [][]float64, seconds float64) (m *excite.Polynomials, held []int, err error) {
	w := still(space)
	n := len(w.joints)
	k := &knots{q: make([][]float64, n), dq: make([][]float64, n), ddq: make([][]float64, n)}
	t := 0.0
	var at []float64
	move := func(to []float64) {
		if at != nil {
			t += max(shortest, w.travel(at, to))
		}
		at = to
		k.add(t, to, nil)
	}
	for i, pose := range poses {
		if at != nil && !w.line(at, pose) {
			var via []float64
			for _, place := range places {
				if ctx.Err() != nil {
					return nil, nil, ctx.Err()
				}
				if w.line(at, place) && w.line(place, pose) {
					via = place
					break
				}
			}
			if via == nil {
				continue
			}
			move(via)
		}
		move(pose)
		t += seconds
		k.add(t, pose, nil)
		held = append(held, i)
	}
	var names []string
	for _, j := range w.joints {
		names = append(names, j.Joint)
	}
	m, err = excite.Through(names, k.t, k.q, k.dq, k.ddq)
	return m, held, err
}
