package elastic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// FaultError says that a log contradicts the machine, and names the likely fault.
type FaultError struct {
	Log, Joint string
	What, Fix  string
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("%s: joint %q: %s; %s", e.Log, e.Joint, e.What, e.Fix)
}

// examine looks for encoders that are scaled by the gear ratio once too often or not at all. If they are right, motor
// and link differ only by the deflection of the spring, which is small against the motion.
func (m *Machine) examine(l *Log, s Sensors) error {
	if s != BothEncoders {
		return nil
	}
	for _, p := range m.Springs {
		if p.Motor < 0 {
			continue
		}
		slope, ok := slopeOf(l.X[p.Motor], l.X[p.Q])
		if !ok || math.Abs(slope-1) < slopeMargin {
			continue
		}
		// The product of the slopes is the square of the correlation.
		if back, ok := slopeOf(l.X[p.Q], l.X[p.Motor]); !ok || slope*back < leastCorrelation {
			return &FaultError{l.Name, p.Joint, "the positions of motor and link do not move together", "one of the channels is another joint's"}
		}
		e := &FaultError{Log: l.Name, Joint: p.Joint, What: fmt.Sprintf("the motor's position follows the link's with the factor %.4g", slope)}
		ratio := m.Robot.Links[p.Link].Joint.GearRatio
		switch {
		case ratio > 0 && near(slope, ratio):
			e.Fix = fmt.Sprintf("that is the gear ratio %g: the channel is the motor shaft's, divide it by the ratio", ratio)
		case ratio > 0 && near(slope, 1/ratio):
			e.Fix = fmt.Sprintf("that is one over the gear ratio %g: it is applied twice, take one away", ratio)
		case slope < 0:
			e.Fix = "one of the two encoders counts the other way: change its sign"
		case slope > 1:
			e.Fix = "the channel is the motor shaft's: divide it by the gear ratio"
		default:
			e.Fix = "the gear ratio is applied twice, or the link's encoder is the motor's: divide the motor's position by the ratio once"
		}
		return e
	}
	return nil
}

// slopeMargin is how far the slope between motor and link position may be from one. Deflections of a gear are some
// thousandths of a motion, at most a fifth; gear ratios are above two.
const slopeMargin = 0.3

// leastCorrelation is the smallest squared correlation of the motor's and the link's position of one joint.
const leastCorrelation = 0.5

func near(a, b float64) bool { return math.Abs(a-b) < slopeMargin*math.Abs(b) }

// slopeOf returns the slope of y over x, both without their means; it returns false if x does not move.
func slopeOf(y, x []float64) (float64, bool) {
	moves := stat.Variance(x, nil)
	return stat.Covariance(x, y, nil) / moves, moves > 0
}
