package plant

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/robot"
)

// slide is a mass on a horizontal or inclined slide: its coordinate grows upwards by
// sin(slope) of the way.
func slide(mass, slope, fv, fs float64) *robot.Robot {
	r := robot.FromMDH("slide", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}})
	r.Gravity = [3]float64{-9.81 * math.Cos(slope), 0, -9.81 * math.Sin(slope)}
	r.Links[0].Inertial = robot.InertialFromCentral(mass, [3]float64{}, [3][3]float64{{1}, {0, 1}, {0, 0, 1}})
	r.Links[0].HasInertial = true
	r.Links[0].Joint.Fv, r.Links[0].Joint.Fs = fv, fs
	return r
}

// A mass thrown up an incline under Coulomb friction comes to rest after v/(g·sin + F/m)
// seconds; it stays there if friction holds its weight, else slides back.
func TestThrownMass(t *testing.T) {
	const mass, slope, v = 2.0, 0.3, 1.5
	weight := mass * 9.81 * math.Sin(slope)
	for _, c := range []struct {
		name  string
		fs    float64
		holds bool
	}{{"holds", 1.2 * weight, true}, {"slides back", 0.7 * weight, false}} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlant(t, slide(mass, slope, 0, c.fs), Options{})
			m := p.Start(0, []float64{0}, []float64{v})
			up := (weight + c.fs) / mass
			stop := v / up
			if err := m.Advance(t.Context(), stop+1, Constant{0}); err != nil {
				t.Fatal(err)
			}
			want := v * v / 2 / up
			if !c.holds {
				want -= 0.5 * (weight - c.fs) / mass
			}
			// Accelerations are constant, so that steps are exact and the moment of rest is known to
			// its search: 1e-13 m/s.
			if math.Abs(m.Q()[0]-want) > 1e-12 {
				t.Errorf("stands at %.15f m, want %.15f", m.Q()[0], want)
			}
			if c.holds != (m.DQ()[0] == 0) {
				t.Errorf("velocity %g m/s", m.DQ()[0])
			}
		})
	}
}

// A joint that sticks does not creep: after an hour under a torque that swings below the
// limit its position is the same to the last bit. The torque is held for a hundredth of
// a second, as a controller does.
func TestStickWithoutCreep(t *testing.T) {
	p := newPlant(t, slide(2, 0.3, 0.5, 8), Options{})
	start := 0.1234567
	m := p.Start(0, []float64{start}, []float64{0})
	for k := range 360000 {
		at := float64(k+1) / 100
		if err := m.Advance(t.Context(), at, Constant{5 + 7*math.Sin(at/3)}); err != nil { // 5.8 N less at most 7.8, of 8
			t.Fatal(err)
		}
	}
	if m.Q()[0] != start || m.DQ()[0] != 0 {
		t.Errorf("after %g s at %v m with %v m/s, began at %v", m.Time(), m.Q()[0], m.DQ()[0], start)
	}
	// A ramp breaks it loose where it passes friction and weight, and not before.
	limit := 2*9.81*math.Sin(0.3) + 8
	ramp := driveFunc(func(t float64, tau []float64) { tau[0] = t - 3600 })
	if err := m.Advance(t.Context(), 3600+limit-1e-6, ramp); err != nil {
		t.Fatal(err)
	}
	if m.Q()[0] != start {
		t.Error("broke loose before the torque passed the limit")
	}
	if err := m.Advance(t.Context(), 3600+limit+0.1, ramp); err != nil {
		t.Fatal(err)
	}
	if m.Q()[0] <= start {
		t.Error("did not break loose")
	}
}

type driveFunc func(t float64, tau []float64)

func (f driveFunc) Torque(t float64, _, _, tau []float64) { f(t, tau) }

// With Stribeck friction a mass that a spring pulls at constant speed sticks and slips; with
// Coulomb friction alone it follows after the first start.
func TestStickSlip(t *testing.T) {
	for _, c := range []struct {
		fst    float64
		starts bool
	}{{2, true}, {0, false}} {
		p := newPlant(t, slide(1, 0, 0.1, 3), Options{Stribeck: Stribeck{Torque: []float64{c.fst}, Speed: []float64{0.05}}})
		m := p.Start(0, []float64{0}, []float64{0})
		spring := pull{stiffness: 100, speed: 0.02}
		if err := m.Advance(t.Context(), 60, spring); err != nil {
			t.Fatal(err)
		}
		// A stick lasts until the spring has taken up twice Fst: 2·2/(100·0.02) = 2 s and a half swing.
		if got := m.Stats().Starts; c.starts != (got > 10) {
			t.Errorf("Fst %g N: %d starts in a minute", c.fst, got)
		}
		t.Logf("Fst %g N: %+v", c.fst, m.Stats())
	}
}

type pull struct{ stiffness, speed float64 }

func (p pull) Torque(t float64, q, _, tau []float64) { tau[0] = p.stiffness * (p.speed*t - q[0]) }

// The signs at rest are those of the one pattern of 3ⁿ that obeys the laws of friction,
// and give the least sum of the package comment.
func TestSignsAtRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "joints")
		number := rapid.Float64Range(-1, 1)
		a := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				a.Set(i, j, number.Draw(t, "a"))
			}
		}
		var m mat.Dense
		m.Mul(a, a.T())
		for i := range n {
			m.Set(i, i, m.At(i, i)+0.05) // condition number at most some 500
		}
		b, limit := make([]float64, n), make([]float64, n)
		for i := range n {
			b[i] = 3 * number.Draw(t, "b")
			limit[i] = 2 * math.Abs(number.Draw(t, "limit"))
			if rapid.IntRange(0, 4).Draw(t, "slides") == 0 {
				limit[i] = -1
			}
		}
		r, sign := newRest(n), make([]float64, n)
		for i := range sign {
			sign[i] = 1
		}
		if !r.signs(sign, m.RawMatrix().Data, b, limit) {
			t.Fatal("no signs found")
		}
		sum := func(a []float64) float64 {
			v := mat.NewVecDense(n, a)
			s := mat.Inner(v, &m, v)/2 - mat.Dot(mat.NewVecDense(n, b), v)
			for i, x := range a {
				if limit[i] >= 0 {
					s += limit[i] * math.Abs(x)
				}
			}
			return s
		}
		least := math.Inf(1)
		pattern := make([]int, n)
		for range int(math.Pow(3, float64(n))) {
			free, trial, ok := make([]bool, n), append([]float64(nil), b...), true
			for i, s := range pattern {
				free[i] = s != 1 || limit[i] < 0
				if limit[i] >= 0 {
					trial[i] -= float64(s-1) * limit[i]
				}
			}
			f := newFactor(n)
			ok = f.solve(trial, m.RawMatrix().Data, free)
			for i, s := range pattern {
				ok = ok && (limit[i] < 0 || !free[i] || trial[i]*float64(s-1) >= 0)
			}
			if ok {
				least = min(least, sum(trial))
			}
			for i := range pattern {
				if pattern[i]++; pattern[i] < 3 {
					break
				}
				pattern[i] = 0
			}
		}
		// The sum is of order |b|²·‖M⁻¹‖ ≤ 45·20, and rounded to some n²·ε of that.
		if got := sum(r.a); !(math.Abs(got-least) < 1e-11) {
			t.Fatalf("sum %.15g, least of all patterns %.15g: %s", got, least, fmt.Sprint(sign, r.a))
		}
		for i, s := range sign {
			if limit[i] >= 0 && (s == 0) != (r.a[i] == 0) {
				t.Fatalf("joint %d has sign %g and acceleration %g", i, s, r.a[i])
			}
		}
	})
}
