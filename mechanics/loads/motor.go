package loads

import (
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/robot/drives"
	"ident/robot/shapes"
)

// Motor is a motor with its gear, as a catalogue gives it. Zero stands for a limit that is not known.
type Motor struct {
	Name         string  `json:"name"`
	Stall        float64 `json:"stall_torque,omitempty"`      // N·m, of the line at rest
	NoLoad       float64 `json:"no_load_speed,omitempty"`     // no-load speed of the torque-speed line, rad/s
	Peak         float64 `json:"peak_torque,omitempty"`       // N·m, of the drive's current limit
	Continuous   float64 `json:"continuous_torque,omitempty"` // N·m, thermal: of the root mean square
	RotorInertia float64 `json:"rotor_inertia,omitempty"`     // kg·m², at the motor
	Mass         float64 `json:"mass,omitempty"`              // mass with the gear, kg
	Ratio        float64 `json:"ratio,omitempty"`             // gear ratio: motor turns per joint turn, or rad per metre; 0 means the ratio of the robot file
	Efficiency   float64 `json:"efficiency,omitempty"`        // efficiency of the gear, 0 … 1; 0 means 1
}

type motorText struct {
	Name         string
	Stall        shapes.Number `yaml:"stall_torque"`
	NoLoad       shapes.Number `yaml:"no_load_speed"`
	Peak         shapes.Number `yaml:"peak_torque"`
	Continuous   shapes.Number `yaml:"continuous_torque"`
	RotorInertia shapes.Number `yaml:"rotor_inertia"`
	Mass         shapes.Number
	Ratio        shapes.Number
	Efficiency   shapes.Number
}

// ParseMotor reads the entry "motor" of a joint in a robot file.
func ParseMotor(text string) (Motor, error) {
	var t motorText
	if err := strict(text, &t); err != nil {
		return Motor{}, fmt.Errorf("motor: %w", err)
	}
	m := t.motor()
	if err := m.check(); err != nil {
		return m, fmt.Errorf("motor: %w", err)
	}
	return m, nil
}

// ParseCatalogue reads a list of motors in YAML, each as the entry "motor" of a joint.
func ParseCatalogue(text string) ([]Motor, error) {
	var list []motorText
	if err := strict(text, &list); err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	var out []Motor
	for i, t := range list {
		m := t.motor()
		if m.Name == "" {
			m.Name = fmt.Sprintf("motor %d", i+1)
		}
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("catalogue: %s: %w", m.Name, err)
		}
		if m.Continuous == 0 && m.Peak == 0 && m.Stall == 0 {
			return nil, fmt.Errorf("catalogue: %s has no torque: give stall_torque with no_load_speed, peak_torque or continuous_torque", m.Name)
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("catalogue: no motor; give a list, - {name: M1, continuous_torque: 1, peak_torque: 3, mass: 2}")
	}
	return out, nil
}

// strict decodes a YAML text without unknown keys.
func strict(text string, to any) error {
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(to); err != nil {
		return shapes.Plain(err)
	}
	return nil
}

func (t *motorText) motor() Motor {
	return Motor{t.Name, float64(t.Stall), float64(t.NoLoad), float64(t.Peak), float64(t.Continuous), float64(t.RotorInertia), float64(t.Mass), float64(t.Ratio), float64(t.Efficiency)}
}

func (m *Motor) check() error {
	for _, f := range []struct {
		name string
		v    float64
	}{{"stall_torque", m.Stall}, {"no_load_speed", m.NoLoad}, {"peak_torque", m.Peak}, {"continuous_torque", m.Continuous},
		{"rotor_inertia", m.RotorInertia}, {"mass", m.Mass}, {"efficiency", m.Efficiency}} {
		if f.v < 0 {
			return fmt.Errorf("%s %g must not be negative", f.name, f.v)
		}
	}
	switch {
	case m.Efficiency > 1:
		return fmt.Errorf("efficiency %g is above 1", m.Efficiency)
	case (m.Stall > 0) != (m.NoLoad > 0):
		return fmt.Errorf("the line needs both stall_torque and no_load_speed; they are %g N·m and %g rad/s", m.Stall, m.NoLoad)
	}
	return nil
}

func (m *Motor) efficiency() float64 {
	if m.Efficiency == 0 {
		return 1
	}
	return m.Efficiency
}

// torque returns the torque of the motor, N·m, for a torque at the joint (N·m or N) without its rotor's, the joint's rate and
// acceleration: through the gear by the law of package drives, with the rotor's own acceleration, reflected inertia ia (kg·m² or kg
// at the joint). Vukobratović and Potkonjak (1985, 3.5.1) print a product with η for the driving motor; their own example divides.
func (m *Motor) torque(joint, rate, acceleration, ia float64) float64 {
	return drives.ThroughGear(joint, rate, 1-m.efficiency())/m.Ratio + ia*acceleration/m.Ratio
}

// limit returns the largest torque, N·m, at a speed, rad/s, in the direction of a torque: the line of the voltage,
// M·(1 − n/n₀), which a braking motor has beyond its stall torque, and the limit of the current. +Inf where none is known.
func (m *Motor) limit(torque, speed float64) float64 {
	most := math.Inf(1)
	if m.Peak > 0 {
		most = m.Peak
	}
	if m.Stall > 0 {
		along := math.Abs(speed)
		if torque*speed < 0 {
			along = -along
		}
		most = math.Min(most, math.Max(0, m.Stall*(1-along/m.NoLoad)))
	}
	return most
}

// MotorUse says how far a motion takes a motor to its limits.
type MotorUse struct {
	Joint string `json:"joint"`
	Motor Motor  `json:"motor"`
	// Torque, N·m, and speed, rad/s, are those of the motor's shaft, power in W.
	Torque Peak    `json:"torque"`
	RMS    float64 `json:"rms_torque"`
	Speed  Peak    `json:"speed"`
	Power  Peak    `json:"power"`
	// Line is the largest share of the torque that the motor has at its speed; above 1 it cannot follow. Null
	// where no limit is known, and where the speed is beyond that without load.
	Line *float64 `json:"line_share"`
	// Thermal is the root mean square over the continuous torque, null where that is not known.
	Thermal *float64 `json:"thermal_share"`
	// Tightest is the time at which the largest share of the limit is used. Violated is the time of the first sample beyond the limit, null if there is none.
	Tightest float64  `json:"tightest_s"`
	Violated *float64 `json:"violated_s"`
	OK       bool     `json:"ok"`
	Plane    Plane    `json:"torque_speed"` // torque over speed at the motor's shaft

	points                *grid // nil for a motor that is only tried
	squares, time         float64
	share                 float64
	lastTorque, lastSpeed float64
}

func (u *MotorUse) take(t, w, torque, speed float64) {
	u.Torque.take(torque, t)
	u.Speed.take(speed, t)
	u.Power.take(torque*speed, t)
	u.lastTorque, u.lastSpeed = torque, speed
	u.squares += w * torque * torque
	if u.points != nil {
		u.points.take(torque, speed)
	}
	u.time += w
	limit := u.Motor.limit(torque, speed)
	share := 0.0
	if !math.IsInf(limit, 1) && torque != 0 {
		share = math.Abs(torque) / limit
	}
	if share > u.share {
		u.share, u.Tightest = share, t
	}
	if share > 1 && u.Violated == nil {
		u.Violated = &t
	}
}

// finish computes the shares; margin is the least ratio of a motor's limit to its use.
func (u *MotorUse) finish(margin float64) {
	u.RMS = math.Sqrt(u.squares / u.time)
	u.OK = u.share*margin <= 1
	if u.points != nil {
		u.Plane = u.points.plane()
	}
	if (u.Motor.Stall > 0 || u.Motor.Peak > 0) && !math.IsInf(u.share, 1) {
		u.Line = &u.share
	}
	if c := u.Motor.Continuous; c > 0 {
		thermal := u.RMS / c
		u.Thermal = &thermal
		u.OK = u.OK && thermal*margin <= 1
	}
}

// why names the limits that a motor exceeds, "" for none.
func (u *MotorUse) why(margin float64) string {
	var out []string
	switch {
	case math.IsInf(u.share, 1):
		out = append(out, fmt.Sprintf("%.4g rad/s are beyond its %.4g", math.Abs(u.Speed.Value), u.Motor.NoLoad))
	case u.share*margin > 1:
		out = append(out, fmt.Sprintf("it needs %.3g of its torque at its speed, at %.4g s", u.share, u.Tightest))
	}
	if u.Thermal != nil && *u.Thermal*margin > 1 {
		out = append(out, fmt.Sprintf("root mean square %.4g of continuous %.4g N·m", u.RMS, u.Motor.Continuous))
	}
	return strings.Join(out, "; ")
}
