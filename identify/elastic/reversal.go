package elastic

// turns are the intervals between samples in which a motor with Coulomb friction stops or starts, by their first sample. Its
// acceleration steps there by 2·Fs/Ia, or it sticks, which no polynomial through the interval's ends follows.
type turns map[int]turn

// turn is one interval: the motor stops at stop and starts at start, in parts of the interval, stop ≤ start. Before it moves on the
// polynomial of the interval before, afterwards on that of the one after it.
type turn struct{ stop, start float64 }

// turnsOf are those of an exact motion. Intervals beside another turn are left out: their neighbours are no polynomials either.
func turnsOf(x, dx, ddx []float64, dt float64) turns {
	out := turns{}
	moving := func(k int) bool { return k >= 0 && k+1 < len(x) && dx[k]*dx[k+1] > 0 }
	for k := range len(x) - 1 {
		a, b := dx[k], dx[k+1]
		if a*b > 0 || a == 0 && (b == 0 || ddx[k] != 0) {
			continue
		}
		t := turn{0, 1}
		if a != 0 {
			if !moving(k - 1) {
				continue
			}
			t.stop = root(func(u float64) bool { _, v, _ := quintic(x, dx, ddx, k-1, u+1, dt); return v*a > 0 })
		}
		if b != 0 {
			if !moving(k + 1) {
				continue
			}
			// A motor that breaks away begins without acceleration: its velocity touches zero, and need not cross it.
			t.start = 1 - root(func(u float64) bool {
				_, v, acceleration := quintic(x, dx, ddx, k+1, -u, dt)
				return v*b > 0 && (acceleration*b > 0 || ddx[k+1]*b <= 0)
			})
		}
		if t.stop > t.start { // without a pause, by the polynomials' error
			t.stop = (t.stop + t.start) / 2
			t.start = t.stop
		}
		out[k] = t
	}
	return out
}

// root is the first place in [0, 1] at which a condition that holds at the beginning does no longer, by bisection.
func root(holds func(u float64) bool) float64 {
	const bisections = 50
	from, to := 0.0, 1.0
	for range bisections {
		if u := (from + to) / 2; holds(u) {
			from = u
		} else {
			to = u
		}
	}
	return to
}

// between is the position and the velocity of a motor at u intervals after sample k.
func between(x, dx, ddx []float64, of turns, k int, u, dt float64) (float64, float64) {
	t, turns := of[k]
	base := k
	switch {
	case !turns:
	case u < t.stop:
		base = k - 1
	case u > t.start:
		base = k + 1
	case dx[k+1] == 0:
		return x[k+1], 0
	default:
		rest, _, _ := quintic(x, dx, ddx, k+1, t.start-1, dt)
		return rest, 0
	}
	position, velocity, _ := quintic(x, dx, ddx, base, u+float64(k-base), dt)
	return position, velocity
}
