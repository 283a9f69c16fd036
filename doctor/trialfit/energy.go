package trialfit

import (
	"math"
	"slices"

	"ident/internal/projection"
	"ident/regressor"
)

// Energy is the mean of ddqᵀ·M(q)·ddq over the rows with its standard deviation: positive for every body and
// rotor, whatever gravity and friction are. m is the model without gravity, of the same columns.
func (t *Stacked) Energy(m *regressor.Model) (mean, sd float64) {
	tr := t.Equations
	still := slices.Repeat([][]float64{make([]float64, len(tr.T))}, len(tr.FDQ))
	g := make([]float64, len(t.X))
	t.batches.each(m, regressor.Batch{Q: tr.Q, DQ: still, DDQ: tr.FDDQ}, func(at int, rows *regressor.Block) {
		for j := range rows.Joint {
			for i, c := range m.Mask(j) {
				switch m.Columns()[c].Term {
				case regressor.Links, regressor.Ia:
					g[c] += projection.Dot(rows.Joint[j][i], tr.FDDQ[j][at:at+rows.Rows]) / float64(len(tr.T))
				}
			}
		}
	})
	for c, v := range g {
		mean += v * t.X[c]
	}
	all := make([]float64, t.Basis.Offered) // columns beside the model's have no energy
	copy(all, g)
	return mean, math.Sqrt(t.Inflation()*t.Chi2) * t.Basis.Deviation(all)
}
