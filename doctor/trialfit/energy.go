package trialfit

import (
	"math"

	"ident/internal/projection"
	"ident/regressor"
)

// Energy is the mean of ddqᵀ·M(q)·ddq over the rows with its standard deviation: positive for every body and
// rotor, whatever gravity and friction are. m is the model without gravity, of the same columns.
func (t *Stacked) Energy(m *regressor.Model) (mean, sd float64) {
	tr := t.Equations
	still := make([][]float64, len(tr.FDQ))
	for j := range still {
		still[j] = make([]float64, len(tr.T))
	}
	block := m.NewBlock(len(tr.T))
	m.Eval(block, tr.Q, still, tr.FDDQ, m.NewWorkspace())
	g := make([]float64, len(t.X))
	for j := range block.Joint {
		for i, c := range m.Mask(j) {
			switch m.Columns()[c].Term {
			case regressor.Links, regressor.Ia:
				g[c] += projection.Dot(block.Joint[j][i], tr.FDDQ[j]) / float64(len(tr.T))
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
