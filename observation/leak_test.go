package observation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/datasets"
)

// recorded returns a run of a log of its own with random positions and torques.
func recorded(name string, rows int, seed uint64) Run {
	rng := rand.New(rand.NewPCG(seed, 7))
	cols := make([][]float64, 3)
	for c := range cols {
		for range rows {
			cols[c] = append(cols[c], rng.NormFloat64())
		}
	}
	log := datasets.FromColumns(name, []datasets.Channel{{Name: "q"}, {Name: "tau"}, {Name: "i"}}, cols, nil)
	return Run{Name: name, Last: rows, Log: log, Roles: datasets.Roles{Q: []string{"q"}, Tau: []string{"tau"}, Current: []string{"i"}}}
}

// Runs keep their fingerprints if nothing has changed that they are taken of; otherwise they are taken again, and are those of a run
// that has none.
func TestKeptFingerprints(t *testing.T) {
	const n = 30_000 // more than are kept of a run
	for _, c := range []struct {
		name   string
		change func(runs []Run) []Run
		kept   bool
	}{
		{"nothing", func(r []Run) []Run { return slices.Clone(r) }, true},
		{"other gains", func(r []Run) []Run { r[0].Gains = []float64{4}; return r }, false},
		{"currents instead of torques", func(r []Run) []Run { r[0].Gains = []float64{1}; return r }, false},
		{"a part of the rows", func(r []Run) []Run { r[0].Log = r[0].Log.Slice(1, n); return r }, false},
		{"a longer run beside it", func(r []Run) []Run { return append(r, recorded("c", 2*n, 3)) }, false},
	} {
		runs := []Run{recorded("a", n, 1), recorded("b", n/2, 2)}
		if _, _, err := Leaks(t.Context(), runs, 2); err != nil {
			t.Fatal(err)
		}
		before := runs[0].prints
		runs = c.change(runs)
		successive, single, err := Leaks(t.Context(), runs, 2)
		if err != nil {
			t.Fatal(err)
		}
		if kept := runs[0].prints == before; kept != c.kept {
			t.Errorf("%s: kept %v", c.name, kept)
		}
		fresh := slices.Clone(runs)
		for i := range fresh {
			fresh[i].prints = nil
		}
		wantSuccessive, wantSingle, err := Leaks(t.Context(), fresh, 2)
		if err != nil || len(wantSuccessive[0]) != resultFingerprints || len(wantSingle[0]) != resultFingerprints {
			t.Fatalf("%s: %d and %d fingerprints, %v", c.name, len(wantSuccessive[0]), len(wantSingle[0]), err)
		}
		if fmt.Sprint(successive, single) != fmt.Sprint(wantSuccessive, wantSingle) {
			t.Errorf("%s: other fingerprints", c.name)
		}
	}
}

// A copy that appears behind others is found again by a second call, and the runs behind a copy are not read.
func TestCopyFoundBeforeOthersAreRead(t *testing.T) {
	a, other, copied := recorded("a", 3000, 1), recorded("other", 3000, 2), recorded("copy", 3000, 1)
	runs := []Run{a, copied, other}
	for range 2 {
		_, _, err := Leaks(t.Context(), runs, 3)
		var leak *LeakError
		if !errors.As(err, &leak) || leak.First != "a" || leak.Second != "copy" || !leak.Copied {
			t.Fatalf("%v", err)
		}
		if runs[2].prints != nil {
			t.Fatal("the run behind a copy was read")
		}
	}
	runs = []Run{a, other}
	if _, _, err := Leaks(t.Context(), runs, 2); err != nil {
		t.Fatal(err)
	}
	for _, training := range []int{2, 3} {
		if _, _, err := Leaks(t.Context(), append(slices.Clone(runs), copied), training); err == nil {
			t.Errorf("a copy behind runs that were compared is accepted, %d of them train", training)
		}
	}
}

// A comparison of the smallest fingerprints passes all pairs whose common part is that of a copy.
func TestMayBeRowsOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, m := rapid.IntRange(1, 4000).Draw(t, "rows"), rapid.IntRange(1, 4000).Draw(t, "others")
		part := rapid.Float64Range(0, 1).Draw(t, "common")
		a, b := make([]uint64, n), make([]uint64, m)
		for i := range a {
			a[i] = rng.Uint64()
		}
		for i := range b {
			if b[i] = rng.Uint64(); i < n && rng.Float64() < part {
				b[i] = a[i]
			}
		}
		slices.Sort(a)
		slices.Sort(b)
		if CommonPart(a, b) >= commonPart && !mayBeRowsOf(a, b) {
			t.Fatalf("%d and %d rows, %.2g of them common", n, m, CommonPart(a, b))
		}
	})
	a, b := make([]uint64, 4000), make([]uint64, 4000)
	for i := range a {
		a[i], b[i] = uint64(2*i)*(math.MaxUint64/8000), uint64(2*i+1)*(math.MaxUint64/8000)
	}
	if mayBeRowsOf(a, b) {
		t.Error("fingerprints without a common one may be those of a copy")
	}
}
