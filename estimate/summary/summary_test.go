package summary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
)

// drawn is a summary of random rows: of a model of five columns and two joints.
func drawn(seed uint64, runs int) *Summary {
	rng := rand.New(rand.NewPCG(seed, 22))
	s := &Summary{
		Robot:      Robot{Name: "arm", Format: "yaml", SHA256: "5a", Text: "name: arm\n"},
		Model:      Model{Terms: []string{"links"}, Columns: []string{"ZZ1R", "ZZ2", "MX2", "Fa1", "Fa2"}, Base: 3, Masks: [][]int{{0, 1, 2, 3}, {1, 2, 4}}},
		Processing: Processing{Model: "dynamic", Path: observation.Path{Cutoff: 10, Velocity: "position"}, Rest: "auto", RestRange: []float64{1e-3, 1e-3}},
		Settings:   json.RawMessage(`{"gravity":[0,0,-9.81]}`),
	}
	shape := estimate.NewReduction(len(s.Model.Columns), s.Model.Masks)
	var work estimate.Work
	factors := func() []*estimate.Factor {
		b := shape.NewBlock(0)
		for k, mask := range s.Model.Masks {
			cols := make([][]float64, len(mask)+1)
			n := 1 + rng.IntN(12)
			for i := range cols {
				for range n {
					cols[i] = append(cols[i], rng.NormFloat64())
				}
			}
			b.Joints[k].Add(cols[:len(mask)], cols[len(mask)], &work)
		}
		return b.Joints
	}
	for i := range runs {
		r := Run{Name: fmt.Sprintf("log%d-%d.csv", seed, rng.IntN(3)), SHA256: fmt.Sprint(i), Last: 1000, Start: 100 * rng.Float64(), Absolute: rng.IntN(2) == 0, Seconds: 10, Rate: 100, Segments: 1}
		for range 64 {
			r.Prints = append(r.Prints, rng.Uint64())
		}
		slices.Sort(r.Prints)
		for range 1 + rng.IntN(70) {
			b := Block{Joints: factors(), State: []float64{rng.NormFloat64(), rng.NormFloat64()}}
			if rng.IntN(4) == 0 {
				b.AtRest = factors()
			}
			r.Blocks = append(r.Blocks, b)
		}
		s.Runs = append(s.Runs, r)
	}
	s, err := Merge(s)
	if err != nil {
		panic(err)
	}
	return s
}

func encoded(t interface{ Fatal(...any) }, s *Summary) []byte {
	var b bytes.Buffer
	if err := Encode(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decoded(b []byte) (*Summary, error) { return Decode(bytes.NewReader(b), int64(len(b))) }

func TestFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 3).Draw(t, "runs"))
		b := encoded(t, s)
		back, err := decoded(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Runs) == 0 {
			s.Runs, back.Runs = nil, nil
		}
		if !reflect.DeepEqual(s, back) {
			t.Fatalf("read %+v, written %+v", back, s)
		}
	})
}

// mergedAtRandom merges parts in a random order and grouping.
func mergedAtRandom(rng *rand.Rand, parts []*Summary) (*Summary, error) {
	parts = slices.Clone(parts)
	for len(parts) > 1 {
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		n := 2 + rng.IntN(len(parts)-1)
		m, err := Merge(parts[:n]...)
		if err != nil {
			return nil, err
		}
		parts = append(parts[n:], m)
	}
	return parts[0], nil
}

// Any order and grouping of merges gives the same bytes, and so does coarsening before, between or behind them.
func TestMergeIsOfAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var parts, coarse []*Summary
		for i := range rapid.IntRange(1, 6).Draw(t, "parts") {
			s := drawn(rng.Uint64()>>8+uint64(i), 1+rng.IntN(3))
			parts = append(parts, s)
			if rng.IntN(2) == 0 {
				s = s.Coarsen(40)
			}
			coarse = append(coarse, s)
		}
		all, err := Merge(parts...)
		if err != nil {
			t.Fatal(err)
		}
		want, short := encoded(t, all), encoded(t, all.Coarsen(20))
		for range long.Of(5, 1) {
			m, err := mergedAtRandom(rng, parts)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(encoded(t, m), want) {
				t.Fatal("another order gave other bytes")
			}
			if m, err = mergedAtRandom(rng, coarse); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(encoded(t, m.Coarsen(20)), short) {
				t.Fatal("coarsening does not commute with merging")
			}
		}
	})
}

// The factors of all rows have the same bits, however many blocks of a run were merged before.
func TestCoarsenKeepsBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(rapid.Uint64().Draw(t, "seed")>>8, rapid.IntRange(1, 4).Draw(t, "runs"))
		moving, _ := s.Reduction()
		coarse, _ := s.Coarsen(rapid.IntRange(1, 40).Draw(t, "most")).Reduction()
		var work estimate.Work
		for k := range s.Model.Masks {
			if f, g := moving.Joint(k, &work), coarse.Joint(k, &work); !reflect.DeepEqual(f, g) {
				t.Fatalf("equation %d of %d and %d blocks: %v and %v", k, len(moving.Blocks()), len(coarse.Blocks()), f, g)
			}
		}
	})
}

// One run instead of many has all their rows: the sums of squares of each column and of the measurement vector are those of all, to
// rounding of a sum of as many squares as there are rows, and it can be written.
func TestJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(rapid.Uint64().Draw(t, "seed")>>8, rapid.IntRange(1, 5).Draw(t, "runs"))
		most, prints := rapid.IntRange(1, 40).Draw(t, "most"), rapid.IntRange(1, 200).Draw(t, "prints")
		one := s.Joined("a day", most, prints)
		if r := one.Runs[0]; len(one.Runs) != 1 || len(r.Blocks) > most || len(r.Prints) != min(prints, 64*len(s.Runs)) || r.Last != 1000*len(s.Runs) {
			t.Fatalf("%d runs of %d blocks, %d fingerprints, %d rows", len(one.Runs), len(r.Blocks), len(r.Prints), r.Last)
		}
		if back, err := decoded(encoded(t, one)); err != nil || !reflect.DeepEqual(back, one) {
			t.Fatal("written and read:", err)
		}
		all := [2]*estimate.Reduction{}
		var rest [2]int
		for i, of := range []*Summary{s, one} {
			var still []estimate.TimeBlock
			all[i], still = of.Reduction()
			for _, b := range still {
				for _, f := range b.Joints {
					rest[i] += f.Rows
				}
			}
		}
		var work estimate.Work
		for k := range s.Model.Masks {
			f, g := all[0].Joint(k, &work), all[1].Joint(k, &work)
			if f.Rows != g.Rows || rest[0] != rest[1] {
				t.Fatalf("%d rows and %d at rest, before %d and %d", g.Rows, rest[1], f.Rows, rest[0])
			}
			near := func(a, b float64) {
				if !(math.Abs(a-b) <= 100*float64(f.Rows+f.N)*0x1p-52*math.Max(a, b)) {
					t.Fatalf("a sum of squares is %g, before %g", b, a)
				}
			}
			near(f.YY, g.YY)
			for j := range f.N {
				var a, b float64
				for i := 0; i <= j; i++ {
					a, b = a+f.R[i*f.N+j]*f.R[i*f.N+j], b+g.R[i*f.N+j]*g.R[i*f.N+j]
				}
				near(a, b)
			}
		}
	})
}

func TestMergeRefuses(t *testing.T) {
	a := drawn(1, 2)
	for part, change := range map[string]func(*Summary){
		"robot":       func(s *Summary) { s.Robot.SHA256 = "5b" },
		"signal path": func(s *Summary) { s.Processing.Cutoff = 12 },
		"model":       func(s *Summary) { s.Model.Terms = []string{"links", "Fv"} },
		"settings":    func(s *Summary) { s.Settings = json.RawMessage(`{"gravity":[0,0,9.81]}`) },
	} {
		b := drawn(2, 2)
		if _, err := Merge(a, b); err != nil {
			t.Fatal(err)
		}
		change(b)
		_, err := Merge(a, b)
		var d *DifferenceError
		if !errors.As(err, &d) || d.Part != part || len(d.Differences) != 1 {
			t.Errorf("another %s: %v", part, err)
		}
	}
	b := drawn(2, 2)
	copy(b.Runs[1].Prints, a.Runs[0].Prints[:leakPrints])
	var o *OverlapError
	if _, err := Merge(a, b); !errors.As(err, &o) || o.Prints != leakPrints {
		t.Errorf("common samples: %v", err)
	}
	if _, err := Merge(a, a.Coarsen(0)); !errors.As(err, &o) {
		t.Errorf("the same summary twice: %v", err)
	}
	if _, err := Merge(); !errors.Is(err, ErrNothing) {
		t.Errorf("no summary: %v", err)
	}
}

func TestVersions(t *testing.T) {
	b := encoded(t, drawn(3, 1))
	change := func(old, now string) []byte {
		if !bytes.Contains(b, []byte(old)) {
			t.Fatalf("the file lacks %s", old)
		}
		return bytes.Replace(b, []byte(old), []byte(now), 1) // of the same length
	}
	later := new(bytes.Buffer)
	if err := encodeAs(later, drawn(3, 1), func(head []byte) []byte {
		return bytes.Replace(head, []byte(`"major":1`), []byte(`"major":2`), 1)
	}); err != nil {
		t.Fatal(err)
	}
	var v *VersionError
	if _, err := decoded(later.Bytes()); !errors.As(err, &v) || v.Major != 2 {
		t.Errorf("a newer major version: %v", err)
	}
	if _, err := decoded(change(`"minor":0`, `"minor":7`)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a changed head: %v", err)
	}
	// A file of a newer minor version has fields that this one does not know.
	s, text := drawn(3, 1), new(bytes.Buffer)
	if err := encodeAs(text, s, func(head []byte) []byte {
		return bytes.Replace(head, []byte(`"minor":0`), []byte(`"minor":3,"later":{"x":[1]}`), 1)
	}); err != nil {
		t.Fatal(err)
	}
	back, err := decoded(text.Bytes())
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("a newer minor version: %v", err)
	}
}

// A file that was changed anywhere is told, or gives the same summary: only bytes that nothing is read from are without
// a check.
func TestDamage(t *testing.T) {
	s := drawn(4, 1)
	b := encoded(t, s)
	for at := 0; at < len(b); at += 1 + len(b)/long.Of(3000, 200) {
		c := slices.Clone(b)
		c[at] ^= 0x10
		if back, err := decoded(c); err == nil && !reflect.DeepEqual(back, s) {
			t.Fatalf("byte %d of %d changed: read without a word", at, len(b))
		}
	}
	for _, n := range []int{0, 7, 12, len(b) / 2, len(b) - 1} {
		if _, err := decoded(b[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, drawn(5, 1)))
	f.Add(encoded(f, drawn(6, 0)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := decoded(b)
		if err != nil {
			return
		}
		again, err := decoded(encoded(t, s))
		if err != nil || !reflect.DeepEqual(s.Runs, again.Runs) && len(s.Runs) > 0 {
			t.Fatalf("written again: %v", err)
		}
	})
}

// Logs measure their own rules of rest: near ones merge, under the widest, and far ones do not.
func TestMergeNearRest(t *testing.T) {
	a, b := drawn(2, 2), drawn(2, 2)
	a.Runs, b.Runs = a.Runs[:1], b.Runs[1:]
	a.Processing.RestRange, a.Processing.RestSeconds = []float64{1e-3, 2e-3}, []float64{0.05, 0.06}
	b.Processing.RestRange, b.Processing.RestSeconds = []float64{1e-3, 1.5e-3}, []float64{0.06, 0.05}
	for _, parts := range [][]*Summary{{a, b}, {b, a}} {
		m, err := Merge(parts...)
		if err != nil {
			t.Fatal(err)
		}
		if m.Processing.RestRange[1] != 2e-3 || m.Processing.RestSeconds[0] != 0.06 || m.Processing.RestSeconds[1] != 0.06 {
			t.Errorf("the rule is %v, %v", m.Processing.RestRange, m.Processing.RestSeconds)
		}
	}
	b.Processing.RestSeconds = []float64{0.2, 0.05}
	var d *DifferenceError
	if _, err := Merge(a, b); !errors.As(err, &d) {
		t.Errorf("rules that are far apart: %v", err)
	}
}
