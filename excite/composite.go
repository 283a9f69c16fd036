package excite

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Sum is the sum of two motions of the same joints and duration.
type Sum struct{ Base, Added Motion }

// DOF returns the number of joints.
func (s *Sum) DOF() int { return s.Base.DOF() }

// Duration returns the common duration, s.
func (s *Sum) Duration() float64 { return s.Base.Duration() }

// Periodic reports whether both motions are periodic.
func (s *Sum) Periodic() bool { return s.Base.Periodic() && s.Added.Periodic() }

// Names returns the joints' names.
func (s *Sum) Names() []string { return s.Base.Names() }

// Eval writes the motion at time t, one entry per joint.
func (s *Sum) Eval(t float64, q, dq, ddq []float64) {
	n := len(q)
	if !s.Periodic() {
		t = min(max(t, 0), s.Duration())
	}
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	s.Base.Eval(t, q, dq, ddq)
	s.Added.Eval(t, a, b, c)
	for i := range n {
		q[i] += a[i]
		dq[i] += b[i]
		ddq[i] += c[i]
	}
}

// Jerk writes the third derivative at time t.
func (s *Sum) Jerk(t float64, jerk []float64) {
	other := make([]float64, len(jerk))
	s.Base.Jerk(t, jerk)
	s.Added.Jerk(t, other)
	for i, v := range other {
		jerk[i] += v
	}
}

// Bound returns the sum of the bounds of both motions.
func (s *Sum) Bound(joint, order int) float64 {
	return s.Base.Bound(joint, order) + s.Added.Bound(joint, order)
}

// Knots returns the knots of both motions.
func (s *Sum) Knots() []float64 { return merge(s.Base.Knots(), s.Added.Knots()) }

func merge(a, b []float64) []float64 {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// Sequence is one motion after another. Each must start at rest at the pose where the previous one ends.
type Sequence struct{ Parts []Motion }

// DOF returns the number of joints.
func (s *Sequence) DOF() int { return s.Parts[0].DOF() }

// Duration returns the sum of the durations, s.
func (s *Sequence) Duration() float64 {
	t := 0.0
	for _, p := range s.Parts {
		t += p.Duration()
	}
	return t
}

// Periodic returns false.
func (s *Sequence) Periodic() bool { return false }

// Names returns the joints' names.
func (s *Sequence) Names() []string { return s.Parts[0].Names() }

// at returns the part at time t and the time since its beginning.
func (s *Sequence) at(t float64) (Motion, float64) {
	for _, p := range s.Parts[:len(s.Parts)-1] {
		if t < p.Duration() {
			return p, t
		}
		t -= p.Duration()
	}
	last := s.Parts[len(s.Parts)-1]
	return last, t
}

// Eval writes the motion at time t, one entry per joint.
func (s *Sequence) Eval(t float64, q, dq, ddq []float64) {
	p, at := s.at(t)
	inside := min(max(at, 0), p.Duration())
	p.Eval(inside, q, dq, ddq)
	if inside != at {
		clear(dq)
		clear(ddq)
	}
}

// Jerk writes the third derivative at time t.
func (s *Sequence) Jerk(t float64, jerk []float64) {
	p, at := s.at(t)
	p.Jerk(min(max(at, 0), p.Duration()), jerk)
}

// Bound returns the largest of the parts' bounds.
func (s *Sequence) Bound(joint, order int) float64 {
	b := 0.0
	for _, p := range s.Parts {
		b = max(b, p.Bound(joint, order))
	}
	return b
}

// Knots returns the knots of the parts and the times between parts.
func (s *Sequence) Knots() []float64 {
	var out []float64
	start := 0.0
	for i, p := range s.Parts {
		if i > 0 {
			out = append(out, start)
		}
		for _, k := range p.Knots() {
			out = append(out, start+k)
		}
		start += p.Duration()
	}
	return out
}

// CompositeSchema is the JSON schema of a Sum or a Sequence.
const CompositeSchema = "ident.motions/1"

// CompositeDocument is the JSON form of motions that are added, or follow one another.
type CompositeDocument struct {
	Schema string            `json:"schema"`
	Form   string            `json:"form"`             // "sum" or "sequence"
	Parts  []json.RawMessage `json:"parts"`            // documents of motions
	Limits []string          `json:"limits,omitempty"` // source of each kind of limit that the motion respects
}

// MarshalJSON writes both motions.
func (s *Sum) MarshalJSON() ([]byte, error) { return composite("sum", s.Base, s.Added) }

// MarshalJSON writes the parts in order.
func (s *Sequence) MarshalJSON() ([]byte, error) { return composite("sequence", s.Parts...) }

func composite(form string, parts ...Motion) ([]byte, error) {
	doc := CompositeDocument{Schema: CompositeSchema, Form: form}
	for _, p := range parts {
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		doc.Parts = append(doc.Parts, text)
	}
	return json.Marshal(doc)
}

// ReadMotion reads the JSON form of any motion of this package. Parts must have the same joints; parts of a sum must
// have the same duration; parts of a sequence must agree in position, velocity and acceleration where they meet. The motion must
// be [Valid].
func ReadMotion(text []byte) (Motion, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	var m Motion
	var err error
	switch head.Schema {
	case PolynomialSchema:
		p := new(Polynomials)
		m, err = p, json.Unmarshal(text, p)
	case CompositeSchema:
		m, err = readComposite(text)
	default:
		tr := new(Trajectory)
		m, err = tr, json.Unmarshal(text, tr)
	}
	if err != nil {
		return nil, err
	}
	return m, Valid(m)
}

func readComposite(text []byte) (Motion, error) {
	var doc CompositeDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	if len(doc.Parts) == 0 || doc.Form == "sum" && len(doc.Parts) != 2 {
		return nil, fmt.Errorf("trajectory: form %q has %d parts; a sum has two, a sequence one or more", doc.Form, len(doc.Parts))
	}
	var parts []Motion
	for i, raw := range doc.Parts {
		p, err := ReadMotion(raw)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
		parts = append(parts, p)
		if !slices.Equal(p.Names(), parts[0].Names()) {
			return nil, fmt.Errorf("trajectory: part %d moves joints %q, the first %q", i+1, p.Names(), parts[0].Names())
		}
	}
	// Relative tolerance of durations written with all digits, and summed.
	const same = 1e-9
	switch doc.Form {
	case "sum":
		if a, b := parts[0].Duration(), parts[1].Duration(); !(math.Abs(a-b) <= same*a) {
			return nil, fmt.Errorf("trajectory: the two motions of a sum must have one duration, not %g s and %g s", a, b)
		}
		return &Sum{parts[0], parts[1]}, nil
	case "sequence":
		for i := 1; i < len(parts); i++ {
			if gap := gapBetween(parts[i-1], parts[i]); !(gap <= 1e-6) {
				return nil, fmt.Errorf("trajectory: part %d begins %g away from where part %d ends", i+1, gap, i)
			}
		}
		return &Sequence{parts}, nil
	}
	return nil, fmt.Errorf("trajectory: form is %q, wanted sum or sequence", doc.Form)
}

// gapBetween returns the largest difference, rad, rad/s or rad/s², between the end
// of one motion and the beginning of the next.
func gapBetween(a, b Motion) float64 {
	n := a.DOF()
	var s [2][3][]float64
	for k := range s {
		for o := range s[k] {
			s[k][o] = make([]float64, n)
		}
	}
	a.Eval(a.Duration(), s[0][0], s[0][1], s[0][2])
	b.Eval(0, s[1][0], s[1][1], s[1][2])
	gap := 0.0
	for o := range s[0] {
		for i := range n {
			gap = max(gap, math.Abs(s[0][o][i]-s[1][o][i]))
		}
	}
	return gap
}
