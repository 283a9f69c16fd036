package shapes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"ident/internal/spatial"
	"ident/robot"
)

// revolution integrates a solid of revolution about z disc by disc, at a density of one. r² is a polynomial of z
// on each piece, of the second degree at most, so that all integrands have degree four at most and rules of five points
// are exact.
func revolution(square func(z float64) float64, cuts ...float64) Unit {
	over := func(f func(z float64) float64) (sum float64) {
		for i := 1; i < len(cuts); i++ {
			if cuts[i] > cuts[i-1] {
				sum += quad.Fixed(f, cuts[i-1], cuts[i], 5, quad.Legendre{}, 0)
			}
		}
		return sum
	}
	v := over(func(z float64) float64 { return math.Pi * square(z) })
	height := over(func(z float64) float64 { return math.Pi * square(z) * z }) / v
	along := over(func(z float64) float64 { return math.Pi * square(z) * square(z) / 2 })
	across := along/2 + over(func(z float64) float64 { return math.Pi * square(z) * (z - height) * (z - height) })
	return Unit{v, height, [3]float64{across, across, along}}
}

// Closed forms are the integrals over discs. Both are sums of positive terms of like size, but for hollows and
// the transport to the centroid, which cancel at most (R/(R−r))² and (l/r)²: sizes are drawn so that these
// stay below 1e4, and the bound is that times 1e-15 and ten operations.
func TestSolidsOfRevolution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.01, 0.3).Draw(t, "radius")
		inner := r * rapid.Float64Range(0, 0.97).Draw(t, "inner")
		top := r * rapid.Float64Range(0, 1).Draw(t, "top")
		l := r * rapid.Float64Range(0.1, 30).Draw(t, "length")
		for _, c := range []struct {
			solid Solid
			want  Unit
		}{
			{Cylinder{r, l}, revolution(func(float64) float64 { return r * r }, -l/2, l/2)},
			{Tube{r, inner, l}, revolution(func(float64) float64 { return r*r - inner*inner }, -l/2, l/2)},
			{Sphere{r}, revolution(func(z float64) float64 { return r*r - z*z }, -r, r)},
			{Capsule{r, l}, revolution(func(z float64) float64 {
				over := math.Max(0, math.Abs(z)-l/2)
				return r*r - over*over
			}, -l/2-r, -l/2, l/2, l/2+r)},
			{Frustum{r, top, l}, revolution(func(z float64) float64 {
				at := r + (top-r)*(z/l+0.5)
				return at * at
			}, -l/2, l/2)},
		} {
			if err := c.solid.Check(); err != nil {
				t.Fatal(err)
			}
			got := c.solid.Unit()
			if _, hollow := c.solid.(Tube); hollow { // its discs are rings: ∫r⁴ is not the square of ∫r²
				c.want.Moments[2] = got.Volume * (r*r + inner*inner) / 2
				c.want.Moments[0] = c.want.Moments[2]/2 + got.Volume*l*l/12
				c.want.Moments[1] = c.want.Moments[0]
			}
			near := func(name string, a, b, scale float64) {
				if !(math.Abs(a-b) <= 1e-10*scale) {
					t.Errorf("%s of %#v: %.17g, by discs %.17g", name, c.solid, a, b)
				}
			}
			near("volume", got.Volume, c.want.Volume, c.want.Volume)
			near("centroid", got.Height, c.want.Height, l)
			for i := range 3 {
				near("moment", got.Moments[i], c.want.Moments[i], c.want.Moments[i])
			}
		}
	})
}

// A body cut into parts has the parameters of the whole: the two halves of a box, wherever it lies, a rectangular tube
// and the box in it, a cone and the frustum below its tip.
func TestPartsOfAWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) float64 { return rapid.Float64Range(0.02, 1).Draw(t, name) }
		x, y, z := size("x"), size("y"), size("z")
		at := robot.Transform{R: spatial.Mul(spatial.RotZ(size("yaw")), spatial.RotX(size("roll"))), P: [3]float64{size("a"), -size("b"), size("c")}}
		moved := func(p [3]float64) robot.Transform { return at.Mul(robot.Transform{R: spatial.Eye(), P: p}) }
		cut := rapid.Float64Range(0.05, 0.95).Draw(t, "cut")
		wall := math.Min(x, y) * rapid.Float64Range(0.05, 0.45).Draw(t, "wall")
		for _, c := range []struct {
			whole Part
			parts []Part
		}{
			{Part{Box{x, y, z}, at, 2700, 0}, []Part{
				{Box{cut * x, y, z}, moved([3]float64{(cut - 1) * x / 2}), 2700, 0},
				{Box{(1 - cut) * x, y, z}, moved([3]float64{cut * x / 2}), 2700, 0}}},
			{Part{Box{x, y, z}, at, 1000, 0}, []Part{
				{RectangularTube{x, y, wall, z}, at, 1000, 0}, {Box{x - 2*wall, y - 2*wall, z}, at, 1000, 0}}},
			{Part{Frustum{x, 0, z}, at, 1000, 0}, []Part{
				{Frustum{x, x * (1 - cut), z * cut}, moved([3]float64{0, 0, z * (cut - 1) / 2}), 1000, 0},
				{Frustum{x * (1 - cut), 0, z * (1 - cut)}, moved([3]float64{0, 0, z * cut / 2}), 1000, 0}}},
			{Part{Cylinder{x, z}, at, 1000, 0}, []Part{{Frustum{x, x, z}, at, 1000, 0}}},
		} {
			whole, err := c.whole.Inertial()
			if err != nil {
				t.Fatal(err)
			}
			sum, err := Inertial(c.parts)
			if err != nil {
				t.Fatal(err)
			}
			// About the link's origin all is of the size m(|c| + size)² at most: rounding of some fifty operations.
			scale := whole.Mass() * 16
			for k := range whole {
				if !(math.Abs(whole[k]-sum[k]) <= 1e-13*scale) {
					t.Errorf("%s of %#v: %.17g, by parts %.17g", robot.InertialNames[k], c.whole.Solid, whole[k], sum[k])
				}
			}
		}
	})
}

// Two steel guides of 1.14 m with a piston of 3.07 kg (Vukobratović and Potkonjak 1985, section 5.4, Example 2) have
// 25.5, 35.46 and 15.72 kg with the sections that are printed.
func TestPublishedGuides(t *testing.T) {
	for _, c := range []struct{ outer, inner, want, printed, digit float64 }{
		{0.02, 0, 25.5613, 25.5, 0.1}, {0.024, 0, 35.4575, 35.46, 0.01}, {0.025, 0.02, 15.7214, 15.72, 0.01},
	} {
		guide := Tube{c.outer, c.inner, 1.14}
		sum, err := Inertial([]Part{{guide, robot.Identity(), 7850, 0}, {guide, robot.Identity(), 7850, 0}, {Point{}, robot.Identity(), 0, 3.07}})
		if err != nil {
			t.Fatal(err)
		}
		if m := sum.Mass(); math.Abs(m-c.want) > 5e-5 || math.Abs(m-c.printed) > c.digit {
			t.Errorf("R = %g, r = %g: %.4f kg, want %.4f (printed %g)", c.outer, c.inner, m, c.want, c.printed)
		}
	}
	// A mass instead of a density.
	heavy, _ := Part{Solid: Tube{0.02, 0.015, 1}, At: robot.Identity(), Mass: 1.484403}.Inertial()
	dense, _ := Part{Solid: Tube{0.02, 0.015, 1}, At: robot.Identity(), Density: 2700}.Inertial()
	for k := range heavy {
		if math.Abs(heavy[k]-dense[k]) > 1e-6*math.Abs(dense[k]) {
			t.Errorf("%s: %g by mass, %g by density", robot.InertialNames[k], heavy[k], dense[k])
		}
	}
}
