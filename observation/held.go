package observation

// Held returns the time intervals, in seconds, in which every torque repeats its value to the last bit while a joint
// moves: the logger stored the last value it had received. It returns none for a resampled segment.
func (v *Observation) Held() [][2]float64 {
	if !v.Chunk.Source.Segment.Uniform {
		return nil
	}
	var out [][2]float64
	for i := max(v.Lo, 1); i < v.Hi; i++ {
		held := len(v.Torque) > 1
		for _, torque := range v.Torque {
			if held = held && torque[i] == torque[i-1]; !held {
				break
			}
		}
		if !held || !v.Motion.movesAt(i) {
			continue
		}
		from, to := v.Chunk.Time(i-1), v.Chunk.Time(i)
		if n := len(out); n > 0 && out[n-1][1] >= from {
			out[n-1][1] = to
		} else {
			out = append(out, [2]float64{from, to})
		}
	}
	return out
}

// movesAt reports whether a joint moves at a sample: faster than rounding of its position suggests.
func (m *Motion) movesAt(i int) bool {
	for _, dq := range m.DQ {
		if dq[i] > 1e-6 || dq[i] < -1e-6 { // rad/s or m/s
			return true
		}
	}
	return false
}
