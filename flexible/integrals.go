package flexible

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Integrals are the constants of a link in the equations of motion, from a Beam or from a finite element program
// (Book 1984, equations 25, 28, 30 and 42 to 45). With h = [1 x y z] of a point of the undeformed link and φ = [0 x y z] its
// displacement in a mode of unit amplitude:
type Integrals struct {
	Length    float64      // length of the neutral axis, along x, m
	Rigid     Matrix       // C = ½∫ h·hᵀ dm: the mass, the first and the second moments
	First     []Matrix     // C_k = ½∫ h·φ_kᵀ dm, by mode
	Second    [][]Matrix   // C_kl = ½∫ φ_k·φ_lᵀ dm
	Stiffness [][]float64  // K_kl, N·m per product of amplitudes
	Tip       [][6]float64 // x, y, z and the rotations about them, rad, at the tip by mode
	Modes     []string     // names, for messages; may be empty
}

// Errors of modal integrals.
var (
	// ErrDependent: a mode is a sum of others.
	ErrDependent = errors.New("dependent modes")
	// ErrNoMass: no distribution of mass has these integrals.
	ErrNoMass = errors.New("integrals of no body")
	// ErrStiffness: strain energy that is missing, or negative.
	ErrStiffness = errors.New("the stiffness of the modes is missing, or not positive")
)

func (g *Integrals) mode(k int) string {
	if k < len(g.Modes) && g.Modes[k] != "" {
		return g.Modes[k]
	}
	return fmt.Sprintf("mode %d", k+1)
}

// Check tests the integrals by the laws that they obey: sizes, symmetry, the positive semidefinite moment matrix of h
// and all φ together, strain energy, and modes that no other makes.
func (g *Integrals) Check() error {
	m := len(g.First)
	if len(g.Second) != m || len(g.Tip) != m {
		return fmt.Errorf("the modal integrals have first moments, second moments and tips of %d, %d and %d modes: give each of them for every mode", m, len(g.Second), len(g.Tip))
	}
	if len(g.Stiffness) != m {
		return fmt.Errorf("%w: it has rows for %d of %d modes", ErrStiffness, len(g.Stiffness), m)
	}
	for k := range m {
		if len(g.Second[k]) != m || len(g.Stiffness[k]) != m {
			return fmt.Errorf("modal integrals of %s have %d second moments and %d stiffnesses for %d modes", g.mode(k), len(g.Second[k]), len(g.Stiffness[k]), m)
		}
	}
	if m > 0 && !(g.Length > 0) {
		return fmt.Errorf("a link that bends has the length %g m", g.Length)
	}
	if err := g.checkMass(); err != nil || m == 0 {
		return err
	}
	return g.checkModes()
}

// checkMass: the moments of h and φ are a Gram matrix.
func (g *Integrals) checkMass() error {
	m := len(g.First)
	n := 4 * (m + 1)
	gram := mat.NewDense(n, n, nil)
	put := func(a, b int, c *Matrix) {
		for i := range 4 {
			for k := range 4 {
				gram.Set(4*a+i, 4*b+k, c[i][k])
			}
		}
	}
	put(0, 0, &g.Rigid)
	for k := range m {
		t := transpose(&g.First[k])
		put(0, k+1, &g.First[k])
		put(k+1, 0, &t)
		for l := range m {
			put(k+1, l+1, &g.Second[k][l])
		}
	}
	// Moments of different units: a scale a row and its column keeps the signs of eigenvalues.
	scaled, err := correlation(gram)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoMass, err)
	}
	var e mat.EigenSym
	if !e.Factorize(scaled, false) {
		return fmt.Errorf("%w: not finite", ErrNoMass)
	}
	// Printed integrals have some six digits; a body of a line, as a beam is, has eigenvalues of zero.
	if least := e.Values(nil)[0]; least < -1e-5 {
		return fmt.Errorf("%w: mass would be negative somewhere (eigenvalue %.2g of their correlation); are C_k = ½∫ h·φ_kᵀ and C_kl = ½∫ φ_k·φ_lᵀ of one body?", ErrNoMass, least)
	}
	return nil
}

// checkModes: strain energy is positive, and no combination of modes moves nothing and strains nothing.
func (g *Integrals) checkModes() error {
	m := len(g.First)
	moved, strained := mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
	for k := range m {
		for l := range m {
			c := &g.Second[k][l]
			moved.Set(k, l, c[1][1]+c[2][2]+c[3][3])
			strained.Set(k, l, g.Stiffness[k][l])
		}
		if !(g.Stiffness[k][k] > 0) {
			return fmt.Errorf("%w: K of %s is %g", ErrStiffness, g.mode(k), g.Stiffness[k][k])
		}
	}
	strain, err := correlation(strained)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStiffness, err)
	}
	var e mat.EigenSym
	if !e.Factorize(strain, false) || e.Values(nil)[0] < -1e-9 {
		return fmt.Errorf("%w: a deflection has negative strain energy", ErrStiffness)
	}
	if _, err := correlation(moved); err != nil {
		return fmt.Errorf("%w: %w", ErrNoMass, err)
	}
	// Amplitudes in one scale for both, so that a sum of modes that is nothing is one vector of theirs.
	most := 0.0
	for k := range m {
		most = max(most, moved.At(k, k)/g.Stiffness[k][k])
	}
	both := mat.NewSymDense(m, nil)
	for k := range m {
		for l := k; l < m; l++ {
			v := strain.At(k, l)
			if most > 0 {
				v += moved.At(k, l) / most / math.Sqrt(g.Stiffness[k][k]*g.Stiffness[l][l])
			}
			both.SetSym(k, l, v)
		}
	}
	if !e.Factorize(both, true) {
		return fmt.Errorf("modal integrals are not finite")
	}
	// Rounding of the integrals over the condition that double precision leaves: below it the equations of motion
	// have no digits.
	if least := e.Values(nil)[0]; least < 1e-12 {
		var v mat.Dense
		e.VectorsTo(&v)
		var in []string
		for k := range m {
			if math.Abs(v.At(k, 0)) > 0.1 {
				in = append(in, g.mode(k))
			}
		}
		return fmt.Errorf("%w: %s; leave one out", ErrDependent, strings.Join(in, ", "))
	}
	return nil
}

// correlation scales a symmetric matrix to a diagonal of ones and zeros.
func correlation(a *mat.Dense) (*mat.SymDense, error) {
	n, _ := a.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		if d := a.At(i, i); !(d >= 0) {
			return nil, fmt.Errorf("a diagonal entry of %g", d)
		}
		for k := i; k < n; k++ {
			size := math.Sqrt(a.At(i, i)) * math.Sqrt(a.At(k, k))
			// Symmetry and Schwarz's inequality to six digits, those of a printed table.
			if d := math.Abs(a.At(i, k) - a.At(k, i)); d > 1e-6*math.Max(size, math.Abs(a.At(i, k))) {
				return nil, fmt.Errorf("entries %g and %g that should be one", a.At(i, k), a.At(k, i))
			}
			if size > 0 {
				out.SetSym(i, k, a.At(i, k)/size)
			} else if a.At(i, k) != 0 {
				return nil, fmt.Errorf("an entry %g beside a diagonal of zero", a.At(i, k))
			}
		}
	}
	return out, nil
}

// Doubts returns warnings about tips that hardly fit the moments: a mode whose tip moves less than the link does on average is rare
// for a link that is held at its base.
func (g *Integrals) Doubts() []string {
	var out []string
	mass := g.Rigid[0][0]
	for k := range g.First {
		c := &g.Second[k][k]
		mean := math.Sqrt((c[1][1] + c[2][2] + c[3][3]) / mass)
		t := g.Tip[k]
		tip := math.Hypot(math.Hypot(t[0], t[1]), t[2])
		if tip < 0.99*mean {
			out = append(out, fmt.Sprintf("%s: the tip moves %.3g, the whole link %.3g in the root mean square: are tip and moments of one mode, in one unit?", g.mode(k), tip, mean))
		}
	}
	return out
}
