package excite

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Trajectory is a periodic motion as Fourier series in the form of the package documentation: A[i][l-1] and B[i][l-1]
// are the coefficients of joint i and harmonic l, in rad/s or m/s; Q0[i] is the constant term, in rad or m.
type Trajectory struct {
	Period float64 // seconds
	Joints []string
	Q0     []float64
	A, B   [][]float64
}

// DOF returns the number of joints.
func (tr *Trajectory) DOF() int { return len(tr.Q0) }

// Duration returns the period, s.
func (tr *Trajectory) Duration() float64 { return tr.Period }

// Periodic returns true: Eval accepts any time.
func (tr *Trajectory) Periodic() bool { return true }

// Harmonics returns the number of harmonics.
func (tr *Trajectory) Harmonics() int {
	if len(tr.A) == 0 {
		return 0
	}
	return len(tr.A[0])
}

// Eval writes the motion at time t, one entry per joint. Any t is allowed: the motion repeats.
func (tr *Trajectory) Eval(t float64, q, dq, ddq []float64) {
	checkMotion(len(tr.Q0), q, dq, ddq)
	w := 2 * math.Pi / tr.Period
	turns := t / tr.Period
	phase := turns - math.Floor(turns)
	copy(q, tr.Q0)
	clear(dq)
	clear(ddq)
	for l := range tr.Harmonics() {
		n := float64(l + 1)
		// The phase of the harmonic is reduced to one turn, where the sine is most
		// accurate.
		own := n * phase
		s, c := math.Sincos(2 * math.Pi * (own - math.Floor(own)))
		wl := w * n
		for i := range q {
			a, b := tr.A[i][l], tr.B[i][l]
			q[i] += (a*s - b*c) / wl
			dq[i] += a*c + b*s
			ddq[i] += wl * (b*c - a*s)
		}
	}
}

// EvalBatch writes the motion at times t, one slice per joint, one entry per time: the values of Eval.
func (tr *Trajectory) EvalBatch(t []float64, q, dq, ddq [][]float64) {
	if len(q) != len(tr.Q0) || len(dq) != len(tr.Q0) || len(ddq) != len(tr.Q0) {
		panic(fmt.Sprintf("excite: position, velocity and acceleration have %d, %d and %d entries, the motion %d joints", len(q), len(dq), len(ddq), len(tr.Q0)))
	}
	w := 2 * math.Pi / tr.Period
	// Parts of the batch whose sines and cosines stay in the first-level cache.
	const part = 64
	var phase, sin, cos [part]float64
	for first := 0; first < len(t); first += part {
		n := min(part, len(t)-first)
		for k, v := range t[first : first+n] {
			turns := v / tr.Period
			phase[k] = turns - math.Floor(turns)
		}
		for i, v := range tr.Q0 {
			for k := first; k < first+n; k++ {
				q[i][k], dq[i][k], ddq[i][k] = v, 0, 0
			}
		}
		for l := range tr.Harmonics() {
			order := float64(l + 1)
			for k, v := range phase[:n] {
				own := order * v
				sin[k], cos[k] = math.Sincos(2 * math.Pi * (own - math.Floor(own)))
			}
			wl := w * order
			for i := range q {
				a, b := tr.A[i][l], tr.B[i][l]
				p, v, u := q[i][first:first+n], dq[i][first:first+n], ddq[i][first:first+n]
				for k := range p {
					s, c := sin[k], cos[k]
					p[k] += (a*s - b*c) / wl
					v[k] += a*c + b*s
					u[k] += wl * (b*c - a*s)
				}
			}
		}
	}
}

// Jerk writes the third derivative at time t.
func (tr *Trajectory) Jerk(t float64, jerk []float64) {
	w := 2 * math.Pi / tr.Period
	clear(jerk)
	for l := range tr.Harmonics() {
		n := float64(l + 1)
		own := n * t / tr.Period
		s, c := math.Sincos(2 * math.Pi * (own - math.Floor(own)))
		for i := range jerk {
			jerk[i] -= w * n * w * n * (tr.A[i][l]*c + tr.B[i][l]*s)
		}
	}
}

// Names returns the joints' names.
func (tr *Trajectory) Names() []string { return slices.Clone(tr.Joints) }

// Bound returns the sum of the harmonics' amplitudes.
func (tr *Trajectory) Bound(joint, order int) float64 {
	w, sum := 2*math.Pi/tr.Period, 0.0
	for l := range tr.A[joint] {
		sum += math.Hypot(tr.A[joint][l], tr.B[joint][l]) * math.Pow(w*float64(l+1), float64(order-1))
	}
	return sum
}

// Knots returns nil: the series is smooth.
func (tr *Trajectory) Knots() []float64 { return nil }

// Schema is the JSON schema of a Trajectory.
const Schema = "ident.trajectory/1"

// TrajectoryDocument is the JSON form of a Fourier series of each joint.
type TrajectoryDocument struct {
	Schema string               `json:"schema"`
	Form   string               `json:"form"` // the formula of q(t)
	Period float64              `json:"period_s"`
	Joints []SeriesCoefficients `json:"joints"`
	Limits []string             `json:"limits,omitempty"` // source of each kind of limit that the motion respects
}

// SeriesCoefficients are the coefficients of one joint: offset (rad or m) and amplitudes of velocity (rad/s or m/s).
type SeriesCoefficients struct {
	Name string    `json:"name"`
	Q0   float64   `json:"q0"`
	A    []float64 `json:"a"` // coefficients of the cosines of velocity, one for each harmonic
	B    []float64 `json:"b"` // coefficients of the sines of velocity, one for each harmonic
}

const form = "q(t) = q0 + sum over l of a[l]/(w*l)*sin(l*w*t) - b[l]/(w*l)*cos(l*w*t), w = 2*pi/period_s, l = 1, 2, ..."

// MarshalJSON writes the coefficients, which read back to the same bits.
func (tr *Trajectory) MarshalJSON() ([]byte, error) {
	doc := TrajectoryDocument{Schema: Schema, Form: form, Period: tr.Period}
	for i := range tr.Q0 {
		j := SeriesCoefficients{Q0: tr.Q0[i], A: tr.A[i], B: tr.B[i]}
		if i < len(tr.Joints) {
			j.Name = tr.Joints[i]
		}
		doc.Joints = append(doc.Joints, j)
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads the form of MarshalJSON. It returns an error for another schema, a period that is not positive and
// finite, and joints with different numbers of coefficients.
func (tr *Trajectory) UnmarshalJSON(text []byte) error {
	var doc TrajectoryDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	if doc.Schema != Schema {
		return fmt.Errorf("trajectory: schema is %q, wanted %q", doc.Schema, Schema)
	}
	if !(doc.Period > 0) {
		return fmt.Errorf("trajectory: period_s is %g, it must be positive", doc.Period)
	}
	if len(doc.Joints) == 0 {
		return fmt.Errorf("trajectory: no joints")
	}
	out := Trajectory{Period: doc.Period}
	for i, j := range doc.Joints {
		if n := len(doc.Joints[0].A); len(j.A) != n || len(j.B) != n {
			return fmt.Errorf("trajectory: joint %d (%q) has %d and %d coefficients a and b, the first joint %d", i+1, j.Name, len(j.A), len(j.B), n)
		}
		out.Joints = append(out.Joints, j.Name)
		out.Q0 = append(out.Q0, j.Q0)
		out.A = append(out.A, j.A)
		out.B = append(out.B, j.B)
	}
	*tr = out
	return nil
}
