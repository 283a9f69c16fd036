package plant

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"ident/simulate/servo"
)

// UnstableError says that a law does not hold the robot near its reference at its rate and
// delay: small errors grow from sample to sample.
type UnstableError struct {
	Time          float64 // time of the reference, s
	Joint         string  // joint with the largest part of the growing error
	Period, Delay float64 // sampling period and delay of the law, s
	Growth        float64 // factor by which the error grows from one sample to the next, above 1
	// Stable is the part of all gains up to which the loop is stable; zero where no part is.
	Stable float64
}

func (e *UnstableError) Error() string {
	s := fmt.Sprintf("the controller is unstable at %.4g Hz with a delay of %g s: at %.3g s of the reference errors grow by %.3g from sample to sample, most at joint %q", 1/e.Period, e.Delay, e.Time, e.Growth, e.Joint)
	if e.Stable == 0 {
		return s + "; no smaller gains hold it either: add +gravity, or raise its rate"
	}
	return s + fmt.Sprintf("; the largest stable gains are %.2g of these, or raise its rate", e.Stable)
}

// checkedTimes is the number of moments of the reference at which stability is judged.
const checkedTimes = 12

// stable judges the sampled loop, linear in small errors, at moments of the reference.
// Coulomb friction is left out, which only takes power, and the memory of laws and drives.
func (p *Plant) stable(ref servo.Reference, c Control, run Run) error {
	n := len(p.friction)
	late := int(math.Floor(c.Delay/c.Period)) + 1
	if n*(2+late) > 200 {
		return nil // an eigenvalue problem that would take longer than the motion
	}
	var worst *UnstableError
	length := float64(run.Samples*run.Every) * c.Period
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range checkedTimes {
		t := run.Start + length*float64(k)/checkedTimes
		if s, ok := c.Law.(singular); ok {
			if ref.Eval(t, q, dq, ddq); s.Singular(q) {
				continue // passed in less time than errors take to grow; a loop frozen there says nothing of it
			}
		}
		l := p.linear(ref, c, t)
		if l == nil { // the loops do not close at the reference, which the motion will tell
			continue
		}
		growth, joint := l.growth(1)
		if !(growth > 1+1e-9) {
			continue
		}
		e := &UnstableError{Time: l.time, Joint: p.joints[joint], Period: c.Period, Delay: c.Delay, Growth: growth}
		// Where the law compensates gravity, parts of it that are too small do not hold the robot either.
		low, high := 0.0, 1.0
		for part := 0.8; part > 1e-3 && low == 0; part *= 0.8 {
			if g, _ := l.growth(part); g < 1 {
				low, high = part, part/0.8
			}
		}
		for low > 0 && high-low > 1e-3*low {
			mid := (low + high) / 2
			if g, _ := l.growth(mid); g < 1 {
				low = mid
			} else {
				high = mid
			}
		}
		if e.Stable = low; worst == nil || e.Stable < worst.Stable {
			worst = e
		}
	}
	if worst != nil {
		return worst
	}
	return nil
}

// singular is a law that changes fast near some positions of the joints.
type singular interface{ Singular(q []float64) bool }

// linear is the loop for small errors at one moment of the reference:
//
//	ẋ = A·x + B·u, u = K·x of the last sample, x = (δq, δdq)
type linear struct {
	n             int
	time          float64
	period, delay float64
	a, b, k       *mat.Dense
}

// linear differentiates plant and law by central differences.
func (p *Plant) linear(ref servo.Reference, c Control, t float64) *linear {
	n := len(p.friction)
	l := &linear{n: n, time: t, period: c.Period, delay: c.Delay, a: mat.NewDense(2*n, 2*n, nil), b: mat.NewDense(2*n, n, nil), k: mat.NewDense(n, 2*n, nil)}
	at := servo.Sample{Time: t, Period: c.Period, QR: make([]float64, n), DQR: make([]float64, n), DDQR: make([]float64, n)}
	ref.Eval(t, at.QR, at.DQR, at.DDQR)
	x := append(append(make([]float64, 0, 2*n), at.QR...), at.DQR...)
	mass, minv := make([]float64, n*n), make([]float64, n)
	equations := p.body.equations()
	if err := equations.At(mass, make([]float64, n), at.QR, at.DQR); err != nil {
		return nil
	}
	f, all := newFactor(n), make([]bool, n)
	for i := range all {
		all[i] = true
	}
	asked := make([]float64, n)
	// The torques that hold the reference: their difference by the state gives A.
	bias := func(out []float64) {
		if equations.Torques(out, x[:n], x[n:], at.DDQR) != nil {
			clear(out)
		}
		for i := range p.friction {
			out[i] += (p.friction[i].viscous + p.drives.damping(i)) * x[n+i]
		}
	}
	const step = 1e-5 // rad, rad/s: errors of 1e-10 of the curvature, and of 1e-11 by rounding
	up, down, wantUp, wantDown := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range 2 * n {
		old := x[j]
		x[j] = old + step
		bias(up)
		at.Q, at.DQ = x[:n], x[n:]
		c.Law.Fresh().Torque(at, wantUp)
		x[j] = old - step
		bias(down)
		c.Law.Fresh().Torque(at, wantDown)
		x[j] = old
		for i := range n {
			minv[i] = -(up[i] - down[i]) / (2 * step)
			l.k.Set(i, j, (wantUp[i]-wantDown[i])/(2*step))
		}
		if f.solve(minv, mass, all) {
			for i := range n {
				l.a.Set(n+i, j, minv[i])
			}
		}
	}
	for i := range n {
		l.a.Set(i, n+i, 1)
		clear(asked)
		asked[i] = 1
		if f.solve(asked, mass, all) {
			for j := range n {
				l.b.Set(n+j, i, asked[j])
			}
		}
	}
	return l
}

// growth returns the largest factor by which an error grows within a sample with a part of the
// gains, and the joint that takes the largest part in it. The factor is 0 if the loop's numbers are
// beyond those of a float64: what such a loop does, the motion tells.
func (l *linear) growth(part float64) (factor float64, joint int) {
	n := l.n
	if !bounded(l.a) || !bounded(l.b) || !bounded(l.k) {
		return 0, 0
	}
	late := int(math.Floor(l.delay / l.period * (1 + 1e-12)))
	rest := max(0, l.delay-float64(late)*l.period)
	// Until rest the command before acts, then the one of late samples ago.
	first, second := l.hold(rest), l.hold(l.period-rest)
	// State: x, then the commands of 1 … late+1 samples ago.
	size := 2*n + (late+1)*n
	m := mat.NewDense(size, size, nil)
	phi := m.Slice(0, 2*n, 0, 2*n).(*mat.Dense)
	phi.Mul(second.phi, first.phi)
	var early mat.Dense
	early.Mul(second.phi, first.gamma)
	add := func(age int, by mat.Matrix) {
		if age == 0 {
			var u mat.Dense
			u.Mul(by, l.k)
			u.Scale(part, &u)
			phi.Add(phi, &u)
			return
		}
		at := 2*n + (age-1)*n
		to := m.Slice(0, 2*n, at, at+n).(*mat.Dense)
		to.Add(to, by)
	}
	add(late, second.gamma)
	add(late+1, &early)
	m.Slice(2*n, 3*n, 0, 2*n).(*mat.Dense).Scale(part, l.k)
	for i := range late * n {
		m.Set(3*n+i, 2*n+i, 1)
	}
	var eig mat.Eigen
	if !bounded(m) || !eig.Factorize(m, mat.EigenRight) {
		return 0, 0
	}
	values := eig.Values(nil)
	worst := 0
	for i, v := range values {
		if cmplx.Abs(v) > cmplx.Abs(values[worst]) {
			worst = i
		}
	}
	var vectors mat.CDense
	eig.VectorsTo(&vectors)
	for i := range n {
		if cmplx.Abs(vectors.At(n+i, worst)) > cmplx.Abs(vectors.At(n+joint, worst)) {
			joint = i
		}
	}
	return cmplx.Abs(values[worst]), joint
}

// bounded reports whether the sums of a matrix's columns are numbers. Of others neither an exponential nor eigenvalues are computed: gonum
// scales and balances them without end.
func bounded(m mat.Matrix) bool {
	norm := mat.Norm(m, 1)
	return !math.IsNaN(norm) && !math.IsInf(norm, 1)
}

// held is the motion over a time under a constant command: x → phi·x + gamma·u.
type held struct{ phi, gamma mat.Matrix }

func (l *linear) hold(t float64) held {
	n := l.n
	m := mat.NewDense(3*n, 3*n, nil)
	m.Slice(0, 2*n, 0, 2*n).(*mat.Dense).Scale(t, l.a)
	m.Slice(0, 2*n, 2*n, 3*n).(*mat.Dense).Scale(t, l.b)
	m.Exp(m)
	return held{m.Slice(0, 2*n, 0, 2*n), m.Slice(0, 2*n, 2*n, 3*n)}
}
