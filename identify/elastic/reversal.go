package elastic

// turns holds the intervals between samples in which a motor with Coulomb friction stops or starts; the key is the
// first sample of the interval. The acceleration steps there by 2·Fs/Ia, or the motor sticks: no polynomial through the
// interval's ends follows that.
type turns map[int]turn

// turn is one interval. The motor stops at stop and starts at start, as fractions of the interval, with stop ≤ start.
// Before stop it moves on the polynomial of the interval before, after start on that of the interval after.
type turn struct{ stop, start float64 }

// turnsOf returns the turns of an exact motion. An interval next to another turn is left out, because its neighbour is
// not a polynomial either.
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
			// A motor that breaks away starts with zero acceleration: its velocity touches zero but need not cross it.
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

// root returns, by bisection, the first place in [0, 1] at which a condition that holds at 0 no longer holds.
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

// between returns the position and the velocity of a motor u intervals after sample k.
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
