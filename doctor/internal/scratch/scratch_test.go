package scratch_test

import (
	"testing"

	"ident/doctor/internal/scratch"
)

// TestColumns: columns that are held do not overlap, whatever was taken back before, and nothing is allocated once the memory is there.
func TestColumns(t *testing.T) {
	var c scratch.Columns
	round := func() {
		var held [][]float64
		start := c.Mark()
		for i, n := range []int{7, 40_000, 0, 30_000, 12, 90_000, 3} {
			held = append(held, c.Take(n))
			for k := range held[i] {
				held[i][k] = float64(i)
			}
			inner := c.Mark()
			if x := c.Zeros(1000 * i); len(x) > 0 && x[0] != 0 {
				t.Fatal("zeros that are none")
			}
			for k, v := range c.Copy(held[i]) {
				if v != float64(i) {
					t.Fatalf("entry %d of a copy of column %d is %g", k, i, v)
				}
			}
			c.Return(inner)
		}
		for i, x := range held {
			for k, v := range x {
				if v != float64(i) {
					t.Fatalf("entry %d of column %d is %g", k, i, v)
				}
			}
		}
		c.Return(start)
	}
	round()
	round()
	if n := testing.AllocsPerRun(10, func() { m := c.Mark(); c.Take(5000); c.Take(80_000); c.Return(m) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
