package rowlist

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type clock struct{ start, step float64 }

func (c clock) At(row int) float64 { return c.start + float64(row)*c.step }

// Rows of stamps since 1970 have the times of the same rows of a clock that starts at zero.
func TestTimesCountFromTheFirstRow(t *testing.T) {
	rows := []int{100, 101, 102}
	want := "rows 101 (t = 0.5 s), 102 (t = 0.505 s), 103 (t = 0.51 s)"
	for _, start := range []float64{0, 12.5, 1763000000} {
		if got := Place(rows, 3, clock{start, 0.005}); got != want {
			t.Errorf("from %g s on: %s, want %s", start, got, want)
		}
	}
}

// Spans have the times that Place names; rows without a time have none.
func TestSpansAreThoseOfPlace(t *testing.T) {
	rows := []int{100, 101, 102, 103, 104}
	l := Of(rows)
	if l.Place(clock{5, 0.25}) != Place(rows[:4], 5, clock{5, 0.25}) {
		t.Error("Of is another list")
	}
	if got := l.Spans(clock{5, 0.25}); len(got) != 4 || got[0] != [2]float64{25, 25} || got[3] != [2]float64{25.75, 25.75} {
		t.Errorf("spans %v", got)
	}
	if got := l.Spans(clock{5, math.NaN()}); got != nil {
		t.Errorf("spans of no times: %v", got)
	}
}

// Different rows of any log have different times.
func TestTimesTellRowsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clock{rapid.Float64Range(0, 2e9).Draw(t, "start"), rapid.Float64Range(1e-5, 0.5).Draw(t, "interval")}
		row := rapid.IntRange(0, 1<<20).Draw(t, "row")
		parts := strings.Split(Place([]int{row, row + 1}, 2, c), "t = ")
		if strings.Fields(parts[1])[0] == strings.Fields(parts[2])[0] {
			t.Fatalf("rows %d and %d of %v have one time", row+1, row+2, c)
		}
	})
}
