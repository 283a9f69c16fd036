package sensors

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Fault is one fault of a list.
type Fault struct {
	Name   string
	Joints []int // indices of independent joints; nil for all
	Size   float64
}

// kind is a fault of the table.
type kind struct {
	name, unit, about string
	size              float64 // where none is given
	most              float64
	rows              bool // of whole rows, not of a joint
	make              func(f Fault, e *environment) effect
}

// effect changes a block in place.
type effect func(b *block)

// table lists the faults.
func table() []kind {
	inf := math.Inf(1)
	return []kind{
		{"zero", "rad or m", "the encoder's zero is off", 0.05, inf, false, zero},
		{"encoder", "rad or m", "the position is rounded to counts of this size", 0.01, inf, false, encoder},
		{"velocity-quantum", "rad/s or m/s", "the velocity is rounded to steps of this size", 0.02, inf, false, velocityQuantum},
		{"torque-quantum", "of the torque's rms", "the torque, or the current, is rounded to steps of this size", 0.2, inf, false, torqueQuantum},
		{"late-velocity", "s", "the velocity comes late", 0.02, 1e3, false, lateVelocity},
		{"late-torque", "s", "the torque comes late", 0.02, 1e3, false, lateTorque},
		{"jitter", "of a period", "standard deviation of the time stamps", 0.3, 10, true, jitter},
		{"dropped", "of the rows", "rows are missing", 0.01, 0.9, true, dropped},
		{"repeated", "of the rows", "rows repeat the one before, but for the time", 0.01, 0.9, true, repeated},
		{"outliers", "of the rows", "torques jump by thirty times their rms for a row", 0.001, 0.9, false, outliers},
		{"spikes", "of the rows", "positions jump by half a radian or metre for a row", 0.001, 0.9, false, spikes},
		{"saturated", "of the torque's rms", "the torque is cut at this size", 1.2, inf, false, saturated},
		{"offset-drift", "of the torque's rms", "the torque's offset grows to this size over the record", 0.3, inf, false, offsetDrift},
		{"offset-step", "of the torque's rms", "the torque's offset jumps by this size in the middle", 0.3, inf, false, offsetStep},
		{"warming", "of the friction", "friction falls by this part as the gear warms", 0.5, 1, false, warming},
		{"backlash", "rad or m", "lost motion between the motor's encoder and the joint", 0.005, inf, false, backlash},
		{"flexible", "rad or m at the rms", "the gear is elastic, the encoder at the motor", 0.01, inf, false, flexible},
		{"ripple", "of the torque's rms", "the torque ripples once a turn of the motor", 0.1, inf, false, ripple},
		{"stuck", "of the record", "the position keeps its value from this part on", 0.5, 1, false, stuck},
		{"scale", "factor", "the torque is multiplied by it", 1.3, inf, false, scale},
		{"sign", "factor", "the torque's sign is reversed", -1, inf, false, scale},
	}
}

// Description is a line of the list of faults.
type Description struct {
	Name, Unit, About string
	Size              float64 // default size
}

// List describes all faults.
func List() []Description {
	var out []Description
	for _, k := range table() {
		out = append(out, Description{k.name, k.unit, k.about, k.size})
	}
	return out
}

func find(name string) (kind, bool) {
	for _, k := range table() {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// Parse reads a list, NAME[:JOINT][=SIZE] comma-separated, with joints by number from 1 or by
// name and the sizes of the table where none is given:
//
//	late-torque=0.01,outliers:2=0.005,dropped,zero:elbow
func Parse(text string, joints []string) ([]Fault, error) {
	var out []Fault
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, size, sized := strings.Cut(item, "=")
		name, joint, single := strings.Cut(name, ":")
		k, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("%q is no fault; they are %s", name, strings.Join(names(), ", "))
		}
		f := Fault{Name: name, Size: k.size}
		if single {
			i := slices.Index(joints, joint)
			if n, err := strconv.Atoi(joint); i < 0 && err == nil {
				i = n - 1
			}
			switch {
			case k.rows:
				return nil, fmt.Errorf("%s: this fault changes whole rows: leave out joint %s", name, joint)
			case i < 0 || i >= len(joints):
				return nil, fmt.Errorf("%s: %q is no joint; they are %s", name, joint, strings.Join(joints, ", "))
			}
			f.Joints = []int{i}
		}
		if sized {
			v, err := strconv.ParseFloat(strings.TrimSpace(size), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > k.most || v < 0 && k.name != "zero" && k.name != "scale" && k.name != "sign" {
				return nil, fmt.Errorf("%s=%s: give a size, %s, as %g", name, size, k.unit, k.size)
			}
			f.Size = v
		}
		out = append(out, f)
	}
	return out, nil
}

func names() []string {
	var out []string
	for _, k := range table() {
		out = append(out, k.name)
	}
	return out
}

// String returns the fault as Parse reads it, with the joint's number.
func (f Fault) String() string {
	s := f.Name
	for _, j := range f.Joints {
		s += fmt.Sprintf(":%d", j+1)
	}
	return fmt.Sprintf("%s=%g", s, f.Size)
}
