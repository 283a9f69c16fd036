package drives

import (
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/robot"
)

// number is a number of a robot file, or a constant expression.
type number float64

// UnmarshalYAML reads either.
func (n *number) UnmarshalYAML(node *yaml.Node) error {
	v, err := robot.ParseNumber(node.Value)
	if err != nil {
		return fmt.Errorf("%q: %w", node.Value, err)
	}
	*n = number(v)
	return nil
}

// text is the entry "dc" or "cylinder" of a joint's drive.
type text struct {
	DC *struct {
		Order                            int
		Resistance, Inductance, Constant number
		BackEMF                          *number `yaml:"back_emf"`
		Efficiency                       *number
		MaxVoltage                       number `yaml:"max_voltage"`
		MaxCurrent                       number `yaml:"max_current"`
		Command                          string
		Bandwidth                        number // Hz
	}
	Cylinder *struct {
		Order                 int
		Area, Modulus, Volume number
		FlowPressure          number `yaml:"flow_pressure"`
		Internal              number `yaml:"internal_leakage"`
		External              number `yaml:"external_leakage"`
		ValveC1               number `yaml:"valve_c1"`
		ValveC2               number `yaml:"valve_c2"`
		ValveGain             number `yaml:"valve_gain"`
		MaxCurrent            number `yaml:"max_current"`
	}
}

// Parse reads the entry of a joint, robot.Joint.Actuator, with the joint's gear ratio. The
// constant of the back-EMF is that of the torque where it is not given: in these units they are
// the same of a motor without losses of iron.
func Parse(entry string, ratio float64) (Drive, error) {
	var t text
	d := yaml.NewDecoder(strings.NewReader(entry))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("drive: %s", strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	switch {
	case t.DC != nil && t.Cylinder != nil:
		return nil, fmt.Errorf("drive: dc and cylinder: give one")
	case t.DC != nil:
		v := t.DC
		m := &Motor{Order: order(v.Order, 2, 3, v.Inductance), Resistance: float64(v.Resistance), Inductance: float64(v.Inductance), Constant: float64(v.Constant), BackEMF: float64(v.Constant),
			Ratio: ratio, Efficiency: 1, MaxVoltage: float64(v.MaxVoltage), MaxCurrent: float64(v.MaxCurrent), Bandwidth: 2 * math.Pi * float64(v.Bandwidth)}
		if v.BackEMF != nil {
			m.BackEMF = float64(*v.BackEMF)
		}
		if v.Efficiency != nil {
			m.Efficiency = float64(*v.Efficiency)
		}
		switch v.Command {
		case "", "voltage":
		case "current":
			m.ByCurrent = true
		default:
			return nil, fmt.Errorf("drive: dc: command %q: an amplifier is commanded by voltage or current", v.Command)
		}
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("drive: dc: %w", err)
		}
		return m, nil
	case t.Cylinder != nil:
		v := t.Cylinder
		c := &Cylinder{Order: order(v.Order, 3, 5, v.ValveC2), Area: float64(v.Area), Modulus: float64(v.Modulus), Volume: float64(v.Volume), FlowPressure: float64(v.FlowPressure),
			Internal: float64(v.Internal), External: float64(v.External), ValveC1: float64(v.ValveC1), ValveC2: float64(v.ValveC2), ValveGain: float64(v.ValveGain), MaxCurrent: float64(v.MaxCurrent)}
		if err := c.Check(); err != nil {
			return nil, fmt.Errorf("drive: cylinder: %w", err)
		}
		return c, nil
	}
	return nil, fmt.Errorf("drive: give dc or cylinder")
}

// order returns the one given, else the higher where its value is given.
func order(given, low, high int, of number) int {
	switch {
	case given != 0:
		return given
	case of != 0:
		return high
	}
	return low
}

// Of returns the drives that a robot's description has at the joints of some links, nil where it
// has none. The error names the joint.
func Of(r *robot.Robot, links []int) ([]Drive, error) {
	var out []Drive
	for _, j := range links {
		n := &r.Links[j].Joint
		if n.Actuator == "" {
			out = append(out, nil)
			continue
		}
		d, err := Parse(n.Actuator, n.GearRatio)
		if err != nil {
			return nil, fmt.Errorf("joint %q: %w", n.Name, err)
		}
		if _, ok := d.(*Cylinder); ok && n.Kind != robot.Prismatic {
			return nil, fmt.Errorf("joint %q turns: a cylinder drives a sliding joint; give the linkage between them as links and a loop", n.Name)
		}
		out = append(out, d)
	}
	return out, nil
}

// Any reports whether a joint has a drive.
func Any(list []Drive) bool {
	for _, d := range list {
		if d != nil {
			return true
		}
	}
	return false
}
