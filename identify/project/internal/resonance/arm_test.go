package resonance_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"ident/identify/elastic"
	"ident/identify/project/internal/resonance"
	"ident/internal/long"
	"ident/internal/testrobot"
)

// sevenJoints is an arm with alternating axes, of which the joints given bend.
func sevenJoints(t testing.TB, elasticJoints ...int) *elastic.Machine {
	t.Helper()
	m, err := elastic.New(testrobot.SevenElastic(4000, 2, elasticJoints...))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The joint of an arm of seven that bends is told from the motors' positions, at the frequency of its spring along the motion. The
// inertia that the first two joints feel depends on more joints than the check knows, and they are not told. Of an arm whose joints
// all bend it tells the last, at one of the resonances of the arm.
func TestSevenJoints(t *testing.T) {
	long.Only(t, "seconds of simulation; TestFind has two joints")
	arms := [][]int{{4}}
	if os.Getenv("IDENT_LONG") != "" {
		arms = [][]int{{2}, {4}, {6}, {0, 1, 2, 3, 4, 5, 6}}
	}
	for _, bends := range arms {
		m := sevenJoints(t, bends...)
		law, err := m.Gains(2)
		if err != nil {
			t.Fatal(err)
		}
		if law.Dither, err = m.Shake(wave{}, 8); err != nil {
			t.Fatal(err)
		}
		rec, err := m.Simulate(t.Context(), wave{}, law, 500, 8)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(bends))))
		noisy := func(x []float64, sigma float64) []float64 {
			out := make([]float64, len(x))
			for k := range x {
				out[k] = x[k] + sigma*rng.NormFloat64()
			}
			return out
		}
		var q, tau [][]float64
		for i := range m.Links {
			drive := m.DriveOf(i)
			q, tau = append(q, noisy(rec.X[drive], 2e-6)), append(tau, noisy(rec.Tau[drive], 0.02))
		}
		found, ok, _ := resonance.Find(t.Context(), q, tau, 500)
		if want := bends[len(bends)-1]; !ok || found.Joint != want {
			t.Errorf("joints %d bend: found %+v, %v", bends, found, ok)
			continue
		}
		f, err := m.Described(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		drive := m.Robot.Links[found.Joint].Joint
		off := math.Inf(1)
		for k := 0; k < len(rec.T); k += 100 {
			x := make([]float64, m.Links)
			for i := range x {
				x[i] = rec.X[i][k]
			}
			var own []float64
			if len(bends) == 1 { // with the other joints held
				mass, err := m.InertiaMatrix(x)
				if err != nil {
					t.Fatal(err)
				}
				own = append(own, math.Sqrt(drive.Elasticity.Stiffness*(1/drive.Ia+1/mass[(m.Links+1)*found.Joint]))/(2*math.Pi))
			} else {
				modes, err := f.Modes(x)
				if err != nil {
					t.Fatal(err)
				}
				own = modes.Resonances
			}
			for _, hz := range own {
				off = math.Min(off, math.Abs(found.Frequency/hz-1))
			}
		}
		t.Logf("joints %d bend: joint %d at %.4g Hz, off by %.2g %%", bends, found.Joint, found.Frequency, 100*off)
		// As of two joints: one frequency stands for those along the motion, and the damping is left out.
		if off > 0.1 {
			t.Errorf("joints %d bend: %.4g Hz", bends, found.Frequency)
		}
	}
}
