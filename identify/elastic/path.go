package elastic

import (
	"fmt"
	"math"

	"ident/filter"
	"ident/observation"
)

// motionReach is the cut-off of the positions' low-pass, before differentiation, over that of both sides. In the band
// of the latter, the response of the former is then within 1e-4 of one.
const motionReach = 4

// Fractions of the friction at rest that may remain in rows near it: for measured logs and for exact ones.
const (
	restLeak  = 0.01
	exactLeak = 1e-12
)

// path takes a log to its rows, by the filters of package observation.
type path struct {
	*observation.Filters
	log    *Log
	cutoff float64            // of both sides, Hz
	extent observation.Extent // samples whose rows are whole
	smooth bool               // the derivatives are differences of positions, which have been through the low-pass of the motion
	motion observation.MotionWork
	rows   observation.RowWork
}

// pathOf returns the filters of a log for rows behind a cut-off, Hz. Exact derivatives need no filter of the motion.
func pathOf(l *Log, cutoff float64) observation.Path {
	p := observation.Path{Cutoff: cutoff, Order: 2, Differentiator: observation.Central, Velocity: observation.Measured, Acceleration: observation.Measured}
	if l.DDX == nil {
		p.MotionCutoff, p.MotionOrder = math.Min(motionReach*cutoff, 0.45*l.Rate), filter.MotionOrder
		p.Velocity, p.Acceleration = observation.FromPosition, observation.FromVelocity
	}
	return p
}

// newPath returns the path of a log for rows of the given number of unknowns.
func newPath(l *Log, cutoff float64, unknowns int) (*path, error) {
	filters, err := observation.NewFilters(observation.Settings{Model: observation.Dynamic, Path: pathOf(l, cutoff), KeepRate: 4 * cutoff}, 1/l.Rate)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	p := &path{Filters: filters, log: l, cutoff: cutoff, smooth: l.DDX == nil}
	n, tail := l.Samples(), p.reach(1e-6)
	p.extent = observation.Extent{Lo: tail, Hi: n - tail, Begin: tail, End: n - tail}
	if p.extent.Empty() || (n-2*tail)/p.Rows.Every() < unknowns {
		return nil, fmt.Errorf("%s: %d samples, of which filters at %.3g Hz need %d; give a longer log or a higher cut-off", l.Name, n, cutoff, 2*tail)
	}
	return p, nil
}

// reach returns the number of samples after which the response of the filters is below tol. The low-pass of the motion is wider
// than that of the rows, and ends sooner.
func (p *path) reach(tol float64) int {
	if p.smooth {
		return 2 * p.Rows.Tail(tol)
	}
	return p.Rows.Tail(tol)
}

// rate returns the number of rows per second.
func (p *path) rate() float64 { return p.log.Rate / float64(p.Rows.Every()) }

// filtered returns measured positions and derivatives, which may be nil, behind the low-pass of the motion. It leaves the
// measured ones as they are. The derivatives are valid until the next call.
func (p *path) filtered(x, dx, ddx [][]float64) observation.Motion {
	return p.Motion.Apply(observation.Measurement{Q: copies(x), DQ: copies(dx), DDQ: copies(ddx)}, &p.motion)
}

// atRest returns which samples of a drive, with the filtered velocity, are at rest, where friction can have any value up to
// Coulomb's: samples with a measured velocity of exactly zero, intervals in which the position stays within its noise
// (observation.RestRule), and reversals: a motor that reverses against Coulomb friction sticks for some milliseconds, which
// differences of filtered positions do not show.
func (p *path) atRest(i int, velocity []float64) []bool {
	x := p.log.X[i]
	out := make([]bool, len(x))
	if p.log.DX != nil {
		for k, v := range p.log.DX[i] {
			out[k] = v == 0
		}
	}
	rule := observation.NewRestRule([][]observation.JointNoise{{observation.PositionNoise(x, p.log.Rate)}}, p.cutoff)
	rule.Mark(out, 0, x, 1/p.log.Rate)
	if p.smooth {
		for k := 1; k < len(velocity); k++ {
			if (velocity[k] > 0) != (velocity[k-1] > 0) {
				out[k-1], out[k] = true, true
			}
		}
	}
	return out
}

// through passes the equations through the filter of both sides, which thins them. It marks rows so near rest that more than
// a fraction of the friction at rest remains in them.
func (p *path) through(e *equations) {
	leak := restLeak
	if !p.smooth {
		leak = exactLeak
	}
	for k := range e.y {
		if e.rest[k] != nil {
			near := observation.Widen(e.rest[k], p.reach(leak))
			e.rest[k] = nil
			for i := p.Rows.First(p.extent); i < p.extent.Hi; i += p.Rows.Every() {
				e.rest[k] = append(e.rest[k], near[i])
			}
		}
		all := append(append([][]float64(nil), e.columns[k]...), e.y[k])
		got := p.Rows.Apply(all, p.extent, &p.rows)
		for c := range all {
			all[c] = append([]float64(nil), got.Columns[c][got.Lo:got.Hi]...)
		}
		e.columns[k], e.y[k] = all[:len(all)-1], all[len(all)-1]
	}
}

func copies(x [][]float64) [][]float64 {
	if x == nil {
		return nil
	}
	out := make([][]float64, len(x))
	for i, c := range x {
		if c != nil {
			out[i] = append([]float64(nil), c...)
		}
	}
	return out
}
