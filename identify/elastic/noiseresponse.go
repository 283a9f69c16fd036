package elastic

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ident/observation"
)

// responses returns the first-order changes of the rows by draws of the noise of one log's motor positions. The noise
// acts on the motors' inertial torques, on the springs' torques by the motors' positions, and on these by the links
// that swing behind the motors. The second value is false if the log has no noise.
func (b *motorSide) responses(t *track, s *state, draws int, rng *rand.Rand) (*equations, bool, error) {
	n, samples := b.m.Links, t.log.Samples()
	if !t.smooth {
		return nil, false, nil
	}
	white := grid(n*draws, samples)
	noisy := false
	for i := range n {
		sigma := observation.PositionNoise(t.log.X[n+i], t.log.Rate).Position.Sigma
		noisy = noisy || sigma > 0
		for d := range draws {
			for k := range white[d*n+i] {
				white[d*n+i][k] = sigma * rng.NormFloat64()
			}
		}
	}
	if !noisy {
		return nil, false, nil
	}
	moved := t.Motion.Apply(observation.Measurement{Q: white}, new(observation.MotionWork))
	x := [3][][]float64{moved.Q, moved.DQ, moved.DDQ}
	r, springs := b.f.withValues(s.p), b.springs(s.p)
	out := &equations{rate: t.rate()}
	for range n + len(t.sensor) {
		out.add(nil, grid(draws, samples), make([]float64, samples), nil)
	}
	lin := newLinearised(b.f.Model, springs, s.p)
	rate := func(i, k int) float64 { return springs[i].rateSlope(t.x[1], k) }
	slope := func(i, k int) float64 {
		d := springs[i].deflection2(t.x[0], k)
		return springs[i].Stiffness + 3*springs[i].Cubic*d*d
	}
	push := func(k int, to *mat.Dense) {
		for i := range springs {
			row := to.RawRowView(springs[i].Q)
			for d := range draws {
				row[d] -= slope(i, k)*x[0][d*n+i][k] + rate(i, k)*x[1][d*n+i][k]
			}
		}
	}
	err := lin.respond(t.x, 1/t.log.Rate, mat.NewDense(n, draws, nil), mat.NewDense(n, draws, nil), push, func(k int, q, v *mat.Dense) {
		for i := range springs {
			own := &r.Links[springs[i].Link].Joint
			for d := range draws {
				at := d*n + i
				spring := slope(i, k)*(x[0][at][k]-q.At(springs[i].Q, d)) + rate(i, k)*(x[1][at][k]-v.At(springs[i].Q, d))
				out.columns[i][d][k] = spring + own.Ia*x[2][at][k] + own.Fv*x[1][at][k]
				if t.sensor != nil {
					out.columns[n+i][d][k] = spring
				}
			}
		}
	})
	if err != nil {
		return nil, false, err
	}
	t.through(out)
	return out, true, nil
}
