package loops

// Drive is a motion of the driven joints: a slice of samples each, rad or m and
// their derivatives by time. DDQ may be nil, where accelerations are not wanted.
type Drive struct{ Q, DQ, DDQ [][]float64 }

// Path is the motion of the tree that a Continuation finds, in slices of samples,
// the first of them for the first sample tracked.
type Path struct {
	// Positions of the tree's coordinates, and of the cut joints' behind them if
	// Q has slices for these.
	Q [][]float64
	// Rates and accelerations of the tree's coordinates. DDQ is left alone where
	// the drive has no accelerations.
	DQ, DDQ [][]float64
	// Jacobian has the entry of G for each of the tracker's Pairs, and
	// JacobianRate, unless it is nil, their derivative by time.
	Jacobian, JacobianRate [][]float64
	// States, unless it is nil, collects closed states on the way.
	States *States
}

// NewPath allocates a path of n samples, with the coordinates of cut joints and
// without rates of the Jacobian.
func (t *Tracker) NewPath(n int) *Path {
	rows := func(k int) [][]float64 { return Rows(make([]float64, k*n), n) }
	return &Path{Q: rows(len(t.c.unit)), DQ: rows(t.c.dof), DDQ: rows(t.c.dof), Jacobian: rows(len(t.pairs))}
}

// Rows cuts memory into slices of n samples: with n = 1, a vector of all
// coordinates into a motion of one sample.
func Rows(v []float64, n int) [][]float64 {
	out := make([][]float64, len(v)/n)
	for k := range out {
		out[k] = v[k*n : (k+1)*n : (k+1)*n]
	}
	return out
}
