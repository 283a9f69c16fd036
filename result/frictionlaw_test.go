package result

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/regressor"
)

func drawFrictionLaw(t *rapid.T) FrictionLaw {
	v := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
	stribeck := v("v", 0.01, 1)
	return FrictionLaw{Viscous: v("Fv", 0, 5), Dry: v("Fs", 0, 5), Further: []FrictionPart{
		further(regressor.Asymmetric, 0, v("Fvp", 0, 2), 0), further(regressor.Asymmetric, 1, v("Fvn", 0, 2), 0),
		further(regressor.Asymmetric, 2, v("Fsp", 0, 2), 0), further(regressor.Asymmetric, 3, v("Fsn", 0, 2), 0),
		further(regressor.Quadratic, 0, v("Fq", -3, 1), 0), further(regressor.Stribeck, 0, v("Fst", -2, 3), stribeck)}}
}

// further returns the part of a law for a parameter of a term.
func further(t regressor.Term, param int, value, stribeck float64) FrictionPart {
	return FrictionPart{Name: string(t), Value: value, Torque: regressor.Column{Term: t, Param: param}.Sliding(stribeck)}
}

// frictionDistance is the mean square of the difference, by Simpson's rule in u with ṡ = V·u².
func frictionDistance(l FrictionLaw, fv, fs, speed float64) float64 {
	const n = 4000
	sum := 0.0
	for i := range n + 1 {
		u := float64(i) / n
		w := 4.0
		switch {
		case i == 0 || i == n:
			w = 1
		case i%2 == 0:
			w = 2
		}
		rate := speed * u * u
		if rate == 0 {
			continue // its weight u is zero
		}
		up, down := l.Torque(rate)-fv*rate-fs, l.Torque(-rate)+fv*rate+fs
		sum += w * u * (up*up + down*down)
	}
	return sum / (3 * n)
}

// No other pair that is possible is nearer, and the stated distance is that of an integration of another order.
func TestNearestIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, speed := drawFrictionLaw(t), rapid.Float64Range(0.1, 10).Draw(t, "V")
		got := l.Nearest(speed)
		best := frictionDistance(l, got.Fv, got.Fs, speed)
		// Stribeck friction changes over u = √(v/V) > 0.03, more than a hundred steps of either rule: both have four digits of a torque
		// that is up to 10 + 10·V + 3·V² in size.
		size := 10 + 10*speed + 3*speed*speed
		if math.Abs(math.Sqrt(best)-got.RMS) > 1e-4*size {
			t.Fatalf("rms %.8g, %.8g by Simpson", got.RMS, math.Sqrt(best))
		}
		if got.Fv < 0 || got.Fs < 0 || got.RMS > got.Largest*(1+1e-12) {
			t.Fatalf("%+v", got)
		}
		for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}} {
			// A step of a thousandth of the size adds its square at a minimum, and takes 1e-8 of the size's square away at most, by rounding of the sums.
			fv, fs := max(0, got.Fv+1e-3*size/speed*d[0]), max(0, got.Fs+1e-3*size*d[1])
			if other := frictionDistance(l, fv, fs, speed); other < best-1e-8*size*size {
				t.Fatalf("Fv %g, Fs %g is at %g, Fv %g, Fs %g at %g", got.Fv, got.Fs, best, fv, fs, other)
			}
		}
	})
}

// Worked by hand: asymmetric friction has the mean of the directions, and half their difference is left over; of ṡ² over [0, 1]
// the line ṡ − 1/6 leaves 1/√180.
func TestNearestWorked(t *testing.T) {
	for _, c := range []struct {
		law  FrictionLaw
		want string
	}{
		{FrictionLaw{Viscous: 0.3, Dry: 1.7}, "0.3000 1.7000 0.0000 0.0000"},
		{FrictionLaw{Further: []FrictionPart{further(regressor.Asymmetric, 2, 3, 0), further(regressor.Asymmetric, 3, 2, 0)}}, "0.0000 2.5000 0.5000 0.5000"},
		{FrictionLaw{Dry: 1, Further: []FrictionPart{further(regressor.Quadratic, 0, 1, 0)}}, fmt.Sprintf("1.0000 0.8333 %.4f 0.1667", 1/math.Sqrt(180))},
		{FrictionLaw{Dry: -1, Viscous: 4}, "4.0000 -1.0000 0.0000 0.0000"}, // as identified, and said elsewhere
		{FrictionLaw{Further: []FrictionPart{further(regressor.Quadratic, 0, 1, 0)}}, fmt.Sprintf("0.7500 0.0000 %.4f 0.2500", math.Sqrt(1.0/80))},
	} {
		f := c.law.Nearest(1)
		if got := fmt.Sprintf("%.4f %.4f %.4f %.4f", f.Fv, f.Fs, f.RMS, f.Largest); got != c.want {
			t.Errorf("%+v: %s, want %s", c.law, got, c.want)
		}
	}
}

func ExampleFrictionLaw_Nearest() {
	// Friction that is higher near rest: 0.5 N·m more, gone above 0.2 rad/s.
	law := FrictionLaw{Viscous: 2, Dry: 1, Further: []FrictionPart{{Value: 0.5, Torque: regressor.Column{Term: regressor.Stribeck}.Sliding(0.1)}}}
	f := law.Nearest(1)
	fmt.Printf("damping %.2f, friction %.2f, off by %.2f N·m rms and %.2f at most\n", f.Fv, f.Fs, f.RMS, f.Largest)
	// Output: damping 1.76, friction 1.16, off by 0.10 N·m rms and 0.34 at most
}
