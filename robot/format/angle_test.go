package format

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/expression"
)

func TestSincosIsExactAtTwelfths(t *testing.T) {
	for k := -100; k <= 100; k++ {
		a := float64(k) * math.Pi / 12
		s, c := angles.Sincos(a)
		ws, wc := math.Sincos(a)
		if math.Abs(s-ws) > 1e-13 || math.Abs(c-wc) > 1e-13 {
			t.Fatalf("%dπ/12: %g %g, want %g %g", k, s, c, ws, wc)
		}
		if k%6 == 0 && (s != math.Round(s) || c != math.Round(c) || math.Signbit(s) && s == 0) {
			t.Errorf("%dπ/12: %g %g is not exact", k, s, c)
		}
		if v, text := angles.Snap(a + 9e-6); v != a || text == "" {
			t.Errorf("%g is not snapped: %g %q", a+9e-6, v, text)
		}
		if v, text := angles.Snap(a + 1.1e-5); v != a+1.1e-5 || text != "" {
			t.Errorf("%g is snapped: %g %q", a+1.1e-5, v, text)
		}
		e, err := expression.Parse(robot.AngleText(a))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Eval(nil); math.Abs(got-a) > 1e-14 {
			t.Errorf("%s is %g, want %g", robot.AngleText(a), got, a)
		}
	}
}

func TestAlignedFrames(t *testing.T) {
	// Columns are the axes x_j, y_j, z_j in the link's own axes.
	x, y, z := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}
	neg := func(v [3]float64) [3]float64 { return [3]float64{0 - v[0], 0 - v[1], 0 - v[2]} }
	for axis, want := range map[[3]float64][3][3]float64{
		z: {x, y, z}, x: {y, z, x}, y: {z, x, y},
		neg(z): {x, neg(y), neg(z)}, neg(x): {y, neg(z), neg(x)}, neg(y): {z, neg(x), neg(y)},
	} {
		if got := spatial.Transpose(angles.AlignZ(axis)); got != want {
			t.Errorf("axis %v: axes %v, want %v", axis, got, want)
		}
	}
	// Beside the downward axis by less than the smallest number of full precision.
	near := [3]float64{9.77579636319875e-310, 3.73305447401286e-310, -1}
	if r := angles.AlignZ(near); !assembly.NearRotation(spatial.Mul(r, spatial.Transpose(r)), spatial.Eye()) {
		t.Errorf("%v: %v is no rotation", near, r)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := drawVec(t, "axis", 1)
		if rapid.Bool().Draw(t, "below") {
			v = [3]float64{v[0] * 1e-160, v[1] * 1e-9, -1}
		}
		a, _, err := assembly.UnitAxis(v, false)
		if err != nil {
			t.Skip("no direction")
		}
		r := angles.AlignZ(a)
		if !assembly.NearRotation(spatial.Mul(r, spatial.Transpose(r)), spatial.Eye()) {
			t.Fatalf("%v: %v is no rotation", a, r)
		}
		if d := spatial.Norm(spatial.Sub(spatial.MulVec(r, z), a)); d > 1e-15 {
			t.Fatalf("%v: z goes to %v", a, spatial.MulVec(r, z))
		}
	})
}

func TestRollPitchYawRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rpy := drawVec(t, "rpy", 3)
		if rapid.Bool().Draw(t, "gimbal") {
			rpy[1] = math.Copysign(math.Pi/2, rpy[1]) + rapid.SampledFrom([]float64{0, 1e-15, 1e-10, 1e-5}).Draw(t, "off")
		}
		r := angles.RPYRotation(rpy)
		if back := angles.RPYRotation(angles.RotationRPY(r)); !assembly.NearRotation(back, r) {
			t.Fatalf("%v: %v, want %v", rpy, back, r)
		}
	})
}
