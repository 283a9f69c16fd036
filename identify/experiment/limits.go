package experiment

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/drives"
	"ident/simulate"
)

// needed are the largest currents (A) and voltages (V) of the drives of a motion.
type needed struct{ current, voltage []float64 }

func (n *needed) add(e *simulate.Record) {
	for _, of := range []struct {
		most *[]float64
		from [][]float64
	}{{&n.current, e.Current}, {&n.voltage, e.Voltage}} {
		if *of.most == nil {
			*of.most = make([]float64, len(of.from))
		}
		for i, values := range of.from {
			for _, x := range values {
				(*of.most)[i] = max((*of.most)[i], math.Abs(x))
			}
		}
	}
}

// beyond names the drives that cannot follow the motion: those whose currents or voltages exceed their limits.
func (n *needed) beyond(r *robot.Robot) (notes []string) {
	links := r.Independent()
	list, err := drives.Of(r, links)
	if err != nil {
		return nil
	}
	for i, d := range list {
		var current, voltage float64
		switch d := d.(type) {
		case *drives.Motor:
			current, voltage = d.MaxCurrent, d.MaxVoltage
		case *drives.Cylinder:
			current = d.MaxCurrent
		}
		for _, of := range []struct {
			most         []float64
			limit        float64
			signal, unit string
		}{{n.current, current, "current", "A"}, {n.voltage, voltage, "voltage", "V"}} {
			if of.limit > 0 && i < len(of.most) && of.most[i] > of.limit {
				notes = append(notes, fmt.Sprintf("the drive of joint %q cannot follow the motion: it needs a %s of %.3g %s, its max_%[2]s is %[5]g %[4]s", r.Links[links[i]].Joint.Name, of.signal, of.most[i], of.unit, of.limit))
			}
		}
	}
	return notes
}
