package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/digits"
	"ident/physical"
	"ident/robot"
)

// BodiesValue says how far the bodies of a result are known.
type BodiesValue string

// The values of BodiesValue.
const (
	// BodiesDetermined: the data determine all that torques on this robot can tell about its bodies.
	BodiesDetermined BodiesValue = "as-good-as-possible"
	// BodiesWeak: the robot file or bounds determine a part that other motions could determine.
	BodiesWeak BodiesValue = "weak"
	// BodiesContradicted: the free estimate is farther from all feasible bodies than its 95 % quantile.
	BodiesContradicted BodiesValue = "contradicted"
)

// MassSource says what determines a mass.
type MassSource string

// The sources of a mass. It is from the data if they remove more than half of its variance without them and determine it
// to 30 %; from bounds if a bound or a given total removes more than half of the rest.
const (
	FromData     MassSource = "data"
	FromFile     MassSource = "file"
	FromBounds   MassSource = "bounds"
	FromGeometry MassSource = "geometry" // the robot file gives no body: it is estimated from the lengths of the links
)

// Mass of a link, or of all moving links together.
type Mass struct {
	Kg     float64    `json:"mass_kg"`
	Sigma  float64    `json:"mass_sigma"`   // standard deviation, kg, if the file's masses are right within Bodies.Assumed
	FileKg float64    `json:"file_mass_kg"` // 0 where the robot file gives none
	From   MassSource `json:"mass_from"`
}

// LinkMass is the mass of one link including the bodies fixed to it.
type LinkMass struct {
	Link string `json:"link"`
	Mass
	Disputed bool `json:"disputed,omitempty"` // the data contradict the file's mass
}

// Bodies are the bodies of a result: with the measured torques, those nearest to the bodies of the robot file. Standard
// parameters and exports use them.
type Bodies struct {
	Total Mass       `json:"total"` // mass of the moving links, without the base
	Links []LinkMass `json:"links"`
	// Weight of the prior bodies relative to the data, and the relative standard deviation of their masses that it
	// assumes.
	Weight  float64 `json:"weight"`
	Assumed float64 `json:"assumed_relative_sigma"`
	// Factor on all masses of the file that the data suggest; 1 if they suggest none.
	Factor float64 `json:"factor"`
	// Determined of the Of base parameters of the bodies are determined by the data.
	Determined float64 `json:"determined"`
	Of         int     `json:"of"`
	// Distance of the nearest feasible estimate from the free one, in standard deviations, and its 95 % quantile under
	// chance alone.
	DistanceSigma float64 `json:"distance_sigma"`
	LimitSigma    float64 `json:"limit_sigma"`
	// TorqueExcess is the increase of the torque residual over that of the free estimate, in per cent.
	TorqueExcess float64 `json:"torque_excess_percent"`
}

// BodiesGrade is the verdict on the bodies.
type BodiesGrade struct {
	Value BodiesValue `json:"value"`
	Mass
	Reasons []Reason `json:"reasons"` // the weightiest first
}

// DescribeBodies records likely bodies. Their parameters replace the standard parameters of the result.
func (res *Result) DescribeBodies(r *robot.Robot, set *baseparams.Set, of *physical.BodyEstimate, sol *estimate.Solution) {
	if len(of.Masses) == 0 {
		return
	}
	if res.Consistency == nil { // the base parameters stay those of the free estimate
		moved := *sol
		moved.X = of.Base
		res.liftBodies(r, set, &moved, &of.Estimate)
		res.PhysicallyConsistent = res.PhysicallyConsistent && of.Nearest.Possible
	}
	b := &Bodies{Total: mass(&of.Total), Weight: of.Weight, Assumed: of.Assumed, Factor: of.Factor, Determined: of.Determined, Of: of.Of,
		DistanceSigma: of.Nearest.Distance, LimitSigma: of.Nearest.Limit}
	if of.Freedom > 0 {
		b.TorqueExcess = 100 * (math.Sqrt(1+of.Squared/of.Freedom) - 1)
	}
	for i := range of.Masses {
		m := &of.Masses[i]
		b.Links = append(b.Links, LinkMass{Link: r.Links[m.Link].Name, Mass: mass(m), Disputed: m.Trust < disputedTrust && m.Share > 0.5})
	}
	res.Bodies = b
	res.Notes = append(res.Notes, b.notes()...)
}

// disputedTrust is the weight of a file's mass below which data that determine the mass contradict the file: an error of
// more than 2.3 standard deviations.
const disputedTrust = 0.4

func mass(m *physical.LinkMass) Mass {
	return Mass{Kg: m.Mass, Sigma: m.Deviation, FileKg: m.File, From: MassSource(m.From)}
}

// Text returns the mass with its standard deviation, its source, and the file's mass.
func (m Mass) Text() string {
	s := fmt.Sprintf("%.3g ± %.2g kg (%s", m.Kg, m.Sigma, m.From)
	if m.FileKg > 0 {
		s += fmt.Sprintf("; the file says %.3g kg", m.FileKg)
	}
	return s + ")"
}

// notes returns the notes on the bodies.
func (b *Bodies) notes() []string {
	notes := []string{fmt.Sprintf("the links that move weigh %s; standard deviations of masses assume prior masses right to %.2g %%", b.Total.Text(), 100*b.Assumed)}
	if b.Factor != 1 {
		notes = append(notes, fmt.Sprintf("the data fit masses %.2g times those of the robot file better", b.Factor))
	}
	for _, l := range b.Links {
		if l.Disputed {
			notes = append(notes, fmt.Sprintf("the data contradict the robot file on link %q: %s", l.Link, l.Mass.Text()))
		}
	}
	return notes
}

// againstFile is the probability with which chance alone makes AgainstFile name a link, and mostAgainst the largest number of links
// that it names.
const againstFile, mostAgainst = 0.05, 3

// AgainstFile says in a sentence which links are lighter or heavier than the robot file says, beyond what chance makes of so many
// masses, the largest difference first; "" if none is. A mass counts only if the data determine it.
func (b *Bodies) AgainstFile() string {
	if b == nil {
		return ""
	}
	z := math.Sqrt2 * math.Erfinv(1-againstFile/float64(max(1, len(b.Links))))
	var apart []LinkMass
	for _, l := range b.Links {
		if l.From == FromData && l.FileKg > 0 && math.Abs(l.Kg-l.FileKg) > z*l.Sigma {
			apart = append(apart, l)
		}
	}
	if len(apart) == 0 {
		return ""
	}
	slices.SortStableFunc(apart, func(a, b LinkMass) int {
		return cmp.Compare(math.Abs(b.Kg-b.FileKg), math.Abs(a.Kg-a.FileKg))
	})
	var said []string
	for _, l := range apart[:min(len(apart), mostAgainst)] {
		word := "heavier"
		if l.Kg < l.FileKg {
			word = "lighter"
		}
		said = append(said, fmt.Sprintf("%s is %s kg %s", l.Link, digits.Measure(math.Abs(l.Kg-l.FileKg), l.Sigma), word))
	}
	of := " than the robot file says"
	if n := len(apart) - mostAgainst; n > 0 {
		of += fmt.Sprintf(", as others do: %d", n)
	}
	return strings.Join(said, ", ") + of
}

// determinedPart is the part of the bodies' base parameters that a good motion determines.
const determinedPart = 0.8

// Grade returns the verdict on the bodies, or nil if b is nil.
func (b *Bodies) Grade() *BodiesGrade {
	if b == nil {
		return nil
	}
	g := &BodiesGrade{Value: BodiesDetermined, Mass: b.Total, Reasons: []Reason{}}
	if b.Determined < determinedPart*float64(b.Of) {
		g.Value = BodiesWeak
		g.Reasons = append(g.Reasons, Reason{ID: "bodies", Makes: Doubtful, Fix: "record a motion designed for excitation",
			Why: fmt.Sprintf("the data decide %.0f of the %d base parameters of the bodies; the rest is from the %s", b.Determined, b.Of, b.rest())})
	}
	return g
}

// rest returns what determines the masses that the data do not.
func (b *Bodies) rest() string {
	if b.Total.From == FromGeometry {
		return "links' lengths"
	}
	return "robot file"
}
