package physical

import (
	"fmt"
	"math"

	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// Interval bounds a positive quantity. A High of zero means no upper bound.
type Interval struct{ Low, High float64 }

func (v Interval) check(what, unit string) error {
	if !(v.Low >= 0) || !(v.High >= 0) || math.IsInf(v.Low, 0) || math.IsInf(v.High, 0) || v.High != 0 && !(v.High > v.Low) {
		return fmt.Errorf("%s between %g and %g %s: the lower bound must not be negative, and the upper one must be larger", what, v.Low, v.High, unit)
	}
	return nil
}

// Bounds restrict bodies further than feasibility does.
type Bounds struct {
	TotalMass Interval // mass of all links of the model together, kg
	Bodies    []BodyBounds
}

// BodyBounds restrict the body of one link, in frame j of the model.
type BodyBounds struct {
	Link   int
	Mass   Interval    // kg
	Centre []HalfSpace // half-spaces, each of which contains the centre of mass
	// CentreIn must contain the centre of mass, BodyIn all mass of the body (Wensing, Kim and Slotine 2018).
	CentreIn, BodyIn *Ellipsoid
}

// HalfSpace holds the points p with Normal·p ≤ Offset (metres).
type HalfSpace struct {
	Normal [3]float64
	Offset float64
	Label  string // name for messages; if "", the numbers are printed
}

// Ellipsoid holds the points Centre + Σ aₖ·Axes[k], Σ aₖ² ≤ 1 (metres).
type Ellipsoid struct {
	Centre [3]float64
	Axes   [3][3]float64
	Label  string
}

// Box returns the half-spaces of low ≤ p ≤ high (metres) in a frame that t places in frame j, with a label for each
// face.
func Box(low, high [3]float64, t robot.Transform) []HalfSpace {
	var out []HalfSpace
	for k := range 3 {
		var n [3]float64
		for i := range 3 {
			n[i] = t.R[i][k]
		}
		shift := n[0]*t.P[0] + n[1]*t.P[1] + n[2]*t.P[2]
		axis := string("xyz"[k])
		out = append(out,
			HalfSpace{Normal: n, Offset: high[k] + shift, Label: fmt.Sprintf("%s of the centre of mass at most %g m", axis, high[k])},
			HalfSpace{Normal: [3]float64{-n[0], -n[1], -n[2]}, Offset: -low[k] - shift, Label: fmt.Sprintf("%s of the centre of mass at least %g m", axis, low[k])})
	}
	return out
}

// addBounds adds the constraints and their rows to the program.
func (c *program) addBounds(r *robot.Robot) error {
	if err := c.bounds.TotalMass.check("total mass", "kg"); err != nil {
		return err
	}
	units := make([][10]robot.Inertial, len(c.roots))
	for n := range units {
		units[n] = unitBodies(c.roots[n])
	}
	blocks := make([]*conic.Block, 0, len(units))
	for k := range c.Blocks {
		if c.Blocks[k].Kind == conic.Semidefinite {
			blocks = append(blocks, &c.Blocks[k])
		}
	}
	open := func(size int, label string) int {
		at := len(c.Offset)
		c.Constraints = append(c.Constraints, conic.Constraint{At: at, Size: size, Label: label})
		c.Offset = append(c.Offset, make([]float64, size)...)
		return at
	}
	// form adds coef, a linear form of the parameters of body n, to a row.
	form := func(n, row int, coef robot.Inertial) { blocks[n].AddRow(row, alongUnits(&units[n], &coef)) }
	masses := func(bodies []int, v Interval, what string) {
		if v.Low > 0 {
			row := open(1, massLabel(what, v.Low, 0))
			c.Offset[row] = -v.Low
			for _, n := range bodies {
				form(n, row, robot.Inertial{robot.M: 1})
			}
		}
		if v.High > 0 {
			row := open(1, massLabel(what, 0, v.High))
			c.Offset[row] = v.High
			for _, n := range bodies {
				form(n, row, robot.Inertial{robot.M: -1})
			}
		}
	}
	var links []int // links among the bodies, without payloads
	for n, o := range c.owner {
		if o.Term == regressor.Links {
			links = append(links, n)
		}
	}
	masses(links, c.bounds.TotalMass, totalMass)
	for _, b := range c.bounds.Bodies {
		n := -1
		for _, i := range links {
			if c.owner[i].Link == b.Link {
				n = i
			}
		}
		if n < 0 {
			return fmt.Errorf("a bound on link %q, which has no columns in the model", r.Links[b.Link].Name)
		}
		name := linkWord(r, b.Link)
		if err := b.Mass.check(name+"mass", "kg"); err != nil {
			return err
		}
		masses([]int{n}, b.Mass, name+"mass")
		for i := range b.Centre {
			h := &b.Centre[i]
			form(n, open(1, name+h.label()), robot.Inertial{robot.MX: -h.Normal[0], robot.MY: -h.Normal[1], robot.MZ: -h.Normal[2], robot.M: h.Offset})
		}
		if b.CentreIn != nil {
			in, err := b.CentreIn.inverse()
			if err != nil {
				return fmt.Errorf("%s%w", name, err)
			}
			row := open(4, name+b.CentreIn.label("centre of mass"))
			form(n, row, robot.Inertial{robot.M: 1})
			for k := range 3 { // A⁻¹·(l − m·c)
				shift := in[k][0]*b.CentreIn.Centre[0] + in[k][1]*b.CentreIn.Centre[1] + in[k][2]*b.CentreIn.Centre[2]
				form(n, row+1+k, robot.Inertial{robot.MX: in[k][0], robot.MY: in[k][1], robot.MZ: in[k][2], robot.M: -shift})
			}
		}
		if b.BodyIn != nil {
			in, err := b.BodyIn.inverse()
			if err != nil {
				return fmt.Errorf("%s%w", name, err)
			}
			form(n, open(1, name+b.BodyIn.label("whole body")), b.BodyIn.moment(&in))
		}
	}
	return nil
}

func (h *HalfSpace) label() string {
	if h.Label != "" {
		return h.Label
	}
	return fmt.Sprintf("centre of mass with %g·x%+g·y%+g·z ≤ %g m", h.Normal[0], h.Normal[1], h.Normal[2], h.Offset)
}

func (e *Ellipsoid) label(of string) string {
	if e.Label != "" {
		return of + " in " + e.Label
	}
	return fmt.Sprintf("%s in the ellipsoid about (%g, %g, %g) m", of, e.Centre[0], e.Centre[1], e.Centre[2])
}

// inverse returns A⁻¹ for the matrix A whose columns are the axes.
func (e *Ellipsoid) inverse() (out [3][3]float64, err error) {
	a := &e.Axes
	for k := range 3 {
		// The inverse's row k is the cross product of the other two axes over the volume.
		u, v := a[(k+1)%3], a[(k+2)%3]
		out[k] = [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	}
	volume := a[0][0]*out[0][0] + a[0][1]*out[0][1] + a[0][2]*out[0][2]
	if volume == 0 || math.IsNaN(volume) || math.IsInf(volume, 0) {
		return out, fmt.Errorf("the ellipsoid's axes (%v) span no volume", e.Axes)
	}
	for k := range 3 {
		for i := range 3 {
			out[k][i] /= volume
		}
	}
	return out, nil
}

// moment returns ∫(1 − ‖A⁻¹·(p − c)‖²)dm as a linear form of the ten parameters.
func (e *Ellipsoid) moment(in *[3][3]float64) robot.Inertial {
	var q [3][3]float64 // (A·Aᵀ)⁻¹
	for a := range 3 {
		for b := range 3 {
			for k := range 3 {
				q[a][b] += in[k][a] * in[k][b]
			}
		}
	}
	var qc [3]float64
	for a := range 3 {
		for b := range 3 {
			qc[a] += q[a][b] * e.Centre[b]
		}
	}
	cqc := e.Centre[0]*qc[0] + e.Centre[1]*qc[1] + e.Centre[2]*qc[2]
	// The second moments are ½·tr(L)·I − L: Σxx = (YY + ZZ − XX)/2, Σxy = −XY.
	h := [3]float64{q[0][0] / 2, q[1][1] / 2, q[2][2] / 2}
	return robot.Inertial{
		robot.XX: h[0] - h[1] - h[2], robot.YY: h[1] - h[0] - h[2], robot.ZZ: h[2] - h[0] - h[1],
		robot.XY: 2 * q[0][1], robot.XZ: 2 * q[0][2], robot.YZ: 2 * q[1][2],
		robot.MX: 2 * qc[0], robot.MY: 2 * qc[1], robot.MZ: 2 * qc[2], robot.M: 1 - cqc}
}
