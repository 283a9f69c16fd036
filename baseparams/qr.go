package baseparams

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/regressor"
)

// Options are the options of the numeric method. The zero value is valid.
type Options struct {
	Seed uint64 // seed of the random states
	// Start holds coordinates (rad or m) of a closed robot's tree near the intended assembly; nil searches for one
	// (QRLoops).
	Start []float64
	// Immobile lists the links of joints that stand still although their torques are measured, such as those of a sensor
	// under the base (QR).
	Immobile []int
	// Rows lists the measured rows of the model; nil means all (QR).
	Rows []int
}

const (
	// Unit columns with a residual below this are dependent. Residuals of dependent columns are rounding: at most a few
	// hundred ε = 1e-13 for a thousand rows. Those of independent columns are geometry: the smallest on published robots
	// is 0.04, and an offset of a millimetre against a metre, squared, gives 1e-6. Gap is the margin.
	dependent = 1e-9
	// A gap below this gives a warning.
	clearGap = 1e4
	// A kept residual below this is more likely due to a rounded number in a file than to a robot's shape: a drawing's
	// smallest offset is 1e-5 of its largest.
	nearlyMet = 1e-6
	// Largest random rate, rad/s or m/s.
	fastest = 3.0
	// A column whose norm is below this part of the largest has no effect: products of rounded zeros stay below 1e-14 of
	// it.
	noEffect = 1e-11
)

// QR finds the minimal set of a model numerically (Gautier 1991): it orthogonalises the columns of the regressor at
// random states, in order. A column in the span of earlier ones is dependent. So the set keeps the first independent
// columns in the model's order, and depends on the seed only by rounding. For a closed robot's model the states are
// those of its assembly.
func QR(m *regressor.Model, opt Options) *Set {
	s, err := QRContext(context.Background(), m, opt)
	if err != nil {
		panic(err) // the only error is that of a context
	}
	return s
}

// QRContext is QR with a context: if ctx is done, its error is returned soon. Fourteen parameters for each of a hundred
// joints take a second.
func QRContext(ctx context.Context, m *regressor.Model, opt Options) (*Set, error) {
	if m.Tree() != nil {
		return qrAssembly(ctx, m, opt)
	}
	if len(opt.Rows) > 0 {
		return qrRows(ctx, m, opt.Rows, opt)
	}
	return qrTree(ctx, m, opt.Seed, opt.immobile())
}

// qrTree is QR of a tree's model with the joints of some links at rest; still has one entry for each link, or fewer.
func qrTree(ctx context.Context, m *regressor.Model, seed uint64, still []bool) (*Set, error) {
	w, err := compress(ctx, m, restingRegressor(m, seed, still))
	if err != nil {
		return nil, err
	}
	return qrColumns(ctx, m, w)
}

// qrColumns returns the set for a model's columns. w holds their entries at some states; each column must be at least
// as long as the one before it.
func qrColumns(ctx context.Context, m *regressor.Model, w [][]float64) (*Set, error) {
	s := &Set{Method: "qr", Columns: m.Columns()}
	if err := s.firstIndependent(ctx, w, noEffect); err != nil {
		return nil, fmt.Errorf("independent columns of %d: %w", len(s.Columns), err)
	}
	return s, nil
}

// immobile returns an entry for each link up to the last immobile one; nil if there is none.
func (o *Options) immobile() []bool {
	if len(o.Immobile) == 0 {
		return nil
	}
	s := make([]bool, slices.Max(o.Immobile)+1)
	for _, j := range o.Immobile {
		s[j] = true
	}
	return s
}

// firstIndependent fills the set from columns, one for each parameter, none shorter than those before it. Columns with a
// norm of at most zero times the largest have no effect. The columns are overwritten. The only error is that of ctx.
func (s *Set) firstIndependent(ctx context.Context, w [][]float64, zero float64) error {
	cols := s.Columns
	norms := make([]float64, len(cols))
	largest := 0.0
	for c := range cols {
		norms[c] = norm(w[c])
		largest = max(largest, norms[c])
	}
	var basis [][]float64 // orthonormal, each as long as the column it came from
	var upper [][]float64 // of kept column k: its coefficients on basis[0..k]
	var coef [][]float64  // of dependent column d: its coefficients on basis
	smallestKept, largestDropped := math.Inf(1), 0.0
	for c := range cols {
		if err := ctx.Err(); err != nil {
			return err
		}
		if norms[c] <= zero*largest {
			s.Zero = append(s.Zero, c)
			continue
		}
		v := w[c]
		scale(v, 1/norms[c])
		r := make([]float64, len(basis), len(basis)+1)
		// Twice is enough (Kahan, Parlett): the second pass removes the rounding
		// of the first.
		for range 2 {
			for k, b := range basis {
				d := dot(b, v[:len(b)])
				r[k] += d
				axpy(v[:len(b)], -d, b)
			}
		}
		rest := norm(v)
		if rest > dependent {
			smallestKept = min(smallestKept, rest)
			scale(v, 1/rest)
			basis = append(basis, v)
			upper = append(upper, append(r, rest))
			s.Base = append(s.Base, c)
			continue
		}
		largestDropped = max(largestDropped, rest)
		s.Dependent = append(s.Dependent, c)
		coef = append(coef, r)
	}
	s.Gap = math.Inf(1)
	if len(s.Dependent) > 0 && len(s.Base) > 0 {
		s.Gap = smallestKept / max(largestDropped, 0x1p-53)
	}
	s.warn(smallestKept)
	s.Beta = make([][]float64, len(s.Base))
	for k := range s.Beta {
		s.Beta[k] = make([]float64, len(s.Dependent))
	}
	// Coefficients between unit columns carry a rounding of some ε times the
	// triangle's condition, which is of the order of 1/smallestKept² at worst.
	floor := min(max(1e-15/(smallestKept*smallestKept), 1e-12), dependent)
	for d, r := range coef {
		x := append([]float64(nil), r...)
		for k := len(x) - 1; k >= 0; k-- {
			x[k] /= upper[k][k]
			for i := range k {
				x[i] -= upper[k][i] * x[k]
			}
		}
		for k, v := range x {
			if math.Abs(v) > floor {
				s.Beta[k][d] = v * norms[s.Dependent[d]] / norms[s.Base[k]]
			}
		}
	}
	return nil
}

// warn adds a warning if the decisions were not clear; kept is the smallest residual that was kept.
func (s *Set) warn(kept float64) {
	const check = "check the robot file's rounded angles and lengths"
	switch {
	case s.Gap < clearGap:
		s.Warnings = append(s.Warnings, fmt.Sprintf("the gap between kept and dropped columns is only %.3g: a geometric coincidence is nearly met; %s", s.Gap, check))
	case kept < nearlyMet:
		s.Warnings = append(s.Warnings, fmt.Sprintf("some parameters are told apart by one part in %.0e only, as much as rounding in the robot file can make: "+
			"a geometric coincidence is nearly met; %s", 1/kept, check))
	}
}

// restingRegressor evaluates the model at random states. Angles cover the
// circle; rates and accelerations are of the size that makes their torques
// comparable with gravity's. Each joint has as many samples as two and a half
// links have parameters at least, and all of them twice as many rows as there
// are columns. The joints of some links may be at rest: still holds one entry per link, nil where all move.
func restingRegressor(m *regressor.Model, seed uint64, still []bool) *regressor.Block {
	rng := rand.New(rand.NewPCG(seed, 0x1dea))
	n, joints := len(m.Columns()), m.Joints()
	samples := max(2*n/joints+8, 24)
	draw := func(spread float64) [][]float64 {
		v := make([][]float64, joints)
		for k := range v {
			v[k] = make([]float64, samples)
			for i := range v[k] {
				v[k][i] = spread * (2*rng.Float64() - 1)
			}
		}
		return v
	}
	q, dq, ddq := draw(math.Pi), draw(fastest), draw(6)
	in := regressor.Batch{Q: q, DQ: dq, DDQ: ddq}
	extend(m, &in, samples, rng)
	for k, link := range m.JointLinks() {
		if link < len(still) && still[link] {
			clear(q[k])
			clear(dq[k])
			clear(ddq[k])
		}
	}
	b := m.NewBlock(samples)
	m.EvalBatch(b, in, m.NewWorkspace())
	return b
}

func dot(x, y []float64) float64 { return floats.Dot(x, y) }

func norm(x []float64) float64 { return math.Sqrt(floats.Dot(x, x)) }

func scale(x []float64, a float64) { floats.Scale(a, x) }

func axpy(y []float64, a float64, x []float64) { floats.AddScaled(y, a, x) }
