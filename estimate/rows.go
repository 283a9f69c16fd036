package estimate

import (
	"context"
	"fmt"

	"ident/internal/triangle"
)

// Rows is a Source of rows that are already in memory: of a running estimate, a simulation, a test.
type Rows struct {
	columns, block int
	masks          [][]int
	runs           []memoryRun
}

type memoryRun struct {
	columns [][][]float64
	y       [][]float64
}

// NewRows returns a Rows without rows, for a model with the given columns, masks as in NewReduction, and time blocks of
// block rows.
func NewRows(columns int, masks [][]int, block int) *Rows {
	if block < 1 {
		panic(fmt.Sprintf("estimate: a time block needs 1 or more rows, not %d", block))
	}
	return &Rows{columns: columns, masks: masks, block: block}
}

// AddRun adds the rows of a run: columns by joint, column of its mask and row; torques by joint and row. It keeps the
// slices, so the caller must not change them.
func (m *Rows) AddRun(columns [][][]float64, y [][]float64) {
	if len(columns) != len(m.masks) || len(y) != len(m.masks) {
		panic("estimate: rows of another number of joints")
	}
	for k := range y {
		if len(columns[k]) != len(m.masks[k]) || len(y[k]) != len(y[0]) {
			panic("estimate: rows of another shape")
		}
	}
	m.runs = append(m.runs, memoryRun{columns, y})
}

// Problem reduces the rows and returns them as a problem.
func (m *Rows) Problem() *Problem {
	r, err := m.Reduce(context.Background(), unchanged{})
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return &Problem{Reduction: r, Rows: m}
}

// unchanged is the change that leaves rows as they are.
type unchanged struct{}

func (unchanged) Masks(masks [][]int) [][]int { return masks }
func (unchanged) Memory() int                 { return 0 }
func (unchanged) Apply(*Batch)                {}

// Reduce implements Source.
func (m *Rows) Reduce(ctx context.Context, change Change) (*Reduction, error) {
	r := NewReduction(m.columns, change.Masks(m.masks))
	var work triangle.Work
	var store []float64
	for i, run := range m.runs {
		n := len(run.y[0])
		for lo := 0; lo < n; lo += m.block {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			hi, lead := min(lo+m.block, n), min(lo, change.Memory())
			store = store[:0]
			s := &Batch{Run: i, At: lo - lead, Lead: lead, Masks: m.masks}
			own := func(c []float64) []float64 {
				at := len(store)
				store = append(store, c[lo-lead:hi]...)
				return store[at:len(store):len(store)]
			}
			for k := range m.masks {
				cols := make([][]float64, len(run.columns[k]))
				for j, c := range run.columns[k] {
					cols[j] = own(c)
				}
				s.Columns = append(s.Columns, cols)
				s.Y = append(s.Y, own(run.y[k]))
			}
			change.Apply(s)
			b := r.NewBlock(i)
			s.AddTo(b, 0, hi-lo, &work)
			r.Append(b)
		}
	}
	return r, nil
}

// AddTo adds rows [lo, hi), counted after the lead, to a time block.
func (s *Batch) AddTo(b TimeBlock, lo, hi int, work *Work) {
	for k, cols := range s.Columns {
		part := make([][]float64, len(cols))
		for c := range cols {
			part[c] = cols[c][s.Lead+lo : s.Lead+hi]
		}
		b.Joints[k].Add(part, s.Y[k][s.Lead+lo:s.Lead+hi], work)
	}
}

// Residuals implements Source.
func (m *Rows) Residuals(ctx context.Context, x []float64, visit func(*Residuals) error) error {
	for i, run := range m.runs {
		n := len(run.y[0])
		for lo := 0; lo < n; lo += m.block {
			if err := ctx.Err(); err != nil {
				return err
			}
			hi := min(lo+m.block, n)
			e := &Residuals{Run: i, At: lo}
			for k, mask := range m.masks {
				d := append([]float64(nil), run.y[k][lo:hi]...)
				subtract(d, run.columns[k], mask, x, lo)
				e.E = append(e.E, d)
			}
			if err := visit(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// subtract subtracts W·x from d, for the rows from lo on.
func subtract(d []float64, columns [][]float64, mask []int, x []float64, lo int) {
	for c, at := range mask {
		v, col := x[at], columns[c][lo:]
		if v == 0 {
			continue
		}
		for i := range d {
			d[i] -= v * col[i]
		}
	}
}
