package datasets

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"ident/internal/long"
)

// flippable writes a log of noise, which does not compress, of digits and of a steady value, in two row groups or batches.
func flippable(t testing.TB, name string, rows int) []byte {
	t.Helper()
	channels := []Channel{{Name: "t", Unit: "s"}, {Name: "noise", Unit: "rad"}, {Name: "digits", Unit: "A"}, {Name: "steady", Unit: "K"}, {Name: "noise2", Unit: "N.m"}}
	rng := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, len(channels))
	for k := range rows {
		for i, v := range []float64{float64(k) / 1000, rng.NormFloat64(), math.Round(rng.NormFloat64() * 100), 293.15, rng.Float64()} {
			cols[i] = append(cols[i], v)
		}
	}
	var b bytes.Buffer
	err := Encode(&b, name, channels, map[string]string{"robot": "r", "note": "a note"}, func(w *Writer) error {
		for _, part := range [][2]int{{0, rows / 2}, {rows / 2, rows}} {
			var p [][]float64
			for _, c := range cols {
				p = append(p, c[part[0]:part[1]])
			}
			if err := w.Append(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unseen returns what a changed file says in silence: "" where it is refused or has the numbers of want.
func unseen(name string, data []byte, names []string, want [][]float64) string {
	l, err := OpenReader(bytes.NewReader(data), int64(len(data)), name, Options{})
	if err != nil {
		return ""
	}
	defer l.Close()
	for i, name := range names {
		got, err := l.Column(name)
		switch {
		case err != nil:
			continue
		case len(got) != len(want[i]):
			return fmt.Sprintf("%s has %d rows in place of %d", name, len(got), len(want[i]))
		case !slices.EqualFunc(got, want[i], same):
			return name + " has other numbers"
		}
	}
	return ""
}

// numbersOf reads all channels of a file.
func numbersOf(t testing.TB, name string, data []byte) ([]string, [][]float64) {
	t.Helper()
	l, err := OpenReader(bytes.NewReader(data), int64(len(data)), name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	return l.Names(), cols
}

// No bit of a Parquet or Arrow file of ours changes without an error, or a number changes.
func TestBitFlipsAreSeen(t *testing.T) {
	for _, name := range []string{"x.parquet", "x.arrow", "x.arrows"} {
		t.Run(name, func(t *testing.T) {
			good := flippable(t, name, 70_000)
			names, want := numbersOf(t, name, good)
			rng := rand.New(rand.NewPCG(3, uint64(len(name))))
			ends := 4096 // where the descriptions are
			for n := range long.Draws(600, 200, 15) {
				at := rng.IntN(len(good))
				switch {
				case n%3 == 1:
					at = rng.IntN(ends)
				case n%3 == 2:
					at = len(good) - 1 - rng.IntN(ends)
				}
				bit := byte(1) << rng.IntN(8)
				good[at] ^= bit
				if what := unseen(name, good, names, want); what != "" {
					t.Errorf("bit %#x of byte %d of %d: %s", bit, at, len(good), what)
				}
				good[at] ^= bit
			}
		})
	}
}

// IDENT_FLIPS=1 flips every bit of small files.
func TestEveryBitFlipIsSeen(t *testing.T) {
	if os.Getenv("IDENT_FLIPS") == "" {
		t.Skip("set IDENT_FLIPS=1: it takes minutes")
	}
	for _, name := range []string{"x.parquet", "x.arrow", "x.arrows"} {
		good := flippable(t, name, 40)
		names, want := numbersOf(t, name, good)
		seen := 0
		for at := range good {
			for bit := range 8 {
				good[at] ^= 1 << bit
				if what := unseen(name, good, names, want); what != "" {
					t.Errorf("%s: bit %d of byte %d of %d: %s", name, bit, at, len(good), what)
				}
				good[at] ^= 1 << bit
				seen++
			}
		}
		t.Logf("%s: %d bits flipped", name, seen)
	}
}
