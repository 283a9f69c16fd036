package elastic

import (
	"math"

	"ident/estimate"
	"ident/regressor"
)

// Frequency is a natural frequency with its standard deviation and 95 % interval, Hz.
type Frequency struct {
	Value float64 `json:"hz"`
	Sigma float64 `json:"sigma"`
	Low   float64 `json:"low95"`
	High  float64 `json:"high95"`
}

// ModesAt are the natural frequencies at a configuration, ascending.
type ModesAt struct {
	Q              []float64   `json:"q"` // positions of the links, rad or m
	Resonances     []Frequency `json:"resonances"`
	AntiResonances []Frequency `json:"antiresonances"`
}

// ModesWithin returns the natural frequencies at link positions q with their standard deviations. These follow from the
// covariance C of the parameters to first order: σ² = gᵀ·C·g, with the gradient g by central differences.
func (f *Fit) ModesWithin(q []float64) (ModesAt, error) {
	m, x := f.Machine, f.Values()
	v := m.vibration(f.Model, x)
	at, err := m.modes(v, q)
	if err != nil {
		return ModesAt{}, err
	}
	frequencies := func(o Modes) []float64 { return append(append([]float64(nil), o.Resonances...), o.AntiResonances...) }
	own := frequencies(at)
	gradient := grid(len(own), len(x))
	freedom := float64(describedFreedom)
	for i, p := range f.Parameters {
		c := f.Base.Columns[f.Base.Base[i]]
		if c.Term != regressor.Links && c.Term != regressor.Ia && (c.Term != regressor.Elastic || c.Param != 0) {
			continue
		}
		if c.Term == regressor.Elastic {
			freedom = math.Min(freedom, p.Freedom)
		}
		// A tenth of the standard deviation is within the curve's linear part if σ is small, which an interval
		// presupposes. Without a σ, the step is a millionth of the value.
		h := math.Max(p.Sigma/10, 1e-6*math.Abs(p.Value))
		if h == 0 {
			continue
		}
		side := [2][]float64{}
		for s, sign := range [2]float64{1, -1} {
			v.chi[i] = p.Value + sign*h
			o, err := m.modes(v, q)
			if err != nil {
				return ModesAt{}, err
			}
			side[s] = frequencies(o)
		}
		v.chi[i] = p.Value
		for k := range own {
			gradient[k][i] = (side[0][k] - side[1][k]) / (2 * h)
		}
	}
	quantile := estimate.StudentQuantile(freedom)
	out := ModesAt{Q: append([]float64(nil), q...), Resonances: []Frequency{}, AntiResonances: []Frequency{}}
	for k, hz := range own {
		variance := 0.0
		for i, a := range gradient[k] {
			for j, b := range gradient[k] {
				variance += a * b * f.Covariance[i][j]
			}
		}
		s := math.Sqrt(math.Max(variance, 0))
		w := Frequency{hz, s, hz - quantile*s, hz + quantile*s}
		if k < len(at.Resonances) {
			out.Resonances = append(out.Resonances, w)
		} else {
			out.AntiResonances = append(out.AntiResonances, w)
		}
	}
	return out, nil
}

// Sweep is the course of the natural frequencies as one joint moves through its range and the others stand at
// zero, or at the middle of ranges without it.
type Sweep struct {
	Joint string    `json:"joint"`
	At    []ModesAt `json:"at"`
}

// sweepPoints is the number of points over a joint's range; the other constants are the ranges of joints without
// limits, rad or m.
const (
	sweepPoints = 9
	sweepRange  = math.Pi / 2
)

// Sweeps returns the sweeps of all joints.
func (f *Fit) Sweeps() ([]Sweep, error) {
	m := f.Machine
	moving := m.Robot.Moving()
	low, high, middle := make([]float64, m.Links), make([]float64, m.Links), make([]float64, m.Links)
	for q, j := range moving {
		n := &m.Robot.Links[j].Joint
		low[q], high[q] = -sweepRange, sweepRange
		if n.Upper > n.Lower { // false of limits that are not known
			low[q], high[q] = n.Lower, n.Upper
		}
		if low[q] > 0 || high[q] < 0 {
			middle[q] = (low[q] + high[q]) / 2
		}
	}
	var out []Sweep
	for q, j := range moving {
		s := Sweep{Joint: m.Robot.Links[j].Joint.Name}
		for i := range sweepPoints {
			x := append([]float64(nil), middle...)
			x[q] = low[q] + (high[q]-low[q])*float64(i)/(sweepPoints-1)
			at, err := f.ModesWithin(x)
			if err != nil {
				return nil, err
			}
			s.At = append(s.At, at)
		}
		out = append(out, s)
	}
	return out, nil
}
