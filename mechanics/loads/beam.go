package loads

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Beam is the stress in a link with a declared section. Stresses are in Pa.
type Beam struct {
	Link    string  `json:"link"`
	Length  float64 `json:"length"` // m
	Bending Peak    `json:"bending_stress"`
	Torsion Peak    `json:"torsion_stress"`
	// Combined is √(σ² + 3τ²) of the largest normal stress, with the axial force's, and the torsion (von Mises 1913).
	Combined Peak    `json:"combined_stress"`
	End      string  `json:"end"` // end with the largest combined stress, "root" or "tip"
	Bends    Peak    `json:"deflection"`
	Relative float64 `json:"relative_deflection"` // largest deflection as a part of the length
	// Share of the largest stress in that allowed, null where the material has none.
	Share *float64 `json:"stress_share"`
}

// Tip is the quasi-static deflection of the tip by all beams before it, and the lowest natural frequency of the
// beams with locked joints.
type Tip struct {
	Link       string   `json:"link"`
	Deflection Peak     `json:"deflection"`          // m
	Swinging   Peak     `json:"swinging_deflection"` // peak over time of an undamped vibration at the lowest frequency, excited by the motion, m
	Frequency  *float64 `json:"lowest_frequency_hz"` // lowest natural frequency along the motion, Hz
	At         float64  `json:"lowest_frequency_s"`
}

// Shares of a link's own mass that stand for it at the beam's end: the one whose weight bends a cantilever as far as the
// distributed weight does, (3/8)·ml³/3EI = ml³/8EI, and the one that vibrates as fast (Rayleigh 1877, section 8).
const (
	weighingShare  = 3.0 / 8
	vibratingShare = 33.0 / 140
)

// prepareBeams reads the sections.
func (c *computation) prepareBeams() error {
	var without []string
	for j := range c.r.Links {
		l := &c.r.Links[j]
		if l.Section == "" {
			if l.Joint.Kind != robot.Fixed && !l.Massless {
				without = append(without, l.Name)
			}
			continue
		}
		if !c.open(j) {
			c.note("link %q has a section and belongs to a closed loop: its stress is not computed", l.Name)
			continue
		}
		b, err := parseBeam(c.bare, j)
		if err != nil {
			return fmt.Errorf("link %q: section: %w", l.Name, err)
		}
		c.beams = append(c.beams, b)
		c.report.Beams = append(c.report.Beams, Beam{Link: l.Name, Length: b.length, End: "root"})
	}
	if len(c.beams) == 0 {
		return nil
	}
	for i, b := range c.beams {
		b.report = &c.report.Beams[i]
	}
	if len(without) > 0 {
		c.note("links without a section are rigid: %d of %d", len(without), len(without)+len(c.beams))
	}
	c.report.Tip = &Tip{Link: c.r.Links[c.tipLink()].Name}
	return nil
}

// tipLink returns the link whose deflection is that of the tip: the payload's, or the last beam's.
func (c *computation) tipLink() int {
	if p := c.opt.Payload; p != nil {
		return p.Link
	}
	return c.beams[len(c.beams)-1].link
}

// tipPoint returns the payload's centre of mass, or the end of the last beam, in the base.
func (c *computation) tipPoint() [3]float64 {
	at := c.beams[len(c.beams)-1].to
	if p := c.opt.Payload; p != nil {
		at, _ = p.Body.CentreOfMass()
	}
	f := c.re.Frame(c.tipLink())
	return spatial.Add(f.P, spatial.MulVec(f.R, at))
}

// carries reports whether a beam is on the way to a link.
func (c *computation) carries(b *beam, link int) bool {
	for j := link; j >= 0; j = c.r.Links[j].Antecedent {
		if j == b.link {
			return true
		}
	}
	return false
}

// endLoad returns the wrench on a beam's end, along the beam's axes: of the links that it carries, the payload and the
// share of its own mass.
func (c *computation) endLoad(b *beam) dynamics.Wrench {
	var sum dynamics.Wrench
	add := func(w dynamics.Wrench) {
		sum.Force, sum.Moment = spatial.Sub(sum.Force, w.Force), spatial.Sub(sum.Moment, w.Moment)
	}
	for _, j := range b.children {
		add(c.onAntecedent(j, b.to))
	}
	if p := c.opt.Payload; p != nil && p.Link == b.link {
		add(c.re.On(p.Link, p.Body).Moved(b.to))
	}
	add(c.re.On(b.link, robot.InertialFromCentral(weighingShare*b.own, b.to, spatial.Mat{})).Moved(b.to))
	return b.along(sum)
}

// along turns a wrench from the link's axes to the beam's.
func (b *beam) along(w dynamics.Wrench) dynamics.Wrench {
	return dynamics.Wrench{Force: spatial.MulTVec(b.axes, w.Force), Moment: spatial.MulTVec(b.axes, w.Moment)}
}

// stresses returns the stresses of bending, torsion and both with the axial force, at the point of the section where they are
// largest.
func (b *beam) stresses(w dynamics.Wrench) (bending, torsion, combined float64) {
	s := &b.section
	if s.IX == s.IY { // a round tube: the largest is in the plane of the moment
		bending = math.Hypot(w.Moment[0], w.Moment[1]) / s.WX
	} else { // an edge of the profile
		bending = math.Abs(w.Moment[0])/s.WX + math.Abs(w.Moment[1])/s.WY
	}
	torsion = math.Abs(w.Moment[2]) / s.WTorsion
	normal := bending + math.Abs(w.Force[2])/s.Area
	return bending, torsion, math.Sqrt(normal*normal + 3*torsion*torsion)
}

// bend returns the displacement, m, and turn, rad, of a beam's end against its root under a wrench there, along the
// beam's axes (Euler and Bernoulli; influence coefficients of Vukobratović and Potkonjak 1985, section 4.5).
func (b *beam) bend(w dynamics.Wrench) (u, phi [3]float64) {
	l, e, s := b.length, b.material.Young, &b.section
	ex, ey := e*s.IX, e*s.IY
	f, m := w.Force, w.Moment
	u = [3]float64{f[0]*l*l*l/(3*ey) + m[1]*l*l/(2*ey), f[1]*l*l*l/(3*ex) - m[0]*l*l/(2*ex), f[2] * l / (e * s.Area)}
	phi = [3]float64{m[0]*l/ex - f[1]*l*l/(2*ex), m[1]*l/ey + f[0]*l*l/(2*ey), m[2] * l / (b.material.ShearModulus() * s.Torsion)}
	return u, phi
}

// wrenchOf returns a wrench with force and moment in one list.
func wrenchOf(w [6]float64) dynamics.Wrench {
	return dynamics.Wrench{Force: [3]float64(w[:3]), Moment: [3]float64(w[3:])}
}

// strain adds the stresses and deflections of a sample.
func (c *computation) strain(k int) {
	if len(c.beams) == 0 {
		return
	}
	t, tip, target := c.s.T[k], c.tipPoint(), c.tipLink()
	var moved [3]float64
	for _, b := range c.beams {
		end := c.endLoad(b)
		root := b.along(c.re.Joint(b.link).Moved(b.from))
		b.stress = 0
		for i, w := range [2]dynamics.Wrench{root, end} {
			bending, torsion, combined := b.stresses(w)
			b.report.Bending.take(bending, t)
			b.report.Torsion.take(torsion, t)
			b.stress = math.Max(b.stress, combined)
			if b.report.Combined.take(combined, t) {
				b.report.End = [2]string{"root", "tip"}[i]
			}
		}
		u, phi := b.bend(end)
		b.report.Bends.take(hypot(u[0], u[1], u[2]), t)
		if !c.carries(b, target) {
			continue
		}
		f := c.re.Frame(b.link)
		turn := spatial.Mul(f.R, b.axes)
		arm := spatial.Sub(tip, spatial.Add(f.P, spatial.MulVec(f.R, b.to)))
		moved = spatial.Add(moved, spatial.Add(spatial.MulVec(turn, u), spatial.Cross(spatial.MulVec(turn, phi), arm)))
	}
	c.tip = spatial.Norm(moved)
	c.report.Tip.Deflection.take(c.tip, t)
	// The frequency changes with the pose alone: 50 samples of the motion show its least.
	if step := max(1, len(c.s.T)/50); k%step == 0 {
		f := c.lowestFrequency()
		c.swing.omega = 2 * math.Pi * f
		if f > 0 && (c.report.Tip.Frequency == nil || f < *c.report.Tip.Frequency) {
			c.report.Tip.Frequency, c.report.Tip.At = &f, t
		}
	}
	c.report.Tip.Swinging.take(spatial.Norm(c.swing.take(t, moved)), t)
}

// finishBeams computes the shares and says where the theory ends.
func (c *computation) finishBeams() {
	for i := range c.report.Beams {
		b := &c.report.Beams[i]
		b.Relative = math.Abs(b.Bends.Value) / b.Length
		if b.Relative > 0.05 {
			c.note("link %q bends by %.2g of its length: beyond 0.05 the linear theory of beams does not hold", b.Link, b.Relative)
		}
		m := c.beams[i].material
		if m.Tension > 0 {
			share := b.Combined.Value / m.Tension
			if m.Shear > 0 {
				share = math.Max(share, b.Torsion.Value/m.Shear)
			}
			b.Share = &share
		}
	}
}
