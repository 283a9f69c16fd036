package drives

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Linear is a motor of second order with its joint as one equation (Vukobratović and
// Potkonjak 1985, table 3.13.16):
//
//	ddq = α·dq + β·u + γ·P
//
// with P the torque that the robot asks of the drive beyond its own inertia and friction.
type Linear struct{ Alpha, Beta, Gamma float64 }

// Linear returns the Linear of the motor with the joint's Ia (kg·m² or kg) and Fv.
func (m *Motor) Linear(ia, fv float64) Linear {
	return Linear{-(m.VoltageGain()*m.EMF() + fv) / ia, m.VoltageGain() / ia, -1 / ia}
}

// FreeSpeed returns the speed of a joint without a load but its viscous friction, under a voltage.
func (m *Motor) FreeSpeed(u, fv float64) float64 {
	return m.VoltageGain() * u / (m.VoltageGain()*m.EMF() + fv)
}

// Disagreements lists the constants in which two data sets of one motor differ by more than a
// part of the larger.
func (l Linear) Disagreements(other Linear, part float64) []string {
	var out []string
	for _, c := range []struct {
		name string
		a, b float64
	}{{"α", l.Alpha, other.Alpha}, {"β", l.Beta, other.Beta}, {"γ", l.Gamma, other.Gamma}} {
		if math.Abs(c.a-c.b) > part*max(math.Abs(c.a), math.Abs(c.b)) {
			out = append(out, fmt.Sprintf("%s is %.4g in one data set and %.4g in the other", c.name, c.a, c.b))
		}
	}
	return out
}

// Electrical are the constants of a motor's circuit at the joint, identified from
//
//	u = R·i + E·dq + L·di/dt
type Electrical struct {
	Resistance, EMF, Inductance float64    // Ω, V·s/rad or V·s/m, H
	Sigma                       [3]float64 // standard deviations if the voltage has white errors
}

// FitElectrical fits the circuit of one joint to its voltages, currents, their rates and the
// joint's speeds by least squares; no rates leave the inductance out. It is an error if the samples do not determine the constants.
func FitElectrical(voltage, current, rate, speed []float64) (Electrical, error) {
	columns := [][]float64{current, speed}
	if rate != nil {
		columns = append(columns, rate)
	}
	x, sigma, err := leastSquares(voltage, columns)
	if err != nil {
		return Electrical{}, fmt.Errorf("drives: the circuit: %w", err)
	}
	out := Electrical{Resistance: x[0], EMF: x[1], Sigma: [3]float64{sigma[0], sigma[1]}}
	if rate != nil {
		out.Inductance, out.Sigma[2] = x[2], sigma[2]
	}
	return out, nil
}

// Mechanical are the constants of a motor's side of the joint, identified from
//
//	P = G·i − Ia·ddq − Fv·dq
type Mechanical struct {
	Gain, Ia, Fv float64 // N·k in N·m/A or N/A, kg·m² or kg, N·m·s/rad or N·s/m
	Sigma        [3]float64
}

// FitMechanical fits α, β and γ of a Linear to the torques P that the robot asks of the drive, the currents, and
// the joint's accelerations and speeds.
func FitMechanical(load, current, acceleration, speed []float64) (Mechanical, error) {
	x, sigma, err := leastSquares(load, [][]float64{current, acceleration, speed})
	if err != nil {
		return Mechanical{}, fmt.Errorf("drives: the rotor: %w", err)
	}
	return Mechanical{Gain: x[0], Ia: -x[1], Fv: -x[2], Sigma: [3]float64(sigma)}, nil
}

// FitLinear fits α, β and γ to accelerations, speeds, voltages and loads.
func FitLinear(acceleration, speed, voltage, load []float64) (l Linear, sigma [3]float64, err error) {
	x, s, err := leastSquares(acceleration, [][]float64{speed, voltage, load})
	if err != nil {
		return Linear{}, sigma, fmt.Errorf("drives: the linear motor: %w", err)
	}
	return Linear{x[0], x[1], x[2]}, [3]float64(s), nil
}

// leastSquares solves for a few columns, scaled to unit norm.
func leastSquares(y []float64, columns [][]float64) (x, sigma []float64, err error) {
	n, p := len(y), len(columns)
	a := mat.NewDense(n, p, nil)
	norm := make([]float64, p)
	for j, c := range columns {
		if len(c) != n {
			panic(fmt.Sprintf("drives: a column of %d samples for %d", len(c), n))
		}
		v := mat.NewVecDense(n, c)
		if norm[j] = mat.Norm(v, 2); norm[j] == 0 {
			return nil, nil, fmt.Errorf("column %d of %d is zero: excite it", j+1, p)
		}
		for i, v := range c {
			a.Set(i, j, v/norm[j])
		}
	}
	if n <= p {
		return nil, nil, fmt.Errorf("%d samples for %d constants", n, p)
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, nil, fmt.Errorf("samples that are not finite")
	}
	// Columns of unit norm: below the rounding of their products a direction is not determined.
	if s := svd.Values(nil); s[p-1] < 1e-10*s[0] {
		return nil, nil, fmt.Errorf("the samples do not tell the constants apart (condition number %.2g): log a motion with accelerations at several speeds", s[0]/s[p-1])
	}
	b := mat.NewDense(n, 1, append([]float64(nil), y...))
	var sol, res, v mat.Dense
	svd.SolveTo(&sol, b, p)
	res.Mul(a, &sol)
	res.Sub(b, &res)
	rms := mat.Norm(&res, 2) / math.Sqrt(float64(n-p))
	svd.VTo(&v)
	s := svd.Values(nil)
	for j := range p {
		variance := 0.0
		for k := range p {
			w := v.At(j, k) / s[k]
			variance += w * w
		}
		x = append(x, sol.At(j, 0)/norm[j])
		sigma = append(sigma, rms*math.Sqrt(variance)/norm[j])
	}
	return x, sigma, nil
}
