package observation

// matrix is reusable working memory of rows×columns.
type matrix struct {
	store []float64
	rows  [][]float64
}

// resize returns rows slices of n entries with arbitrary values.
func (m *matrix) resize(rows, n int) [][]float64 {
	m.store = grown(m.store, rows*n)
	m.rows = m.rows[:0]
	for k := range rows {
		m.rows = append(m.rows, m.store[k*n:(k+1)*n:(k+1)*n])
	}
	return m.rows
}

// grown returns x with n entries; it reuses the memory of x if that suffices.
func grown(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
