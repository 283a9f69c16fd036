package sensors

import (
	"fmt"
	"strings"
)

// Preset is a class of arms by its sensors.
type Preset struct {
	Name, Imitates string
	Rate           float64 // Hz of its log
	Faults         string  // faults, in the text form that Parse reads
}

// Presets lists the classes.
func Presets() []Preset {
	return []Preset{
		{"ideal-log", "sensors without faults", 1000, ""},
		{"industrial", "a geared arm of some ten kilograms payload: resolvers, torques from motor currents with two milliseconds of the drive's filter, gears that warm and ripple", 250,
			"torque-quantum=0.002,late-torque=0.002,ripple=0.02,warming=0.1"},
		{"cobot", "a light arm with harmonic drives: currents at 500 Hz rounded to a hundredth, elastic gears, friction that falls by a quarter as it warms, now and then a row held", 500,
			"torque-quantum=0.01,flexible=0.0005,warming=0.25,ripple=0.03,repeated=0.0005"},
		{"hobby-servo", "chains of servos on a bus: 4096 counts a turn, steps of 0.024 rad/s, coarse currents, a quarter of a degree of backlash, jitter of the bus and lost rows", 100,
			"encoder=0.00153,velocity-quantum=0.024,torque-quantum=0.03,backlash=0.0044,jitter=0.1,dropped=0.002"},
		{"torque-sensors", "an arm with torque sensors in its joints: a fine signal, a few samples late, with offsets that drift", 1000,
			"torque-quantum=0.0005,late-torque=0.003,offset-drift=0.02"},
		{"worn", "an arm after years: backlash, friction that halves as it warms, outliers", 250,
			"torque-quantum=0.005,backlash=0.003,warming=0.5,outliers=0.0002,late-torque=0.004"},
	}
}

// PresetOf finds a class by name.
func PresetOf(name string) (Preset, error) {
	var known []string
	for _, p := range Presets() {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, fmt.Errorf("%q is no class of sensors; they are %s", name, strings.Join(known, ", "))
}
