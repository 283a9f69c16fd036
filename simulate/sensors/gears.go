package sensors

import "math"

func warming(f Fault, e *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			for k, t := range b.e.T {
				dq, sign := b.e.Exact.DQ[j][k], 0.0
				switch {
				case dq > 0:
					sign = 1
				case dq < 0:
					sign = -1
				}
				b.e.Measured.Tau[j][k] -= f.Size * (1 - math.Exp(-3*t/e.length)) * (e.fv[j]*dq + e.fs[j]*sign)
			}
		}
	}
}

// flank, a part of the torque's root mean square, is the torque at which the teeth lie on one flank.
const flank = 0.02

func backlash(f Fault, e *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			for k, tau := range b.e.Exact.Tau[j] {
				b.e.Measured.Q[j][k] += f.Size / 2 * max(-1, min(1, tau/(flank*e.rms[j]+1e-300)))
			}
		}
	}
}

func flexible(f Fault, e *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			for k, tau := range b.e.Exact.Tau[j] {
				b.e.Measured.Q[j][k] += f.Size * tau / (e.rms[j] + 1e-300)
			}
		}
	}
}

// usualGear is the ratio of a gear where the robot file gives none.
const usualGear = 50

func ripple(f Fault, e *environment) effect {
	return func(b *block) {
		for _, j := range f.Joints {
			n := e.gear[j]
			if n == 0 {
				n = usualGear
			}
			for k, q := range b.e.Exact.Q[j] {
				b.e.Measured.Tau[j][k] += f.Size * e.rms[j] * math.Sin(n*q)
			}
		}
	}
}
