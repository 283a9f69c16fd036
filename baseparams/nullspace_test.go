package baseparams

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// anyRobot draws a random tree, generic or full of coincidences.
func anyRobot(t *rapid.T, largest int) *robot.Robot {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
	n := rapid.IntRange(1, largest).Draw(t, "links")
	if rapid.Bool().Draw(t, "special") {
		return testrobot.RandomSpecial(rng, n, true)
	}
	return testrobot.Random(rng, n, true)
}

// anyTerms draws a set of terms.
func anyTerms(t *rapid.T) []regressor.Term {
	switch rapid.IntRange(0, 3).Draw(t, "terms") {
	case 0:
		return []regressor.Term{regressor.Links}
	case 1:
		return []regressor.Term{regressor.Links, regressor.Ia}
	case 2:
		return []regressor.Term{regressor.Ia, regressor.Fo}
	}
	return regressor.DefaultTerms()
}

// sameSet compares two sets of one model. Rounding, as large as the largest part
// that was dropped, is divided by the smallest pivot in the coefficients, which is
// 1/Gap: two axes that are parallel to 1e-4 leave eight digits. Below clearGap
// either decision may stand, and both sets say so. m is the model of their columns.
func sameSet(t *rapid.T, m *regressor.Model, a, b *Set) {
	t.Helper()
	gap := min(a.Gap, b.Gap)
	if gap < clearGap {
		return
	}
	if !slices.Equal(a.Base, b.Base) || !slices.Equal(a.Zero, b.Zero) {
		t.Fatalf("%s keeps %v, %s keeps %v; without effect %v and %v (gaps %.3g, %.3g)", a.Method, a.Names(), b.Method, b.Names(), a.Zero, b.Zero, a.Gap, b.Gap)
	}
	size := make([]float64, len(a.Columns)) // of the columns: QR tells what is small of unit columns
	for c, rows := range fullRows(m, 5) {
		size[c] = norm(rows)
	}
	for k := range a.Beta {
		for d, v := range a.Beta[k] {
			unit := max(1, size[a.Dependent[d]]/size[a.Base[k]])
			if w := b.Beta[k][d]; math.Abs(v-w) > max(1e-8, 1/gap)*(unit+math.Abs(v)) {
				t.Fatalf("%s: coefficient of %s is %.12g by %s and %.12g by %s (gaps %.3g, %.3g)", a.Name(k), a.Columns[a.Dependent[d]].Name, v, a.Method, w, b.Method, a.Gap, b.Gap)
			}
		}
	}
}

// The structure and random states find the same set, with the same numbers.
func TestNullSpaceIsQR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, terms := anyRobot(t, 8), anyTerms(t)
		if len(r.Moving()) == 0 {
			return
		}
		null, err := NullSpace(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := regressor.NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		sameSet(t, m, null, QR(m, Options{}))
	})
}

// Drives that joints share, on one branch or on two.
func TestNullSpaceWithSharedDrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRobot(t, 7)
		moving := r.Moving()
		if len(moving) == 0 {
			return
		}
		for range rapid.IntRange(1, 3).Draw(t, "drives") {
			d := robot.Drive{Weights: map[int]float64{}}
			for range rapid.IntRange(1, 3).Draw(t, "joints") {
				j := moving[rapid.IntRange(0, len(moving)-1).Draw(t, "joint")]
				d.Weights[j] = float64(rapid.IntRange(-2, 2).Draw(t, "weight"))
				d.Number = max(d.Number, j)
			}
			r.Drives = append(r.Drives, d)
		}
		terms := anyTerms(t)
		null, err := NullSpace(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := regressor.NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		sameSet(t, m, null, QR(m, Options{}))
	})
}

func TestNullSpaceRefuses(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 4, false)
	r.Mimics = []robot.Mimic{{Joint: 2, Of: 0, Multiplier: 1}}
	_, err := NullSpace(r, regressor.DefaultTerms(), Options{})
	var no *NotApplicableError
	if !errors.As(err, &no) || no.Method != "null space" {
		t.Errorf("mimic joint: %v", err)
	}
	r.Mimics = nil
	r.Drives = []robot.Drive{{Number: 1, Weights: map[int]float64{1: 1, 2: 1}}}
	if _, err = NullSpace(r, regressor.DefaultTerms(), Options{}); !errors.As(err, &no) {
		t.Errorf("drive numbered before its joints: %v", err)
	}
}

func BenchmarkNullSpace7(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 7)), 7, false)
	for b.Loop() {
		if _, err := NullSpace(r, []regressor.Term{regressor.Links}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNullSpace30(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 7)), 30, false)
	for b.Loop() {
		if _, err := NullSpace(r, []regressor.Term{regressor.Links, regressor.Ia}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
