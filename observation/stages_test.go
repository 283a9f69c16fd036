package observation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"ident/datasets"
)

func sine(n int, dt, frequency float64) (q, dq, ddq []float64) {
	q, dq, ddq = make([]float64, n), make([]float64, n), make([]float64, n)
	w := 2 * math.Pi * frequency
	for i := range n {
		s, c := math.Sincos(w * float64(i) * dt)
		q[i], dq[i], ddq[i] = s, w*c, -w*w*s
	}
	return q, dq, ddq
}

// Far from the ends every differentiator gives the derivatives of a slow sine, and
// the sources of the derivatives agree: measured, of velocities, of positions.
func TestMotionStage(t *testing.T) {
	const n, dt, frequency = 4000, 1e-3, 1.0
	w := 2 * math.Pi * frequency
	for _, d := range Differentiators() {
		m, err := NewMotionFilter(40, 2, d, dt)
		if err != nil {
			t.Fatal(err)
		}
		for name, measured := range map[string]int{"positions": 0, "velocities": 1, "accelerations": 2} {
			for _, twice := range []bool{false, true} {
				q, dq, ddq := sine(n, dt, frequency)
				in := Measurement{Q: [][]float64{slices.Clone(q)}, SecondDifferences: twice}
				if measured > 0 {
					in.DQ = [][]float64{slices.Clone(dq)}
				}
				if measured > 1 {
					in.DDQ = [][]float64{slices.Clone(ddq)}
				}
				out := m.Apply(in, new(MotionWork))
				// The low-pass passes |H|² = 1/(1 + (1/40)⁴) at the frequency: 4e-7 of the signal is
				// lost, local cubics and the smoother lose less than (1/40)⁴ times their order.
				for i := m.reach; i < n-m.reach; i++ {
					for _, e := range []float64{out.Q[0][i] - q[i], (out.DQ[0][i] - dq[i]) / w, (out.DDQ[0][i] - ddq[i]) / (w * w)} {
						if !(math.Abs(e) < 2e-3) {
							t.Fatalf("%s from %s, second differences %v: sample %d is off by %g of the amplitude", d, name, twice, i, e)
						}
					}
				}
			}
		}
	}
}

// Away from the one-sided differences at the ends, a constant position has no
// velocity and no acceleration, to the bit.
func TestMotionOfConstant(t *testing.T) {
	m, err := NewMotionFilter(20, 2, Central, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	q := slices.Repeat([]float64{0.1234567}, 500)
	out := m.Apply(Measurement{Q: [][]float64{q}}, new(MotionWork))
	for i := differenceReach; i < len(q)-differenceReach; i++ {
		if out.Q[0][i] != 0.1234567 || out.DQ[0][i] != 0 || out.DDQ[0][i] != 0 {
			t.Fatalf("sample %d: %v %v %v", i, out.Q[0][i], out.DQ[0][i], out.DDQ[0][i])
		}
	}
}

// Rows of a decimation and of windows stand at multiples of their step on the clock
// of the segment, wherever the samples at hand begin.
func TestRowsOnTheClock(t *testing.T) {
	const n, dt = 3000, 1e-2
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(0.02 * float64(i))
	}
	for name, s := range map[string]Settings{
		"low-pass":   {Model: Dynamic, Path: Path{Order: 2, Cutoff: 5}},
		"kept rows":  {Model: Dynamic, Path: Path{Order: 2, Cutoff: 1}, KeepRate: 5},
		"decimation": {Model: Dynamic, Path: Path{Order: 2, Decimate: 7}},
		"momentum":   {Model: Momentum, Path: Path{Order: 2}, Window: 0.2},
	} {
		f, err := NewRowFilter(s, dt)
		if err != nil {
			t.Fatal(err)
		}
		rows := func(x []float64, e Extent) []float64 {
			var w RowWork
			cols := [][]float64{slices.Clone(x)}
			if s.Model != Dynamic {
				f.level(cols[0])
			}
			r := f.finish(cols, e, &w)
			return slices.Clone(r.Columns[0][r.Lo:r.Hi])
		}
		whole := rows(x, Extent{Lo: 1000, Hi: 2000, End: n})
		for _, start := range []int{0, 1, 311} {
			part := rows(x[start:], Extent{Start: start, Lo: 1000 - start, Hi: 2000 - start, End: n - start})
			if len(part) != len(whole) || len(part) == 0 {
				t.Fatalf("%s: %d rows from sample %d on, %d of all", name, len(part), start, len(whole))
			}
			for i := range part {
				// Filters reach back a thousand samples and windows take differences of
				// integrals: the beginning is forgotten to rounding.
				if !(math.Abs(part[i]-whole[i]) < 1e-11) {
					t.Fatalf("%s: row %d is %v from sample %d on, %v of all", name, i, part[i], start, whole[i])
				}
			}
		}
	}
}

// Samples in memory come in the chunks that a log with the same samples comes in.
func TestSourceInMemory(t *testing.T) {
	const n, dt = 1000, 1e-2
	time, q := make([]float64, n), make([]float64, n)
	for i := range n {
		time[i], q[i] = float64(i)*dt, float64(i*i)
	}
	run := Run{Name: "a", Last: n, Roles: datasets.Roles{T: "t", Q: []string{"q1"}, Tau: []string{"q1"}},
		Log: datasets.FromColumns("a", []datasets.Channel{{Name: "t"}, {Name: "q1"}}, [][]float64{time, q}, nil)}
	segments, dropped, err := Segments(0, &run, []string{"t", "q1"}, false)
	if err != nil || dropped != 0 || len(segments) != 1 {
		t.Fatal(len(segments), dropped, err)
	}
	logged := Source{Run: &run, Segment: &segments[0], Layout: NewLayout(&run, Choice{}), Plan: Plan{Core: 130, Overlap: 17}}
	held := logged
	held.Samples = [][]float64{q, q}
	read := func(s Source, workers int) (chunks []string) {
		err := Pass(context.Background(), []Source{s}, workers, func(_ int, c *Chunk) (string, error) {
			return fmt.Sprint(c.Index, c.Start, c.First, c.Last, c.Columns), nil
		}, func(s string) error { chunks = append(chunks, s); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return chunks
	}
	want := read(logged, 1)
	if len(want) != 8 {
		t.Fatalf("%d chunks of %d samples", len(want), n)
	}
	for _, workers := range []int{1, 3} {
		if got := read(held, workers); !slices.Equal(got, want) {
			t.Errorf("chunks in memory differ from those of the log on %d workers", workers)
		}
	}
	if c := held.Whole(); c.Own() != n || !slices.Equal(c.Columns[0], q) || &c.Columns[0][0] == &q[0] {
		t.Error("the whole segment is not a copy of its samples")
	}
}
