package flexible

import (
	"errors"
	"fmt"
	"math"
)

// ErrSingular: the inertia matrix has a coordinate that moves no mass.
var ErrSingular = errors.New("inertia matrix is singular")

// Equations fills the inertia matrix J, symmetric and row-major, and the bias of J·z̈ + bias = F, where F holds the torques
// of the joints and zero for amplitudes. The bias is −R of Book (1984, equation 82). With Size coordinates, inertia must have
// Size² entries, and bias, z and dz must have Size; it panics otherwise.
func (w *Work) Equations(inertia, bias, z, dz []float64) {
	w.size(bias, z, dz)
	if len(inertia) != len(w.mass) {
		panic(fmt.Sprintf("flexible: %d numbers for an inertia matrix of %d", len(inertia), len(w.mass)))
	}
	w.move(z, dz)
	w.inertiaMatrix()
	w.remainder(z, dz)
	copy(inertia, w.mass)
	for i, v := range w.rest {
		bias[i] = -v
	}
}

// ForwardDynamics gives the accelerations under torques, one for each joint.
func (w *Work) ForwardDynamics(ddz, z, dz, torques []float64) error {
	w.size(ddz, z, dz)
	w.joints(torques)
	w.move(z, dz)
	w.inertiaMatrix()
	w.remainder(z, dz)
	copy(ddz, w.rest)
	for j, at := range w.arm.at {
		ddz[at] += torques[j]
	}
	if k := solve(w.mass, ddz); k >= 0 {
		return fmt.Errorf("%w: %s moves no mass, or another coordinate moves the same; a twist needs a body with inertia behind it", ErrSingular, w.arm.Coordinates()[k])
	}
	return nil
}

// GeneralizedForces returns the generalised forces of a motion: torques of joints, and for amplitudes zero where the
// motion is one that the arm can have.
func (w *Work) GeneralizedForces(forces, z, dz, ddz []float64) {
	w.size(forces, z, dz, ddz)
	w.move(z, dz)
	w.inertiaMatrix()
	w.remainder(z, dz)
	n := w.arm.size
	for i := range n {
		sum := -w.rest[i]
		for k, a := range ddz {
			sum += w.mass[i*n+k] * a
		}
		forces[i] = sum
	}
}

// InverseDynamics gives the torques of the joints for accelerations of the joints, at a state of deflections, and the
// accelerations of the amplitudes that follow: in ddz, whose entries of joints are given and whose others are filled.
func (w *Work) InverseDynamics(torques, ddz, z, dz []float64) error {
	w.size(ddz, z, dz)
	w.joints(torques)
	w.move(z, dz)
	w.inertiaMatrix()
	w.remainder(z, dz)
	n := w.arm.size
	driven := make([]bool, n)
	for _, at := range w.arm.at {
		driven[at] = true
	}
	var free []int
	for i := range n {
		if !driven[i] {
			free = append(free, i)
		}
	}
	m := len(free)
	a, b := make([]float64, m*m), make([]float64, m)
	for i, row := range free {
		b[i] = w.rest[row]
		for k := range n {
			if driven[k] {
				b[i] -= w.mass[row*n+k] * ddz[k]
			}
		}
		for k, column := range free {
			a[i*m+k] = w.mass[row*n+column]
		}
	}
	if k := solve(a, b); k >= 0 {
		return fmt.Errorf("%w: %s", ErrSingular, w.arm.Coordinates()[free[k]])
	}
	for i, row := range free {
		ddz[row] = b[i]
	}
	for j, at := range w.arm.at {
		torques[j] = -w.rest[at]
		for k, v := range ddz {
			torques[j] += w.mass[at*n+k] * v
		}
	}
	return nil
}

// Energy gives the kinetic energy of the exact variant, and the potential of strain and gravity, J.
func (w *Work) Energy(z, dz []float64) (kinetic, potential float64) {
	w.size(z, dz)
	variant := w.Variant
	defer func() { w.Variant = variant }()
	w.Variant = Exact
	w.move(z, dz)
	w.inertiaMatrix()
	n := w.arm.size
	for i := range n {
		for k := range n {
			kinetic += dz[i] * w.mass[i*n+k] * dz[k] / 2
		}
	}
	for j := range w.arm.links {
		l, at := &w.arm.links[j], w.arm.at[j]+1
		var moment [4]float64
		for i := range 4 {
			moment[i] = 2 * l.Rigid[i][0]
			for k := range l.First {
				moment[i] += 2 * z[at+k] * l.First[k][0][i]
			}
		}
		potential -= w.ops.along(&w.arm.gravity, &w.w[j], &moment)
		for k := range l.First {
			for f := range l.First {
				potential += z[at+k] * l.Stiffness[k][f] * z[at+f] / 2
			}
		}
	}
	return kinetic, potential
}

// Tip returns the place of the tip of link j in the base frame, m.
func (w *Work) Tip(j int, z []float64) [3]float64 {
	w.size(z)
	hat, c := identity(), &w.ops
	for i := range j + 1 {
		l, at := &w.arm.links[i], w.arm.at[i]
		turn := rotation(&w.arm.axes[i], z[at])
		e := identity()
		e[1][0] = l.Length
		for k := range l.Tip {
			m := tip(&l.Tip[k])
			c.add(&e, z[at+1+k], &m)
		}
		hat = c.place(&hat, &l.Place)
		hat = c.place(&hat, &turn)
		hat = c.place(&hat, &e)
	}
	return [3]float64{hat[1][0], hat[2][0], hat[3][0]}
}

func (w *Work) joints(torques []float64) {
	if len(torques) != len(w.arm.links) {
		panic(fmt.Sprintf("flexible: %d torques for %d joints", len(torques), len(w.arm.links)))
	}
}

// solve replaces b by a⁻¹·b by Cholesky's factor, which replaces a; it returns -1, or the row at which a is not positive.
func solve(a, b []float64) int {
	n := len(b)
	for i := range n {
		size := a[i*n+i]
		for k := range i + 1 {
			sum := a[i*n+k]
			for l := range k {
				sum -= a[i*n+l] * a[k*n+l]
			}
			if k < i {
				a[i*n+k] = sum / a[k*n+k]
				continue
			}
			// Left over of cancellation: n roundings of the entry.
			if !(sum > float64(n)*0x1p-52*size) {
				return i
			}
			a[i*n+i] = math.Sqrt(sum)
		}
	}
	for i := range n {
		for k := range i {
			b[i] -= a[i*n+k] * b[k]
		}
		b[i] /= a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= a[k*n+i] * b[k]
		}
		b[i] /= a[i*n+i]
	}
	return -1
}
