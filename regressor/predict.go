package regressor

// Predict stores in tau, one slice a joint, the torques Y·χ of a block.
func (m *Model) Predict(tau [][]float64, b *Block, chi []float64) {
	if len(chi) != len(m.columns) || len(tau) != len(m.coords) {
		panic("regressor: Predict wants one parameter a column and one torque slice a joint")
	}
	for k, mask := range m.mask {
		dst := tau[k][:b.Rows]
		clear(dst)
		for c, col := range mask {
			v := chi[col]
			if v == 0 {
				continue
			}
			for i, y := range b.Joint[k][c] {
				dst[i] += v * y
			}
		}
	}
}
