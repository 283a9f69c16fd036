package excite

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
)

// waves is a motion of n joints with two harmonics.
func waves(rng *rand.Rand, n int, period float64) *Trajectory {
	tr := &Trajectory{Period: period, Q0: make([]float64, n)}
	coefficient := func() float64 { return 0.3 * rng.NormFloat64() } // rad/s or m/s
	for i := range n {
		tr.Q0[i] = rng.NormFloat64()
		tr.A, tr.B = append(tr.A, []float64{coefficient(), coefficient()}), append(tr.B, []float64{coefficient(), coefficient()})
	}
	return tr
}

// everyPair is all pairs of bodies, one a link, and of bodies and a half-space.
func everyPair(f *kinematics.Tree, rng *rand.Rand, clearance float64) *separation {
	var bodies []Capsule
	var pairs []bodyPair
	vec := func() [3]float64 {
		return [3]float64{0.3 * rng.NormFloat64(), 0.3 * rng.NormFloat64(), 0.3 * rng.NormFloat64()}
	}
	wall := &KeepOut{Normal: vec(), Offset: -5}
	for j := -1; j < len(f.Links()); j++ {
		for k := range bodies {
			pairs = append(pairs, bodyPair{a: len(bodies), b: k})
		}
		pairs = append(pairs, bodyPair{a: len(bodies), b: -1, out: wall})
		bodies = append(bodies, Capsule{Link: j, A: vec(), B: vec(), Radius: 0.02})
	}
	return newSeparation(f, bodies, pairs, clearance, make([]float64, len(pairs)))
}

// The proven least distance of each pair is at most that at any moment, tried four times as often as the final check
// samples, and no more than half a step's way at the speed of approach below it: of the step of 10 kHz where the pair keeps
// its clearance, of the thinner grid where it does not. The nearest moment is within an eighth of a step of those tried;
// 1e-12 m are left for the rounding of positions, 1e-15 of some metres a link.
func TestProofOfDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r := testrobot.Random(rng, rapid.IntRange(2, 6).Draw(t, "links"), true)
		f := treeOf(r)
		m := waves(rng, f.DOF(), 0.06)
		c := everyPair(f, rng, rapid.SampledFrom([]float64{0, 0.05, 0.3}).Draw(t, "clearance"))
		times := checkTimes(m)
		b := &motionBounds{motion: m, step: step(times), robot: r}
		b.reach = func(k int) float64 { return math.Abs(m.Q0[k]) + m.Period*m.Bound(k, 1) }
		b.links = boundLinks(f, r.Gravity, m, b.reach)
		got := sweep(c.clone(), b, times)
		fine := steps(4*len(times), m.Period, 0)
		q, dq, ddq := grid(f.DOF(), len(fine)), grid(f.DOF(), len(fine)), grid(f.DOF(), len(fine))
		sampleAt(m, fine, q, dq, ddq)
		nearest := make([]float64, len(c.pairs))
		for i := range nearest {
			nearest[i] = math.Inf(1)
		}
		for s := range fine {
			c.p.Place(q, nil, s)
			c.in.set(c.p)
			for i := range c.pairs {
				d, _, _, _ := c.pairs[i].distance(c.in)
				nearest[i] = min(nearest[i], d)
			}
		}
		thin, _ := c.grid(b, times)
		for i, g := range c.bounds(b) {
			h := b.step
			if nearest[i] < c.clearance || g.radii < 0 {
				h = thin.step
			}
			least := nearest[i] - (h/2+b.step/8)*g.speed - 1e-12
			if !(got[i].Value <= nearest[i]+1e-12 && got[i].Value >= least) {
				t.Fatalf("pair %d: proven %.9g m, %.9g at the samples, want %.9g at least", i, got[i].Value, nearest[i], least)
			}
		}
	})
}

// A distance that is a little less than permitted is bounded about as well as one that is permitted: the tightening that
// follows from it takes the search micrometres away, not centimetres. The bounds of 0.3·10⁻⁴ m and less differ by the
// square of the speed over 0.12 m, twice, for 10⁻⁶ m.
func TestBoundBelowTheClearance(t *testing.T) {
	const h, clearance = 0.002, 0.02
	g := gapBounds{speed: 3, acceleration: 20, radii: 0.1}
	kept, missed := g.below(clearance, clearance, h), g.below(clearance-1e-6, clearance, h)
	if !(missed >= kept && missed-kept <= h*h/8*g.speed*g.speed/(0.1*0.1)*1e-6) || kept > 0.1*h/2*g.speed {
		t.Errorf("%g m below a distance that is kept, %g m below one that is not", kept, missed)
	}
}

// Axes that are said to be beyond a distance are: for random ones, half of them short, to the rounding of the nearest points.
// Parallel axes side by side and axes in line are told at their distance.
func TestAxesBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	told := 0
	for trial := range 20000 {
		var ends [4]spatial.Vec
		for i := range ends {
			for k := range 3 {
				ends[i][k] = rng.NormFloat64()
			}
		}
		if trial%2 == 0 {
			ends[1] = spatial.AddScaled(ends[0], 0.2, ends[1])
			ends[3] = spatial.AddScaled(ends[2], 0.2, ends[3])
		}
		a, b := [2]spatial.Vec{ends[0], ends[1]}, [2]spatial.Vec{ends[2], ends[3]}
		s, u := nearestOfSegments(a[0], a[1], b[0], b[1])
		gap := spatial.Norm(spatial.Sub(spatial.AddScaled(a[0], s, spatial.Sub(a[1], a[0])), spatial.AddScaled(b[0], u, spatial.Sub(b[1], b[0]))))
		if d := 2*rng.Float64() - 0.2; axesBeyond(&a, &b, d) {
			told++
			if gap < d-1e-12 {
				t.Fatalf("axes %v, %v: beyond %g, but %g away", a, b, d, gap)
			}
		}
	}
	if told < 5000 {
		t.Errorf("%d of 20000 axes are told to be beyond", told)
	}
	for _, b := range [][2]spatial.Vec{{{0, 1, 0}, {1, 1, 0}}, {{2, 0, 0}, {3, 0, 0}}} {
		if a := (&[2]spatial.Vec{{0, 0, 0}, {1, 0, 0}}); !axesBeyond(a, &b, 0.999) || axesBeyond(a, &b, 1.001) {
			t.Errorf("axes a metre away: %v and %v", a, b)
		}
	}
}
