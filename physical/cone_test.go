package physical

import "ident/physical/internal/conic"

// insideCone reports whether a point is inside the cone of a block, X ≻ margin·I or x > 0, by eigenvalues: the solver
// itself goes by factorizations.
func insideCone(b *conic.Block, z []float64, margin float64) bool {
	switch b.Kind {
	case conic.Nonnegative:
		return z[b.At] > 0
	case conic.Semidefinite:
		s := conic.Sym4(b.Variables(z))
		e := conic.NewEigen(&s)
		return e.Min() > margin
	}
	return true
}
