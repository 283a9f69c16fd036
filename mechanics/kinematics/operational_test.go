package kinematics

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/internal/testrobot"
)

// Operational Jacobians are the differences of the operational coordinates, of every description, on random arms.
func TestOperationalJacobian(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	for range 20 {
		tree, err := New(testrobot.Random(rng, 6, false))
		if err != nil {
			t.Fatal(err)
		}
		n := tree.DOF()
		q, link := make([]float64, n), 5
		for k := range q {
			q[k] = rng.NormFloat64()
		}
		at, pose, j := Point{Link: link, At: [3]float64{0.1, -0.2, 0.3}}, tree.NewPose(), make(Jacobian, n)
		pose.Place(q)
		pose.Jacobian(j, at)
		r := pose.Frame(link).R
		for _, a := range []Angles{EulerAngles, RPYAngles, ByQuaternion} {
			back := a.Rotation(a.Of(r))
			for i := range 3 {
				if spatial.Norm(spatial.Sub(back[i], r[i])) > 1e-13 {
					t.Fatalf("%s: %v is not %v", a, back, r)
				}
			}
			got, err := j.Operational(a, r)
			if err != nil {
				t.Fatal(err)
			}
			where := func() []float64 {
				p := pose.Position(at)
				return append(p[:], a.Of(pose.Frame(link).R)...)
			}
			for k := range q {
				const h = 1e-6
				was := q[k]
				q[k] = was + h
				pose.Place(q)
				more := where()
				q[k] = was - h
				pose.Place(q)
				less := where()
				q[k] = was
				for i := range more {
					d := more[i] - less[i]
					if i >= 3 && a != ByQuaternion {
						d = math.Remainder(d, 2*math.Pi)
					}
					// Differences are off by h²·x‴ and 1e-16/h, near singular angles by more.
					if want := d / (2 * h); math.Abs(got.At(i, k)-want) > 1e-6*(1+want*want) {
						t.Fatalf("%s: row %d of column %d is %g, differences give %g", a, i, k, got.At(i, k), want)
					}
				}
			}
		}
	}
	for a, r := range map[Angles]spatial.Mat{EulerAngles: spatial.RotZ(0.3), RPYAngles: spatial.RotY(math.Pi / 2)} {
		if _, err := a.Rates(r); !errors.Is(err, ErrSingularAngles) {
			t.Errorf("%s: %v", a, err)
		}
		back := a.Rotation(a.Of(r))
		if spatial.Norm(spatial.Sub(back[1], r[1])) > 1e-13 {
			t.Errorf("%s at a singular orientation: %v, want %v", a, back, r)
		}
	}
}

// The rates of seven joints have the twist asked for, are the least without a secondary motion, and follow the secondary motion
// in the joints' own motion alone; a secondary motion away from limits brings joints to their middles.
func TestRedundantRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	tree, err := New(testrobot.SevenElastic(8000, 4))
	if err != nil {
		t.Fatal(err)
	}
	const n = 7
	q, lower, upper, z := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range q {
		q[k], lower[k], upper[k] = 0.7*rng.NormFloat64(), -2, 2.4
	}
	away := func() { // from the limits: minus the gradient of the criterion below
		for k, span := range upper {
			span -= lower[k]
			z[k] = -2 * (q[k] - (lower[k]+upper[k])/2) / (span * span)
		}
	}
	pose, j, at := tree.NewPose(), make(Jacobian, n), Point{Link: n - 1, At: [3]float64{0, 0, 0.1}}
	pose.Place(q)
	pose.Jacobian(j, at)
	v := Twist{[3]float64{0.1, -0.2, 0.3}, [3]float64{0.4, 0.1, -0.2}}
	least, err := j.Rates(v, Full, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	away()
	with, err := j.Rates(v, Full, 1, z)
	if err != nil {
		t.Fatal(err)
	}
	idle := j.Dexterity(Full, 1).Idle[0]
	dot := func(a, b []float64) float64 { return mat.Dot(mat.NewVecDense(n, a), mat.NewVecDense(n, b)) }
	for name, dq := range map[string][]float64{"least": least, "secondary": with} {
		got := j.Mul(dq)
		if spatial.Norm(spatial.Sub(got.Linear, v.Linear))+spatial.Norm(spatial.Sub(got.Angular, v.Angular)) > 1e-12 {
			t.Errorf("%s: twist %v, want %v", name, got, v)
		}
	}
	if d := dot(least, idle); math.Abs(d) > 1e-13 {
		t.Errorf("the least rates move along the joints' own motion by %g", d)
	}
	if d := dot(with, idle) - dot(z, idle); math.Abs(d) > 1e-13 {
		t.Errorf("the rates' own motion differs from the secondary one by %g", d)
	}
	// At rest the tip stays and the criterion falls.
	criterion := func() (sum float64) {
		for k := range q {
			sum += math.Pow((q[k]-(lower[k]+upper[k])/2)/(upper[k]-lower[k]), 2)
		}
		return sum
	}
	before, tip := criterion(), pose.Position(at)
	for range 2000 {
		pose.Place(q)
		pose.Jacobian(j, at)
		away()
		dq, err := j.Rates(Twist{}, Full, 1, z)
		if err != nil {
			t.Fatal(err)
		}
		for k := range q {
			q[k] += 0.02 * dq[k]
		}
	}
	pose.Place(q)
	if after := criterion(); !(after < before) || spatial.Norm(spatial.Sub(pose.Position(at), tip)) > 1e-2 {
		t.Errorf("criterion %g, before %g; the tip is at %v, was at %v", after, before, pose.Position(at), tip)
	}
	// A stretched arm has lost a direction.
	for k := range q {
		q[k] = 0
	}
	pose.Place(q)
	pose.Jacobian(j, at)
	var singular *SingularRatesError
	if _, err := j.Rates(v, Full, 1, nil); !errors.As(err, &singular) || len(singular.Lost) == 0 {
		t.Errorf("stretched: %v", err)
	}
}
