package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The envelope keeps each bin's lowest and highest sample, takes only samples of
// the curve, in their order, at most four a bin.
func TestEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		bins := rapid.IntRange(1, 40).Draw(t, "bins")
		seed := rapid.Uint64().Draw(t, "seed")
		ts, y := make([]float64, n), make([]float64, n)
		for k := range ts {
			ts[k] = float64(k)
			y[k] = math.Sin(float64(k)*float64(seed%97)/31) * float64(k%13)
		}
		cv := envelope(ts, y, 0, float64(n), bins)
		if len(cv) != 1 {
			t.Fatalf("%d pieces of an unbroken curve", len(cv))
		}
		if n > 3*bins && len(cv[0]) > 4*bins {
			t.Fatalf("%d points in %d bins", len(cv[0]), bins)
		}
		lo, hi := make(map[int]float64), make(map[int]float64)
		bin := func(x float64) int { return int(math.Floor(x * (float64(bins) / float64(n)))) }
		last := -1.0
		for _, p := range cv[0] {
			if p.x <= last || y[int(p.x)] != p.y {
				t.Fatalf("point %v is out of order or not a sample", p)
			}
			last = p.x
			b := bin(p.x)
			if v, ok := lo[b]; !ok || p.y < v {
				lo[b] = p.y
			}
			if v, ok := hi[b]; !ok || p.y > v {
				hi[b] = p.y
			}
		}
		for k, v := range y {
			if b := bin(ts[k]); v < lo[b] || v > hi[b] {
				t.Fatalf("sample %d (%g) outside its bin's envelope [%g, %g]", k, v, lo[b], hi[b])
			}
		}
	})
}

func TestEnvelopeLiftsPenAtNaN(t *testing.T) {
	ts, y := make([]float64, 1000), make([]float64, 1000)
	for k := range ts {
		ts[k] = float64(k)
	}
	y[500], y[700] = math.NaN(), math.Inf(1)
	for _, bins := range []int{10, 1000} {
		if cv := envelope(ts, y, 0, 1000, bins); len(cv) != 3 {
			t.Errorf("%d bins: %d pieces, want 3", bins, len(cv))
		}
	}
}

func TestShortPath(t *testing.T) {
	for in, want := range map[string]string{
		"M1.04,2L1.5,2.16L0,0Z": "M1,2l.5,.2-1.5-2.2Z",
		"M-0.3,0L-0.3,0":        "M-.3,0l0,0",
		"M10,20L13,20M5,5L6,6":  "M10,20l3,0M5,5l1,1",
	} {
		if got, ok := shortPath(in); !ok || got != want {
			t.Errorf("shortPath(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"M1,2A3,3 0 0 1 4,5", "M1", "Mx,y", "M1,1L2,2ZL3,3"} {
		if got, ok := shortPath(in); ok {
			t.Errorf("shortPath(%q) = %q, want it refused", in, got)
		}
	}
}

// Rounding must not add up along a path.
func TestShortPathStaysNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-900, 900), 4, 200).Draw(t, "xs")
		var b strings.Builder
		for i := 0; i+1 < len(xs); i += 2 {
			b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
			b.WriteString(strconv.FormatFloat(xs[i], 'g', 5, 64) + "," + strconv.FormatFloat(xs[i+1], 'g', 5, 64))
		}
		short, ok := shortPath(b.String())
		if !ok {
			t.Fatalf("refused %q", b.String())
		}
		head, tail, _ := strings.Cut(short[1:], "l")
		at := numbersOf(t, head)
		rel := numbersOf(t, tail)
		for i := 0; i < len(rel); i += 2 {
			at[0], at[1] = at[0]+rel[i], at[1]+rel[i+1]
			if math.Abs(at[0]-xs[i+2]) > 0.06 || math.Abs(at[1]-xs[i+3]) > 0.06 {
				t.Fatalf("point %d is (%g, %g), want (%g, %g)", i/2+1, at[0], at[1], xs[i+2], xs[i+3])
			}
		}
	})
}

// numbersOf reads path numbers, which a comma or a sign separates.
func numbersOf(t *rapid.T, s string) []float64 {
	var out []float64
	for _, w := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(s, ",", " "), "-", " -")) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
