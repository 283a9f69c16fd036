package scene

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/spatial"
	"ident/result"
	"ident/robot"
)

// Body is the body of a link by its ten inertial parameters.
type Body struct {
	Mass float64 `json:"mass"` // kg
	// Centre of mass in the link's frame, m; nil without a positive mass.
	Centre *[3]float64 `json:"centre,omitempty"`
	// Moments are the principal moments of inertia about the centre of mass, ascending, kg·m².
	Moments *[3]float64 `json:"moments,omitempty"`
	// Axes are the semi-axes of the ellipsoid of uniform density with these moments, m, along the columns of
	// Turn; nil where no body has them.
	Axes *[3]float64 `json:"axes,omitempty"`
	Turn *[9]float64 `json:"turn,omitempty"`
	// Doubt bounds the standard deviations of the centre's coordinates, m; nil where the data do not determine it.
	Doubt *[3]float64 `json:"doubt,omitempty"`
	From  string      `json:"from,omitempty"`  // source of the body: "identified", "from the robot file", "chosen by consistency" or "in parts"
	Why   string      `json:"why,omitempty"`   // why there is no ellipsoid
	Given bool        `json:"given,omitempty"` // all of the body is given: the data determine nothing of it
	Large bool        `json:"large,omitempty"` // the ellipsoid is far larger than the link
}

// judgeSize reports whether an ellipsoid is far larger than its link: it has a semi-axis above a quarter of the
// reach, and above twice the distance from the link's frame to its farthest end. A rod between its joints has √(5/12) = 0.65
// of their distance.
func (s *Scene) judgeSize(j int, b *Body) {
	if b == nil || b.Axes == nil {
		return
	}
	far := 0.0
	for _, shape := range s.Shapes {
		if shape.Link != j {
			continue
		}
		at := spatial.Norm(shape.B)
		if f := shape.Surface; f != nil {
			at = math.Max(spatial.Norm(f.Low), spatial.Norm(f.High))
		} else if shape.Pose != nil {
			at = spatial.Norm([3]float64(shape.Pose[9:])) + spatial.Norm(shape.Size)
		}
		far = math.Max(far, at)
	}
	b.Large = max(b.Axes[0], b.Axes[1], b.Axes[2]) > math.Max(s.Reach/4, 2*far)
}

// newBody measures the body of ten parameters.
func newBody(p robot.Inertial) *Body {
	b := &Body{Mass: p.Mass()}
	for _, v := range p {
		if !(math.Abs(v) < 1e12) { // larger than any machine: squares and quotients would leave the range of numbers
			return &Body{Why: "not known"}
		}
	}
	com, ok := p.CentreOfMass()
	central, ok2 := p.Central()
	if !ok || !ok2 || !(b.Mass > 1e-9) {
		b.Why = "its mass is not positive"
		return b
	}
	com = roundAll(com)
	b.Centre = &com
	moments, axes, ok := eigen.Scaled(mat.NewSymDense(3, append(append(central[0][:], central[1][:]...), central[2][:]...)), true)
	if !ok {
		b.Why = "its inertia has no principal axes"
		return b
	}
	m := [3]float64(moments)
	b.Moments = &m
	var semi [3]float64
	for k := range semi {
		square := 2.5 / b.Mass * (m[(k+1)%3] + m[(k+2)%3] - m[k])
		// Rounding of three moments leaves as much of the largest.
		if square < -2.5/b.Mass*1e-12*math.Abs(m[2]) {
			b.Why = "no body has its moments of inertia"
			return b
		}
		semi[k] = round(math.Sqrt(math.Max(0, square)))
	}
	b.Axes, b.Turn = &semi, new([9]float64)
	for i := range 3 {
		for k := range 3 {
			b.Turn[3*i+k] = round(axes.At(i, k))
		}
	}
	return b
}

// bodyOfFile returns the body of the robot file; nil where it gives none.
func bodyOfFile(l *robot.Link) *Body {
	if !l.HasInertial || l.Massless || l.Inertial == (robot.Inertial{}) {
		return nil
	}
	return newBody(l.Inertial)
}

// Sources of a body.
const (
	identified  = "identified"
	fromFile    = "from the robot file"
	consistency = "chosen by consistency"
)

// Identify adds the bodies of a result to the links that it has standard parameters of.
func (s *Scene) Identify(res *result.Result) {
	names := map[string]int{}
	for j, l := range s.Links {
		names[l.Name] = j
	}
	type found struct {
		inertial robot.Inertial
		sigma    [robot.NumInertial]float64
		known    [robot.NumInertial]bool
		n        int
	}
	for _, g := range res.JointGrades {
		for j := range s.Links {
			s.Links[j].Unknown = s.Links[j].Unknown || s.Links[j].Joint == g.Name && g.Parameters == result.Unknown
		}
	}
	bodies := map[int]*found{}
	for _, p := range res.StandardParameters {
		j, ok := names[p.Link]
		k := kindOf(p.Name)
		if !ok || k < 0 || p.Frame != "mdh" {
			continue
		}
		f := bodies[j]
		if f == nil {
			f = &found{}
			bodies[j] = f
		}
		f.inertial[k], f.sigma[k], f.known[k] = p.Value, p.Sigma, p.Determined
		f.n++
	}
	for j, f := range bodies {
		if f.n != robot.NumInertial {
			continue
		}
		b := newBody(f.inertial)
		var alone, carried int
		for k := range f.known {
			switch {
			case f.known[k]:
				alone++
			case f.sigma[k] > 0:
				carried++
			}
		}
		rest := fromFile
		switch {
		case res.Consistency != nil:
			rest = consistency
		case !s.robot.Links[j].HasInertial:
			rest = "taken as zero, since the robot file gives none"
		}
		switch {
		case alone == robot.NumInertial:
			b.From = identified
		case alone+carried == 0:
			b.From, b.Given = rest, true
		case alone == 0:
			b.From = "of the data, with the rest " + rest
		default:
			b.From = fmt.Sprintf("%d of ten parameters identified, the rest %s", alone, rest)
		}
		if b.Centre != nil && finiteAll(f.sigma) && f.known[robot.M] && f.known[robot.MX] && f.known[robot.MY] && f.known[robot.MZ] {
			b.Doubt = doubt(f.inertial, f.sigma)
		}
		s.judgeSize(j, b)
		s.Links[j].Identified = b
	}
}

func finiteAll(v [robot.NumInertial]float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// doubt bounds the standard deviations of a centre c = mc/m whatever the correlation of mass and first moment: the root
// of a variance is at most the sum of its parts' roots, σ(c) ≤ σ(mc)/m + |c|·σ(m)/m.
func doubt(p robot.Inertial, sigma [robot.NumInertial]float64) *[3]float64 {
	var d [3]float64
	for i, k := range [3]int{robot.MX, robot.MY, robot.MZ} {
		d[i] = round((sigma[k] + math.Abs(p[k]/p[robot.M])*sigma[robot.M]) / p[robot.M])
	}
	return &d
}

// kindOf returns the index among the ten parameters of a name such as XX3, -1 for another.
func kindOf(name string) int {
	kind := strings.TrimRight(name, "0123456789")
	for k, n := range robot.InertialNames {
		if n == kind {
			return k
		}
	}
	return -1
}
