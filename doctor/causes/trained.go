package causes

import (
	"slices"

	"ident/internal/lanes"
)

// trained holds what the logs that a result was fitted to know of the columns of a fit. A nil one knows nothing.
type trained struct {
	columns int
	normal  []float64 // weighted normal matrix; rows of strideOf(columns) entries, of which the upper triangle counts
	moments []float64 // weighted products with the torques
}

// trained returns what the rows of a trial know.
func (t *trial) trained() *trained {
	return &trained{t.design.columns, t.factors.total, slices.Clone(t.factors.project(one(t.y)).all.data)}
}

// addNormal adds the normal matrix to that of a fit with at least as many columns, of which the first are the same.
func (k *trained) addNormal(to []float64, columns int) {
	if k == nil {
		return
	}
	own, m := strideOf(k.columns), strideOf(columns)
	for c := range k.columns {
		lanes.Axpy(to[c*m+c:c*m+k.columns], 1, k.normal[c*own+c:c*own+k.columns])
	}
}

// addMoments adds the moments to each column of products of a fit with torques: whatever is supposed of the new torques, those that
// trained were what they were.
func (k *trained) addMoments(to matrix) {
	if k == nil {
		return
	}
	for c, v := range k.moments {
		for i := range to.row(c) {
			to.row(c)[i] += v
		}
	}
}
