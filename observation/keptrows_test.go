package observation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
)

// Rows that are kept are those of all rows at their places, with further columns and
// without, compiled or not, in chunks of any length.
func TestKeptRows(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(3, 5)), 3, true)
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	all := Settings{Model: Dynamic, Path: Path{Differentiator: Central, Order: 2, Cutoff: 10, MotionCutoff: 30}}
	for name, m := range map[string]*regressor.Model{"recursion": m, "program": m.Compiled()} {
		for _, rate := range []float64{20, 62} {
			for _, core := range []int{700, 1 << 20} {
				t.Run(fmt.Sprintf("%s at %g Hz, chunks of %d", name, rate, core), func(t *testing.T) {
					kept := all
					kept.KeepRate = rate
					some := swing(t, r, m, kept)
					every := some.Filters.Rows.Every()
					some.Plan = some.Filters.Plan(every, core, 0)
					if every != int(1000/rate)/keptStep*keptStep {
						t.Fatalf("every %dth row", every)
					}
					whole := swing(t, r, m, all)
					one, chunk := NewObserver(m, Known{}, nil), whole.Whole()
					all, err := one.Observe(chunk)
					if err != nil {
						t.Fatal(err)
					}
					want := make([]Rows, m.Joints())
					for k := range want {
						want[k] = copied(all.Extended(k, further(chunk), all.Extent))
					}
					seen := 0
					err = Pass(t.Context(), []Source{some}, 1, func(_ int, c *Chunk) (int, error) {
						v, err := NewObserver(m, Known{}, nil).Observe(c)
						if err != nil {
							return 0, err
						}
						n := 0
						for k := range want {
							x := further(c)
							if k == 1 {
								x = nil
							}
							rows := v.Extended(k, x, v.Extent)
							n = rows.Len()
							first := v.Row(v.Extent) * every
							for i, got := range rows.Columns {
								at := i
								if k == 1 && i == len(rows.Columns)-1 {
									at++ // past the further column
								}
								column := want[k].Columns[at]
								size := 1.0
								for _, x := range column {
									size = max(size, math.Abs(x))
								}
								for j, x := range got[rows.Lo:rows.Hi] {
									// ZeroPhase goes over to a constant where its response is 1e-6: that is left at the
									// segment's ends. Elsewhere chunks end where the response is 1e-12.
									limit, place := 1e-10*size, first+j*every
									if place < 700 || place > len(column)-700 {
										limit = 2e-5 * size
									}
									if e := math.Abs(x - column[place]); !(e < limit) {
										t.Fatalf("joint %d, column %d, sample %d: %g among %g, off by %.2g", k, i, place, x, column[place], e)
									}
								}
							}
						}
						return n, nil
					}, func(n int) error { seen += n; return nil })
					if err != nil {
						t.Fatal(err)
					}
					if n := (chunk.Own() + every - 1) / every; seen != n {
						t.Errorf("%d rows of %d", seen, n)
					}
				})
			}
		}
	}
}

// further is a column that is none of the regressor's: the cube of a position.
func further(c *Chunk) [][]float64 {
	out := make([]float64, len(c.Columns[0]))
	for i, q := range c.Columns[0] {
		out[i] = q * q * q
	}
	return [][]float64{out}
}

// copied are rows in memory of their own.
func copied(r Rows) Rows {
	var m matrix
	for k, col := range m.resize(len(r.Columns), len(r.Columns[0])) {
		copy(col, r.Columns[k])
	}
	return Rows{Columns: m.rows, Lo: r.Lo, Hi: r.Hi}
}

// A pass that keeps a part of the rows allocates nothing per sample.
func TestKeptRowsAllocateNothing(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(3, 5)), 3, true)
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	source := swing(t, r, m.Compiled(), Settings{Model: Dynamic, Path: Path{Differentiator: Central, Order: 2, Cutoff: 10}, KeepRate: 50})
	o, c := NewObserver(m.Compiled(), Known{}, nil), source.Whole()
	if n := testing.AllocsPerRun(5, func() {
		v, err := o.Observe(c)
		if err != nil {
			t.Fatal(err)
		}
		for k := range m.Joints() {
			v.Equation(k, v.Extent)
		}
	}); n > 0 {
		t.Errorf("%g allocations a chunk", n)
	}
}

// The rows of a motion in memory are those of the whole regressor behind the low-pass of all rows. Those padded at the
// ends, over a bounded length, differ from the reflected signal by 1e-7 there; a thousandth of that and less is left
// beyond the tail.
func TestKeptRegressor(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 5))
	r := testrobot.Random(rng, 3, true)
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	m = m.Compiled()
	s := Settings{Model: Dynamic, Path: Path{Order: 2, Cutoff: 10}}
	all, err := NewRowFilter(s, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	s.KeepRate = 25
	kept, err := NewRowFilter(s, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	var memory KeptRegressor
	tail := all.Tail(1e-3)
	for _, n := range []int{1000, 1001, 2039, 40} {
		var in regressor.Batch
		for _, x := range []*[][]float64{&in.Q, &in.DQ, &in.DDQ} {
			for range m.Joints() {
				col, phase := make([]float64, n), 6*rng.Float64()
				for k := range col {
					col[k] = math.Sin(0.01*float64(k) + phase)
				}
				*x = append(*x, col)
			}
		}
		block := m.NewBlock(n)
		m.EvalBatch(block, in, m.NewWorkspace())
		got := memory.Eval(kept, m, in, m.NewWorkspace())
		for j, cols := range block.Joint {
			all.Apply(cols, Extent{Hi: n, End: n}, new(RowWork))
			for i, col := range cols {
				for k, v := range got[j][i] {
					if at := k * kept.Every(); at < tail || at >= n-tail {
						continue
					}
					if want := col[k*kept.Every()]; !(math.Abs(v-want) < 1e-9*max(1, math.Abs(want))) {
						t.Fatalf("%d samples, joint %d, column %d: row %d is %g, want %g", n, j+1, i, k, v, want)
					}
				}
				if want := (n + kept.Every() - 1) / kept.Every(); len(got[j][i]) != want {
					t.Fatalf("%d samples: %d rows, want %d", n, len(got[j][i]), want)
				}
			}
		}
	}
}
