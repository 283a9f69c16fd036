package loads

import (
	"context"
	"fmt"
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"ident/internal/spatial"
	"ident/robot"
)

// SectionSearch asks for the lightest round tubes of links with which a motion stays within the limits of stress,
// drives and deflection.
type SectionSearch struct {
	Links        []int   // indices of links with a section. They are bare tubes that keep their place and material
	Ratio        float64 // inner over outer radius, 0 … below 1
	Density      float64 // kg/m³
	Lower, Upper float64 // outer radii, m
	Deflection   float64 // largest allowed deflection of the tip, m; 0 for no limit
}

// SectionChoice is the outcome of a search.
type SectionChoice struct {
	Outer   []float64 // outer radii of SectionSearch.Links, m
	Mass    float64   // total mass of these links, kg
	Binding string    // the limit that is reached first
	Share   float64   // fraction of that limit that is used
	Report  *Report
	Robot   *robot.Robot // with these sections and bodies
}

// SectionError says that no tubes within the radii satisfy, and the limit that binds where the excess is least.
type SectionError struct {
	Lower, Upper float64
	Binding      string
	Share, Outer float64
}

func (e *SectionError) Error() string {
	return fmt.Sprintf("loads: no tubes of %.4g to %.4g m satisfy: with %.4g m, where the excess is least, %s is used to %.3g of it; change its limit, the ratio of the radii, or the motion",
		e.Lower, e.Upper, e.Outer, e.Binding, e.Share)
}

// Sections searches sections (Vukobratović and Potkonjak 1985, section 5.4): the thinnest tubes of one radius for all
// links that satisfy, and from there each link's own radius in turn, as thin as the others allow, until none changes.
// Torques are those of the bodies; a motion with torques of its own is refused.
func Sections(ctx context.Context, r *robot.Robot, s Series, opt Options, search SectionSearch) (*SectionChoice, error) {
	switch {
	case len(search.Links) == 0:
		return nil, fmt.Errorf("loads: a search over the sections of no links")
	case !(search.Ratio >= 0 && search.Ratio < 1):
		return nil, fmt.Errorf("loads: radii with a ratio of %g: give 0 (a full section) to below 1", search.Ratio)
	case !(search.Density > 0):
		return nil, fmt.Errorf("loads: a density of %g kg/m³: give a positive one", search.Density)
	case !(search.Lower > 0 && search.Lower < search.Upper):
		return nil, fmt.Errorf("loads: radii from %g to %g m: give a positive one and a larger one", search.Lower, search.Upper)
	case s.Tau != nil:
		return nil, fmt.Errorf("loads: the motion has torques of its own, which do not follow the sections; leave them out")
	}
	n := len(search.Links)
	try := func(outer []float64) (*SectionChoice, error) { return search.try(ctx, r, s, opt, outer) }
	common := func(radius float64) (*SectionChoice, error) { return try(slices.Repeat([]float64{radius}, n)) }
	// One radius for all, on a grid: more radius is more stiffness, and more mass for the drives.
	const grid = 24
	var best, nearest *SectionChoice
	below := search.Lower
	for i := range grid + 1 {
		radius := search.Lower * math.Pow(search.Upper/search.Lower, float64(i)/grid)
		c, err := common(radius)
		if err != nil {
			return nil, err
		}
		if nearest == nil || c.Share < nearest.Share {
			nearest = c
		}
		if c.Share <= 1 {
			best = c
			break
		}
		below = radius
	}
	if best == nil {
		return nil, &SectionError{search.Lower, search.Upper, nearest.Binding, nearest.Share, nearest.Outer[0]}
	}
	// thinner returns the best choice between radii of some links, the smaller of which does not satisfy.
	thinner := func(best *SectionChoice, from float64, with func(radius float64) (*SectionChoice, error), high float64) (*SectionChoice, error) {
		for low := from; high-low > 1e-5*high; {
			mid := (low + high) / 2
			c, err := with(mid)
			if err != nil {
				return nil, err
			}
			if c.Share <= 1 {
				best, high = c, mid
			} else {
				low = mid
			}
		}
		return best, nil
	}
	best, err := thinner(best, below, common, best.Outer[0])
	if err != nil {
		return nil, err
	}
	for range 8 {
		before := best.Mass
		for k := range n {
			with := func(radius float64) (*SectionChoice, error) {
				outer := slices.Clone(best.Outer)
				outer[k] = radius
				return try(outer)
			}
			if best, err = thinner(best, search.Lower, with, best.Outer[k]); err != nil {
				return nil, err
			}
		}
		if before-best.Mass < 1e-4*before {
			break
		}
	}
	return best, nil
}

// try computes the loads with radii.
func (q *SectionSearch) try(ctx context.Context, r *robot.Robot, s Series, opt Options, outer []float64) (*SectionChoice, error) {
	r = r.Clone()
	c := &SectionChoice{Outer: outer, Robot: r}
	for k, j := range q.Links {
		l := &r.Links[j]
		b, err := parseBeam(r, j)
		if err != nil {
			return nil, fmt.Errorf("loads: link %q: section: %w", l.Name, err)
		}
		text := map[string]any{}
		if err := yaml.Unmarshal([]byte(l.Section), &text); err != nil {
			return nil, fmt.Errorf("loads: link %q: section: %w", l.Name, err)
		}
		delete(text, "rectangular_tube")
		inner := q.Ratio * outer[k]
		text["tube"] = map[string]float64{"outer": outer[k], "inner": inner}
		written, err := yaml.Marshal(text)
		if err != nil {
			return nil, fmt.Errorf("loads: link %q: section: %w", l.Name, err)
		}
		l.Section = string(written)
		mass := q.Density * math.Pi * (outer[k]*outer[k] - inner*inner) * b.length
		along := mass * (outer[k]*outer[k] + inner*inner) / 2
		across := along/2 + mass*b.length*b.length/12
		central := spatial.Mul(b.axes, spatial.Mul(spatial.Mat{{across, 0, 0}, {0, across, 0}, {0, 0, along}}, spatial.Transpose(b.axes)))
		l.Own = robot.InertialFromCentral(mass, spatial.Scale(0.5, spatial.Add(b.from, b.to)), central)
		l.Inertial, l.HasInertial, l.Massless = l.Own, true, false
		c.Mass += mass
	}
	report, err := Of(ctx, r, s, opt)
	if err != nil {
		return nil, err
	}
	c.Report = report
	c.take(q, max(opt.Margin, 1))
	return c, nil
}

// take finds the limit that is used most.
func (c *SectionChoice) take(q *SectionSearch, margin float64) {
	limit := func(share float64, format string, a ...any) {
		if share > c.Share {
			c.Share, c.Binding = share, fmt.Sprintf(format, a...)
		}
	}
	for _, b := range c.Report.Beams {
		if b.Share != nil {
			limit(*b.Share, "the stress of link %q", b.Link)
		}
	}
	if t := c.Report.Tip; t != nil && q.Deflection > 0 {
		limit(math.Abs(t.Deflection.Value)/q.Deflection, "the deflection of the tip")
	}
	for i := range c.Report.Drives {
		if d := &c.Report.Drives[i]; d.Share != nil {
			limit(math.Abs(*d.Share), "the torque of joint %q", d.Joint)
		}
	}
	for i := range c.Report.Motors {
		u := &c.Report.Motors[i]
		limit(u.share*margin, "the line of the motor of joint %q", u.Joint)
		if u.Thermal != nil {
			limit(*u.Thermal*margin, "the continuous torque of the motor of joint %q", u.Joint)
		}
	}
}
