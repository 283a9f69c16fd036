package sensors

import "math"

func jitter(f Fault, e *environment) effect {
	last := math.Inf(-1)
	return func(b *block) {
		for k, t := range b.e.T {
			// Stamps of a log ascend: one that would come before its neighbour waits.
			last = math.Nextafter(max(last, t+f.Size/e.rate*e.stream.NormFloat64()), math.Inf(1))
			b.e.T[k] = last
		}
	}
}

func dropped(f Fault, e *environment) effect {
	return func(b *block) {
		for k := range b.keep {
			b.keep[k] = b.keep[k] && e.stream.Float64() >= f.Size
		}
	}
}

func repeated(f Fault, e *environment) effect {
	var held []float64
	return func(b *block) {
		m := &b.e.Measured
		var columns [][]float64
		for _, g := range [][][]float64{m.Q, m.DQ, m.Tau, b.e.Current, b.e.Voltage, b.e.Pressure} {
			columns = append(columns, g...)
		}
		first := held == nil
		if first {
			held = make([]float64, len(columns))
		}
		for k := range b.e.T {
			if e.stream.Float64() < f.Size && !(first && k == 0) {
				for i, c := range columns {
					c[k] = held[i]
				}
			}
			for i, c := range columns {
				held[i] = c[k]
			}
		}
	}
}

func lateVelocity(f Fault, e *environment) effect {
	return late(f, e, func(b *block) [][]float64 { return b.e.Measured.DQ })
}

func lateTorque(f Fault, e *environment) effect {
	return late(f, e, func(b *block) [][]float64 { return b.e.Measured.Tau })
}

// late returns the channel some time earlier, by the cubic through four samples that are there already: around the
// wanted time where it is more than a sample old, else the last four.
func late(f Fault, e *environment, of func(b *block) [][]float64) effect {
	behind := f.Size * e.rate // in samples
	whole := max(1, int(math.Ceil(behind)))
	// From the sample whole+1 ago, at 0, to that whole−2 ago, at 3, but none of the future.
	start := max(whole+1, 3)
	u := float64(start) - behind
	w := [4]float64{-(u - 1) * (u - 2) * (u - 3) / 6, u * (u - 2) * (u - 3) / 2, -u * (u - 1) * (u - 3) / 2, u * (u - 1) * (u - 2) / 6}
	past := make([][]float64, e.joints)
	return func(b *block) {
		for _, j := range f.Joints {
			x := of(b)[j]
			if past[j] == nil && len(x) > 0 {
				for range start { // before the start as at the start
					past[j] = append(past[j], x[0])
				}
			}
			line := append(past[j], x...)
			past[j] = append([]float64(nil), line[len(line)-start:]...)
			for k := range x {
				at := k // line[k+start] is x[k]
				x[k] = w[0]*line[at] + w[1]*line[at+1] + w[2]*line[at+2] + w[3]*line[at+3]
			}
		}
	}
}
