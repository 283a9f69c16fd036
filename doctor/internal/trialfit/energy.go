package trialfit

import (
	"math"

	"ident/internal/lanes"
	"ident/regressor"
)

// Energy returns the mean of ddqᵀ·M(q)·ddq over the rows with its standard deviation: positive for every body and
// rotor, whatever gravity and friction are. m is the model without gravity, of the same columns.
func (t *Stacked) Energy(m *regressor.Model) (mean, sd float64) {
	tr := t.Equations
	samples, g := len(tr.T), make([]float64, len(t.X))
	batch := min(batchRows, samples)
	t.batches.room(m, batch)
	rows := m.NewEnergyBlock(batch)
	for at := 0; at < samples; at += batch {
		rows.Resize(min(batch, samples-at))
		// With accelerations in place of velocities, the kinetic energy is half of aᵀ·M·a.
		m.EvalEnergy(rows, cut(regressor.Batch{Q: tr.Q, DQ: tr.FDDQ}, at, rows.Rows), t.batches.work)
		for c, col := range m.Columns() {
			if col.Term == regressor.Links || col.Term == regressor.Ia {
				g[c] += 2 * lanes.Sum(rows.Joint[0][c]) / float64(samples)
			}
		}
	}
	for c, v := range g {
		mean += v * t.X[c]
	}
	all := make([]float64, t.Basis.Offered) // columns beside the model's have no energy
	copy(all, g)
	return mean, math.Sqrt(t.Inflation()*t.Chi2) * t.Basis.Deviation(all)
}
