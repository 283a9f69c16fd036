// Package scratch has memory for columns of numbers that are needed for a while. A check of a short log makes and forgets a
// thousand columns of some kilobytes; each in new memory costs the system a page or more, which costs more than the computation in it.
package scratch

// Columns is memory for columns, handed out piece after piece and taken back all at once. The zero value is ready; it serves one
// goroutine.
type Columns struct {
	blocks [][]float64
	at     int // block that is handed out
	used   int // of it
}

// block is the least number of values of a block: a quarter of a megabyte, a hundred columns of a trial fit.
const block = 1 << 15

// Take returns a column of n arbitrary values, which is valid until Reuse.
func (c *Columns) Take(n int) []float64 {
	for ; c.at < len(c.blocks); c.at, c.used = c.at+1, 0 {
		if b := c.blocks[c.at]; c.used+n <= len(b) {
			x := b[c.used : c.used+n : c.used+n]
			c.used += n
			return x
		}
	}
	c.blocks = append(c.blocks, make([]float64, max(n, block)))
	c.used = n
	return c.blocks[c.at][:n:n]
}

// Copy returns a column with the values of x.
func (c *Columns) Copy(x []float64) []float64 {
	y := c.Take(len(x))
	copy(y, x)
	return y
}

// Zeros returns a column of n zeros.
func (c *Columns) Zeros(n int) []float64 {
	x := c.Take(n)
	clear(x)
	return x
}

// Mark returns the present position, for a later Return.
func (c *Columns) Mark() Mark { return Mark{c.at, c.used} }

// Mark is a place in the memory of columns.
type Mark struct{ at, used int }

// Return takes back the columns that were handed out since the mark: nobody may use them any more.
func (c *Columns) Return(m Mark) { c.at, c.used = m.at, m.used }
