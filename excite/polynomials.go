package excite

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
)

// quintic holds the coefficients of a polynomial of degree five at most in
// u = (t - start)/length, which runs from 0 to 1.
type quintic = [6]float64

// Polynomials is a motion in pieces of degree five at most. On [At[k], At[k+1]], with h its length and u = (t -
// At[k])/h, joint i is at Σ C[i][k][p]·uᵖ. Before and after it is at rest.
type Polynomials struct {
	Joints []string
	At     []float64   // knots in seconds, ascending from 0, one more than there are pieces
	C      [][]quintic // [joint][piece]
}

// DOF returns the number of joints.
func (p *Polynomials) DOF() int { return len(p.C) }

// Duration returns the time of the last knot, s.
func (p *Polynomials) Duration() float64 { return p.At[len(p.At)-1] }

// Periodic returns false.
func (p *Polynomials) Periodic() bool { return false }

// Names returns the joints' names.
func (p *Polynomials) Names() []string { return slices.Clone(p.Joints) }

// Knots returns the knots between the pieces.
func (p *Polynomials) Knots() []float64 { return slices.Clone(p.At[1 : len(p.At)-1]) }

// piece returns the index, the length h and the argument u of the piece at time t.
func (p *Polynomials) piece(t float64) (k int, h, u float64) {
	k = sort.SearchFloat64s(p.At, t)
	if k > 0 && (k == len(p.At) || p.At[k] != t) {
		k--
	}
	k = min(k, len(p.At)-2)
	h = p.At[k+1] - p.At[k]
	return k, h, (t - p.At[k]) / h
}

// Eval writes the motion at time t, one entry per joint.
func (p *Polynomials) Eval(t float64, q, dq, ddq []float64) {
	checkMotion(len(p.C), q, dq, ddq)
	inside := min(max(t, 0), p.Duration())
	k, h, u := p.piece(inside)
	for i := range p.C {
		c := &p.C[i][k]
		q[i] = c[0] + u*(c[1]+u*(c[2]+u*(c[3]+u*(c[4]+u*c[5]))))
		dq[i] = (c[1] + u*(2*c[2]+u*(3*c[3]+u*(4*c[4]+u*5*c[5])))) / h
		ddq[i] = (2*c[2] + u*(6*c[3]+u*(12*c[4]+u*20*c[5]))) / (h * h)
		if inside != t {
			dq[i], ddq[i] = 0, 0
		}
	}
}

// Jerk writes the third derivative at time t.
func (p *Polynomials) Jerk(t float64, jerk []float64) {
	inside := min(max(t, 0), p.Duration())
	k, h, u := p.piece(inside)
	for i := range p.C {
		c := &p.C[i][k]
		jerk[i] = (6*c[3] + u*(24*c[4]+u*60*c[5])) / (h * h * h)
		if inside != t {
			jerk[i] = 0
		}
	}
}

// Bound returns the largest absolute Bernstein coefficient of the derivative.
func (p *Polynomials) Bound(joint, order int) float64 {
	worst := 0.0
	for k, c := range p.C[joint] {
		for _, b := range bernstein(nil, c, order, p.At[k+1]-p.At[k]) {
			worst = max(worst, math.Abs(b))
		}
	}
	return worst
}

// bernsteinParts is the number of subintervals over which a piece is bounded. On a
// subinterval of length 1/n the Bernstein coefficients exceed the polynomial by the
// order of its second derivative over n²: with eight, by about a hundredth of the
// piece's range.
const bernsteinParts = 8

// bernstein appends the Bernstein coefficients of the derivative of the given order,
// subinterval by subinterval. A polynomial lies within the convex hull of its
// Bernstein coefficients (Farouki and Rajan 1987), so their largest absolute value
// bounds it everywhere; and they are linear in c.
func bernstein(dst []float64, c quintic, order int, length float64) []float64 {
	for o := range order {
		for k := 1; k < 6; k++ {
			c[k-1] = c[k] * float64(k) / length
		}
		c[5-o] = 0
	}
	d := 5 - order
	for part := range bernsteinParts {
		// The polynomial in v, u = (part + v)/bernsteinParts, by repeated synthetic
		// division about part/bernsteinParts.
		s := c
		x := float64(part) / bernsteinParts
		for i := range d {
			for k := d - 1; k >= i; k-- {
				s[k] += x * s[k+1]
			}
		}
		for k, scale := 1, 1.0/bernsteinParts; k <= d; k, scale = k+1, scale/bernsteinParts {
			s[k] *= scale
		}
		for i := range d + 1 {
			b := 0.0
			for k := 0; k <= i; k++ {
				b += choose(i, k) / choose(d, k) * s[k]
			}
			dst = append(dst, b)
		}
	}
	return dst
}

func choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}

// Through returns the motion through samples with given velocities and accelerations, [joint][sample], at times that
// must ascend from 0: Hermite polynomials of the fifth degree.
func Through(joints []string, t []float64, q, dq, ddq [][]float64) (*Polynomials, error) {
	if len(t) < 2 || t[0] != 0 {
		return nil, fmt.Errorf("excite: a motion of %d samples from %v s; give two or more, from 0 on", len(t), t[:min(len(t), 1)])
	}
	p := &Polynomials{Joints: joints, At: t, C: make([][]quintic, len(q))}
	for i := range q {
		p.C[i] = make([]quintic, len(t)-1)
		for k := range p.C[i] {
			h := t[k+1] - t[k]
			if !(h > 0) {
				return nil, fmt.Errorf("excite: time %g s follows %g s; times must ascend", t[k+1], t[k])
			}
			p.C[i][k] = join(h, q[i][k], dq[i][k], ddq[i][k], q[i][k+1], dq[i][k+1], ddq[i][k+1])
		}
	}
	return p, nil
}

// join returns the quintic between two states, h seconds apart.
func join(h, q0, v0, a0, q1, v1, a1 float64) quintic {
	v0, v1, a0, a1 = v0*h, v1*h, a0*h*h, a1*h*h
	d := q1 - q0
	return quintic{q0, v0, a0 / 2,
		10*d - 6*v0 - 4*v1 - 1.5*a0 + 0.5*a1,
		-15*d + 8*v0 + 7*v1 + 1.5*a0 - a1,
		6*d - 3*v0 - 3*v1 - 0.5*a0 + 0.5*a1}
}

// PolynomialSchema is the JSON schema of Polynomials.
const PolynomialSchema = "ident.polynomials/1"

// PolynomialsDocument is the JSON form of piecewise polynomials.
type PolynomialsDocument struct {
	Schema string              `json:"schema"`
	Form   string              `json:"form"`    // the formula of q(t)
	Knots  []float64           `json:"knots_s"` // times at which pieces meet, for all joints; one more than pieces
	Joints []PieceCoefficients `json:"joints"`
	Limits []string            `json:"limits,omitempty"` // source of each kind of limit that the motion respects
}

// PieceCoefficients are the coefficients of one joint, in rad or m: six a piece, the constant first.
type PieceCoefficients struct {
	Name string    `json:"name"`
	C    []quintic `json:"c"`
}

const polynomialForm = "q(t) = sum over p of c[k][p]*u^p, u = (t - knots_s[k])/(knots_s[k+1] - knots_s[k])"

// MarshalJSON writes the coefficients, which read back to the same bits.
func (p *Polynomials) MarshalJSON() ([]byte, error) {
	doc := PolynomialsDocument{Schema: PolynomialSchema, Form: polynomialForm, Knots: p.At}
	for i, c := range p.C {
		j := PieceCoefficients{C: c}
		if i < len(p.Joints) {
			j.Name = p.Joints[i]
		}
		doc.Joints = append(doc.Joints, j)
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads the form of MarshalJSON. It returns an error for another schema, knots that do not ascend from 0,
// and joints with different numbers of pieces.
func (p *Polynomials) UnmarshalJSON(text []byte) error {
	var doc PolynomialsDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("polynomials: %w", err)
	}
	if doc.Schema != PolynomialSchema {
		return fmt.Errorf("polynomials: schema is %q, wanted %q", doc.Schema, PolynomialSchema)
	}
	if len(doc.Knots) < 2 || doc.Knots[0] != 0 || len(doc.Joints) == 0 {
		return fmt.Errorf("polynomials: %d knots and %d joints; give two knots or more from 0 on, and a joint", len(doc.Knots), len(doc.Joints))
	}
	for k := 1; k < len(doc.Knots); k++ {
		if !(doc.Knots[k] > doc.Knots[k-1]) {
			return fmt.Errorf("polynomials: knot %g s follows %g s; knots must ascend", doc.Knots[k], doc.Knots[k-1])
		}
	}
	out := Polynomials{At: doc.Knots}
	for i, j := range doc.Joints {
		if len(j.C) != len(doc.Knots)-1 {
			return fmt.Errorf("polynomials: joint %d (%q) has %d pieces for %d knots", i+1, j.Name, len(j.C), len(doc.Knots))
		}
		out.Joints = append(out.Joints, j.Name)
		out.C = append(out.C, j.C)
	}
	*p = out
	return nil
}
