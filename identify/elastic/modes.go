package elastic

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/regressor"
)

// Modes are the natural frequencies of small undamped vibrations at a configuration, Hz, ascending. Friction
// and controllers are left out.
type Modes struct {
	// Resonances are those with free motors, without the rigid motions of zero frequency: peaks of the response from a
	// motor's torque to its position.
	Resonances []float64
	// AntiResonances are those with locked motors: zeros of that response of all motors together.
	AntiResonances []float64
}

// vibration computes the modes of one model with given parameters.
type vibration struct {
	m     *Machine
	model *regressor.Model
	chi   []float64
	block *regressor.Block
	ws    *regressor.Workspace
	x     [3][][]float64 // x, dx, ddx by coordinate, one entry per sample
}

// standardModel returns the vibration with the robot file's parameters.
func (m *Machine) standardModel() *vibration {
	model, err := m.Model(Terms{Frictionless: true})
	if err != nil {
		panic(err) // Model of a robot that New accepted
	}
	return m.vibration(model, m.standard(model.Columns()))
}

func (m *Machine) vibration(model *regressor.Model, chi []float64) *vibration {
	n := m.Coordinates()
	samples := 1 + 3*n
	v := &vibration{m: m, model: model, chi: chi, block: model.NewBlock(samples), ws: model.NewWorkspace()}
	for i := range v.x {
		v.x[i] = grid(n, samples)
	}
	return v
}

// nudge is the step of the central difference of gravity, rad or m. Its truncation error is the square of it (1e-10 of
// gravity's torque), its rounding error 1e-11.
const nudge = 1e-5

// matrices returns the inertia and the stiffness matrix of the coordinates x at rest, row-major.
func (v *vibration) matrices(x []float64) (mass, stiffness *mat.Dense) {
	n := len(x)
	for _, rows := range v.x {
		for _, row := range rows {
			clear(row)
		}
	}
	for i := range n {
		for s := range v.x[0][i] {
			v.x[0][i][s] = x[i]
		}
	}
	for i := range n {
		v.x[2][i][1+i] = 1
		v.x[0][i][1+n+2*i] += nudge
		v.x[0][i][2+n+2*i] -= nudge
	}
	v.block.Resize(1 + 3*n)
	v.model.Eval(v.block, v.x[0], v.x[1], v.x[2], v.ws)
	torque := grid(n, 1+3*n)
	v.model.Predict(torque, v.block, v.chi)
	mass, stiffness = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for k := range n {
		for i := range n {
			mass.Set(k, i, torque[k][1+i]-torque[k][0])
			stiffness.Set(k, i, (torque[k][1+n+2*i]-torque[k][2+n+2*i])/(2*nudge))
		}
	}
	return mass, stiffness
}

// NotVibratingError says that parameters have no modes: an inertia is not positive.
type NotVibratingError struct{ Q []float64 }

func (e *NotVibratingError) Error() string {
	return fmt.Sprintf("at q = %.4g the inertia of links and motors is not positive definite: no robot has these parameters", e.Q)
}

// modes returns the modes at link positions q, with the motors at the same positions.
func (m *Machine) modes(v *vibration, q []float64) (Modes, error) {
	x := make([]float64, m.Coordinates())
	copy(x, q)
	var locked []int // coordinates that vibrate with locked motors
	for _, s := range m.Springs {
		locked = append(locked, s.Q)
		if s.Motor >= 0 {
			x[s.Motor] = q[s.Q]
		}
	}
	mass, stiffness := v.matrices(x)
	all := make([]int, len(x))
	for i := range all {
		all[i] = i
	}
	free, ok := frequencies(mass, stiffness, all)
	held, fine := frequencies(mass, stiffness, locked)
	if !ok || !fine {
		return Modes{}, &NotVibratingError{q}
	}
	// There are as many motions of zero frequency (without gravity) as drives; the others are vibrations.
	rigid := len(free) - len(held)
	return Modes{Resonances: free[rigid:], AntiResonances: held}, nil
}

// frequencies returns the natural frequencies of some coordinates with the others held, Hz, ascending; zero for an
// unstable motion. It also reports whether their inertia matrix is positive definite.
func frequencies(mass, stiffness *mat.Dense, at []int) ([]float64, bool) {
	n := len(at)
	a, k := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i, r := range at {
		for j, c := range at[:i+1] {
			a.SetSym(i, j, (mass.At(r, c)+mass.At(c, r))/2)
			k.SetSym(i, j, (stiffness.At(r, c)+stiffness.At(c, r))/2)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return nil, false
	}
	var l mat.TriDense
	chol.LTo(&l)
	var half, whole mat.Dense
	if half.Solve(&l, k) != nil || whole.Solve(&l, half.T()) != nil {
		return nil, false
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	out, _, ok := eigen.Scaled(sym, false)
	if !ok {
		return nil, false
	}
	for i, w := range out {
		out[i] = math.Sqrt(math.Max(w, 0)) / (2 * math.Pi)
	}
	sort.Float64s(out)
	return out, true
}
