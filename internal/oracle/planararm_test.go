package oracle

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
)

// planarLink is a link of a textbook's planar arm: mass, moment about the centre of mass, distance of the next
// joint and of the centre of mass from its joint.
type planarLink struct{ m, i, a, l float64 }

// planarArm is the arm in the vertical plane, x to the right, with gravity g along -y.
func planarArm(g float64, links ...planarLink) *robot.Robot {
	frames := []robot.MDHFrame{{Antecedent: -1}}
	for i := range links[1:] {
		frames = append(frames, robot.MDHFrame{Antecedent: i, D: links[i].a})
	}
	r := robot.FromMDH("planar", frames)
	r.Gravity = [3]float64{0, -g, 0}
	for j, l := range links {
		own := robot.InertialFromCentral(l.m, [3]float64{l.l}, spatial.Mat{2: {2: l.i}})
		r.Links[j].Own, r.Links[j].Inertial, r.Links[j].HasInertial = own, own, true
	}
	return r
}

// gFunctions are ∂x/∂φ_i, ∂y/∂φ_i and ∂Φ/∂φ_i of a link's centre of mass, and the second derivatives of x and y, in
// relative angles.
type gFunctions struct {
	x, y, turn [2]float64
	hx, hy     [2][2]float64
}

// gOf are the g- and h-functions of the two links, from the positions x = Σ a·cos, y = Σ a·sin.
func gOf(links [2]planarLink, phi [2]float64) [2]gFunctions {
	s1, c1 := math.Sincos(phi[0])
	s12, c12 := math.Sincos(phi[0] + phi[1])
	l1, a1, l2 := links[0].l, links[0].a, links[1].l
	return [2]gFunctions{
		{x: [2]float64{-l1 * s1}, y: [2]float64{l1 * c1}, turn: [2]float64{1}, hx: [2][2]float64{{-l1 * c1}}, hy: [2][2]float64{{-l1 * s1}}},
		{x: [2]float64{-a1*s1 - l2*s12, -l2 * s12}, y: [2]float64{a1*c1 + l2*c12, l2 * c12}, turn: [2]float64{1, 1},
			hx: [2][2]float64{{-a1*c1 - l2*c12, -l2 * c12}, {-l2 * c12, -l2 * c12}},
			hy: [2][2]float64{{-a1*s1 - l2*s12, -l2 * s12}, {-l2 * s12, -l2 * s12}}},
	}
}

// generalizedInertia is I*_ij = Σ I·g_i·g_j + m(gx_i·gx_j + gy_i·gy_j).
func generalizedInertia(links [2]planarLink, g [2]gFunctions) (out [2][2]float64) {
	for k, l := range links {
		for i := range 2 {
			for j := range 2 {
				out[i][j] += l.i*g[k].turn[i]*g[k].turn[j] + l.m*(g[k].x[i]*g[k].x[j]+g[k].y[i]*g[k].y[j])
			}
		}
	}
	return out
}

// velocityTerms are b_k = −Σ m(gx_k·ωᵀhx·ω + gy_k·ωᵀhy·ω), the moments of the centrifugal forces.
func velocityTerms(links [2]planarLink, g [2]gFunctions, w [2]float64) (b [2]float64) {
	for j, l := range links {
		ax, ay := 0.0, 0.0
		for i := range 2 {
			for k := range 2 {
				ax += w[i] * g[j].hx[i][k] * w[k]
				ay += w[i] * g[j].hy[i][k] * w[k]
			}
		}
		for k := range 2 {
			b[k] -= l.m * (g[j].x[k]*ax + g[j].y[k]*ay)
		}
	}
	return b
}

// The worked examples of a textbook's chapter on the dynamics of robots (its chapter 13): an arm of two links at (30°,
// −10°) with rates (15, 5) and accelerations (−20, 8). "Exact" carries the text's formulas to ten digits, "printed" is
// its figures, whose chain of rounded numbers is up to 0.15 % off.
func TestPlanarTwoLinkExamples(t *testing.T) {
	links := [2]planarLink{{10, 4, 0.8, 0.4}, {20, 9, 0.5, 0.3}}
	phi, w, alpha := [2]float64{math.Pi / 6, -math.Pi / 18}, [2]float64{15, 5}, [2]float64{-20, 8}
	figure := func(name string, got, exact, printed float64) {
		t.Helper()
		if !(math.Abs(got-exact) <= 1e-6*math.Abs(exact)) {
			t.Errorf("%s: %.9g, exact %.9g", name, got, exact)
		}
		if !(math.Abs(got-printed) <= 4.5e-3*math.Abs(printed)) {
			t.Errorf("%s: %.9g, printed %g", name, got, printed)
		}
	}
	g := gOf(links, phi)
	figure("g11x", g[0].x[0], -0.2, -0.2)
	figure("g21x", g[1].x[0], -0.5026060, -0.503)
	figure("g22x", g[1].x[1], -0.1026060, -0.103)
	figure("g11y", g[0].y[0], 0.3464102, 0.346)
	figure("g21y", g[1].y[0], 0.9747281, 0.975)
	figure("g22y", g[1].y[1], 0.2819078, 0.282)
	inertia, b := generalizedInertia(links, g), velocityTerms(links, g, w)
	figure("I11", inertia[0][0], 38.654154, 38.67)
	figure("I12", inertia[0][1], 15.527077, 15.54)
	figure("I22", inertia[1][1], 10.8, 10.80)
	figure("kinetic energy", (inertia[0][0]*w[0]*w[0]+2*inertia[0][1]*w[0]*w[1]+inertia[1][1]*w[1]*w[1])/2, 5648.123164, 5650.88)
	figure("b1", b[0], -145.864469, -146)
	figure("b2", b[1], 187.540032, 186.75)
	weights := [2]float64{-(100*g[0].y[0] + 200*g[1].y[0]), -200 * g[1].y[1]}
	figure("weights at joint 1", weights[0], -229.586638, -229.6)
	figure("weights at joint 2", weights[1], -56.381557, -56.4)
	var tau [2]float64
	for k := range tau {
		tau[k] = inertia[k][0]*alpha[0] + inertia[k][1]*alpha[1] - b[k] - weights[k]
	}
	figure("torque 1", tau[0], -273.415364, -273.48)
	figure("torque 2", tau[1], -355.300019, -354.75)

	// The library's kinematics, recursion, composite inertia and forward dynamics, and the four other formulations, agree
	// with the text's formulas.
	r := planarArm(10, links[0], links[1])
	tree, q := must(dynamics.New(r)), []float64{phi[0], phi[1]}
	pose, jacobian := must(kinematics.New(r)).NewPose(), make(kinematics.Jacobian, 2)
	pose.Place(q)
	for k := range links {
		pose.Jacobian(jacobian, kinematics.Point{Link: k, At: [3]float64{links[k].l}})
		for i, c := range jacobian {
			if math.Hypot(c.Linear[0]-g[k].x[i], c.Linear[1]-g[k].y[i]) > 1e-14 || c.Angular[2] != g[k].turn[i] {
				t.Errorf("Jacobian of link %d: %v, g-functions %v", k+1, c, g[k])
			}
		}
	}
	m := make([]float64, 4)
	tree.InertiaMatrix(m, q)
	for k, v := range m {
		if math.Abs(v-inertia[k/2][k%2]) > 1e-13*inertia[0][0] {
			t.Errorf("inertia %d: %.17g, by g-functions %.17g", k, v, inertia[k/2][k%2])
		}
	}
	rates, acc := w[:], alpha[:]
	all := map[string][]float64{"Newton and Euler": make([]float64, 2), "momentum": Theorems(r, q, rates, acc), "Lagrange": Lagrange(r, q, rates, acc),
		"Gauss": Gauss(r, q, rates, acc), "Appel": Appel(r, q, rates, acc)}
	tree.InverseDynamics(all["Newton and Euler"], q, rates, acc)
	for name, got := range all {
		for k := range tau {
			if math.Abs(got[k]-tau[k]) > 1e-12*math.Abs(tau[0]) {
				t.Errorf("%s: torque %d is %.15g, by g-functions %.15g", name, k+1, got[k], tau[k])
			}
		}
	}
	back := make([]float64, 2)
	if err := tree.ForwardDynamics(back, q, rates, tau[:]); err != nil || math.Hypot(back[0]-alpha[0], back[1]-alpha[1]) > 1e-12 {
		t.Errorf("accelerations %v, want %v, %v", back, alpha, err)
	}

	// Base parameters: six, and four where both centres of mass are known to lie on the links' axes.
	for want, zero := range map[int]bool{6: false, 4: true} {
		model := r.Clone()
		for j := range model.Links {
			model.Links[j].HasInertial = false
			model.Links[j].Zero[robot.MY] = zero
		}
		if set := baseparams.QR(must(regressor.NewDynamic(model, []regressor.Term{regressor.Links})), baseparams.Options{}); set.Count() != want {
			t.Errorf("%d base parameters %q, want %d", set.Count(), set.Names(), want)
		}
	}
}

// Problem 11: a hand whose position is the sum of two cranks in absolute angles (g of the first's rotation is zero): with
// cranks of 3√2 and 2√2 m at −135° and 45° J and h are the printed ones. Velocities (15, −25) take the rates (5/3, −10),
// and with accelerations (30, −15) the hand has (−251.667, −328.333).
func TestPlanarProblem11(t *testing.T) {
	r := planarArm(10, planarLink{1, 1, 3 * math.Sqrt2, 0}, planarLink{1, 1, 0, 0})
	pose := must(kinematics.New(r)).NewPose()
	// Absolute angles φ of cranks whose g-functions are (−3, −3) and (−2, 2): −a·sin φ, a·cos φ.
	absolute := [2]float64{math.Atan2(3, -3), math.Atan2(2, 2)}
	hand := kinematics.Point{Link: 1, At: [3]float64{2 * math.Sqrt2}}
	pose.Place([]float64{absolute[0], absolute[1] - absolute[0]})
	j := make(kinematics.Jacobian, 2)
	pose.Jacobian(j, hand)
	own := func(v [2]float64) []float64 { return []float64{v[0], v[1] - v[0]} } // relative rates of absolute ones
	for k, want := range [2][3]float64{{-3, -3, 0}, {-2, 2, 1}} {
		unit := [2]float64{}
		unit[k] = 1
		v := j.Mul(own(unit))
		if math.Hypot(v.Linear[0]-want[0], v.Linear[1]-want[1]) > 1e-14 || math.Abs(v.Angular[2]-want[2]) > 1e-14 {
			t.Fatalf("g-functions of crank %d: %v, printed %v", k+1, v, want)
		}
	}
	var rates mat.VecDense
	if err := rates.SolveVec(mat.NewDense(2, 2, []float64{-3, -2, -3, 2}), mat.NewVecDense(2, []float64{15, -25})); err != nil {
		t.Fatal(err)
	}
	w := [2]float64{rates.AtVec(0), rates.AtVec(1)}
	if math.Abs(w[0]-5.0/3) > 1e-14 || math.Abs(w[1]+10) > 1e-13 {
		t.Errorf("rates %v", w)
	}
	pose.Move(own(w), own([2]float64{30, -15}))
	if v := pose.Twist(hand); math.Hypot(v.Linear[0]-15, v.Linear[1]+25) > 1e-12 || math.Abs(v.Angular[2]+10) > 1e-13 {
		t.Errorf("velocity %v", v)
	}
	if a := pose.Acceleration(hand); math.Hypot(a.Linear[0]+251.0-(-2.0/3), a.Linear[1]+328+1.0/3) > 1e-11 {
		t.Errorf("acceleration %v", a)
	}
}

// Problem 10 prints β = 1.3φ + φ² and leaves all lengths to a figure that the text lacks. Tested is what follows from β: its g is 1.3 + 2φ and its
// h is 2, so a link at the absolute angle β on a crank at φ, with lengths chosen here, has a hand of
//
//	g = −a₁·sin φ − a₂·g_β·sin β,  h = −a₁·cos φ − a₂·(g_β²·cos β + h_β·sin β)
//
// along x, the velocity g·ω and the acceleration g·α + h·ω².
func TestPlanarProblem10(t *testing.T) {
	const a1, a2, omega, alpha = 0.7, 0.4, 1.7, -2.3
	r := planarArm(10, planarLink{1, 1, a1, 0}, planarLink{1, 1, 0, 0})
	pose := must(kinematics.New(r)).NewPose()
	hand := kinematics.Point{Link: 1, At: [3]float64{a2}}
	beta := func(phi float64) float64 { return 1.3*phi + phi*phi }
	x := func(phi float64) float64 { return a1*math.Cos(phi) + a2*math.Cos(beta(phi)) }
	for _, phi := range []float64{-0.8, 0, 0.4, 1.1} {
		gb, hb := 1.3+2*phi, 2.0
		sin, cos := math.Sincos(beta(phi))
		g := -a1*math.Sin(phi) - a2*gb*sin
		h := -a1*math.Cos(phi) - a2*(gb*gb*cos+hb*sin)
		const step = 1e-4
		if d := (x(phi+step) - x(phi-step)) / (2 * step); math.Abs(d-g) > 1e-7 {
			t.Errorf("φ = %g: g %.10g, by differences %.10g", phi, g, d)
		}
		if d := (x(phi+step) - 2*x(phi) + x(phi-step)) / (step * step); math.Abs(d-h) > 1e-6 {
			t.Errorf("φ = %g: h %.10g, by differences %.10g", phi, h, d)
		}
		pose.Place([]float64{phi, beta(phi) - phi})
		pose.Move([]float64{omega, (gb - 1) * omega}, []float64{alpha, gb*alpha + hb*omega*omega - alpha})
		if v := pose.Twist(hand).Linear[0]; math.Abs(v-g*omega) > 1e-14 {
			t.Errorf("φ = %g: velocity %.15g, want %.15g", phi, v, g*omega)
		}
		if a := pose.Acceleration(hand).Linear[0]; math.Abs(a-(g*alpha+h*omega*omega)) > 1e-13 {
			t.Errorf("φ = %g: acceleration %.15g, want %.15g", phi, a, g*alpha+h*omega*omega)
		}
	}
}

// Problem 13: an arm whose centres of mass have the printed g-functions, for the second joint lies at the first
// centre of mass: I* = [321, 84; 84, 44], and 496 J at the rates (−2, 1).
func TestPlanarProblem13(t *testing.T) {
	reach := math.Hypot(3, 2)
	r := planarArm(10, planarLink{5, 2, reach, reach}, planarLink{10, 4, 0, 2})
	tree := must(dynamics.New(r))
	first := math.Atan2(2, 3) // of the centre at (3, 2); the second is 2 m above it
	q := []float64{first, math.Pi/2 - first}
	m := make([]float64, 4)
	tree.InertiaMatrix(m, q)
	for k, want := range []float64{321, 84, 84, 44} {
		if math.Abs(m[k]-want) > 1e-12*want {
			t.Errorf("I* %d: %.15g, want %g", k, m[k], want)
		}
	}
	if e := tree.KineticEnergy(q, []float64{-2, 1}); math.Abs(e-496) > 1e-11 {
		t.Errorf("kinetic energy %.15g J", e)
	}
}
