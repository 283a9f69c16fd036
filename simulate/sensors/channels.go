package sensors

import "math"

func zero(f Fault, _ *environment) effect {
	return func(b *block) { shift(b.e.Measured.Q, f.Joints, func(int, float64) float64 { return f.Size }, b.e.T) }
}

// shift adds a function of time to channels.
func shift(x [][]float64, joints []int, by func(joint int, t float64) float64, t []float64) {
	for _, j := range joints {
		for k := range x[j] {
			x[j][k] += by(j, t[k])
		}
	}
}

// rounded rounds channels to multiples.
func rounded(x [][]float64, joints []int, step func(joint int) float64) {
	for _, j := range joints {
		if s := step(j); s > 0 {
			for k, v := range x[j] {
				x[j][k] = math.Round(v/s) * s
			}
		}
	}
}

func encoder(f Fault, _ *environment) effect {
	return func(b *block) { rounded(b.e.Measured.Q, f.Joints, func(int) float64 { return f.Size }) }
}

func velocityQuantum(f Fault, _ *environment) effect {
	return func(b *block) { rounded(b.e.Measured.DQ, f.Joints, func(int) float64 { return f.Size }) }
}

func torqueQuantum(f Fault, e *environment) effect {
	return func(b *block) { rounded(b.e.Measured.Tau, f.Joints, func(j int) float64 { return f.Size * e.rms[j] }) }
}

func saturated(f Fault, e *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			limit := f.Size * e.rms[j]
			for k, v := range b.e.Measured.Tau[j] {
				b.e.Measured.Tau[j][k] = max(-limit, min(limit, v))
			}
		}
	}
}

func offsetDrift(f Fault, e *environment) effect {
	return func(b *block) {
		shift(b.e.Measured.Tau, f.Joints, func(j int, t float64) float64 { return f.Size * e.rms[j] * t / e.length }, b.e.T)
	}
}

func offsetStep(f Fault, e *environment) effect {
	return func(b *block) {
		shift(b.e.Measured.Tau, f.Joints, func(j int, t float64) float64 {
			if t < e.length/2 {
				return 0
			}
			return f.Size * e.rms[j]
		}, b.e.T)
	}
}

func scale(f Fault, _ *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			for k := range b.e.Measured.Tau[j] {
				b.e.Measured.Tau[j][k] *= f.Size
			}
		}
	}
}

func stuck(f Fault, e *environment) effect {
	held := make([]float64, e.joints)
	for j := range held {
		held[j] = math.NaN()
	}
	return func(b *block) {
		for _, j := range f.Joints {
			for k, t := range b.e.T {
				if t < f.Size*e.length {
					continue
				}
				if math.IsNaN(held[j]) {
					held[j] = b.e.Measured.Q[j][k]
				}
				b.e.Measured.Q[j][k] = held[j]
			}
		}
	}
}

// jump adds a value of random sign to single rows of channels.
func jump(f Fault, e *environment, of func(b *block) [][]float64, size func(j int) float64) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			x := of(b)[j]
			for k := range x {
				if e.stream.Float64() < f.Size {
					x[k] += math.Copysign(size(j), e.stream.Float64()-0.5)
				}
			}
		}
	}
}

func outliers(f Fault, e *environment) effect {
	return jump(f, e, func(b *block) [][]float64 { return b.e.Measured.Tau }, func(j int) float64 { return 30 * e.rms[j] })
}

func spikes(f Fault, e *environment) effect {
	return jump(f, e, func(b *block) [][]float64 { return b.e.Measured.Q }, func(int) float64 { return 0.5 })
}
