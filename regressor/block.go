package regressor

import (
	"fmt"
	"math"
	"unsafe"

	"ident/internal/lanes"
)

// Block holds the rows of a batch, one dense block a joint: column c of
// Mask(k) is Joint[k][c], with one entry per sample.
type Block struct {
	Rows  int
	Joint [][][]float64
	cap   int
}

// NewBlock allocates a block for up to rows samples of the model.
func (m *Model) NewBlock(rows int) *Block {
	widths := make([]int, len(m.mask))
	for k, mask := range m.mask {
		widths[k] = len(mask)
	}
	return newBlock(rows, widths...)
}

// NewEnergyBlock allocates a block for EvalEnergy: one row per sample with all
// columns, as those of a single joint.
func (m *Model) NewEnergyBlock(rows int) *Block { return newBlock(rows, len(m.columns)) }

// newBlock allocates a block with the given number of columns for each joint.
func newBlock(rows int, widths ...int) *Block {
	total := 0
	for _, w := range widths {
		total += w
	}
	// Columns start at cache lines, an odd number of lines apart, so that a program filling all columns for some samples
	// uses different sets of the cache.
	const line = 8 // numbers in a line
	stride := ((rows+line-1)/line | 1) * line
	b, store := &Block{cap: rows}, make([]float64, total*stride+line)
	at := int(-uintptr(unsafe.Pointer(unsafe.SliceData(store)))%(8*line)) / 8
	for _, w := range widths {
		cols := make([][]float64, w)
		for c := range cols {
			cols[c] = store[at : at+rows : at+rows]
			at += stride
		}
		b.Joint = append(b.Joint, cols)
	}
	b.Resize(rows)
	return b
}

// Resize sets the number of rows, at most the capacity with which the block was made.
func (b *Block) Resize(rows int) {
	if rows > b.cap {
		panic(fmt.Sprintf("regressor: block for %d rows cannot hold %d", b.cap, rows))
	}
	b.Rows = rows
	for _, cols := range b.Joint {
		for c := range cols {
			cols[c] = cols[c][:rows]
		}
	}
}

// invalidate sets the rows from from on to NaN.
func (b *Block) invalidate(from int) {
	for _, cols := range b.Joint {
		for _, col := range cols {
			lanes.Fill(col[from:b.Rows], math.NaN())
		}
	}
}

// Predict writes the torques Y·χ of a block to tau, one slice per joint.
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
