package virtual

import (
	"bytes"
	"math"
	"os"
	"slices"

	"ident/datasets"
)

// A Damage is one of the ten ways in which a log is spoilt.
type Damage string

const (
	Truncated    Damage = "truncated"     // a Parquet file without its last third
	TruncatedCSV Damage = "truncated-csv" // a CSV file that ends within a line
	NaN          Damage = "nan"           // values missing in ten rows
	Backward     Damage = "backward"      // half a second is written twice, with its stamps
	WrongRobot   Damage = "wrong-robot"   // the log of a robot of another model
	NoChannel    Damage = "no-channel"    // one joint has no torque channel
	Sign         Damage = "sign"          // a torque has the wrong sign
	Units        Damage = "units"         // positions in degrees
	Empty        Damage = "empty"         // a file of no bytes
	Stuck        Damage = "stuck"         // a position that keeps its value in the second half
	Milliseconds Damage = "milliseconds"  // a clock in ms
)

// Damages lists all kinds of damage; each further damaged log gets the next kind.
func Damages() []Damage {
	return []Damage{Truncated, TruncatedCSV, NaN, Backward, WrongRobot, NoChannel, Sign, Units, Empty, Stuck, Milliseconds}
}

// Reasons returns those by which the pipeline may rightly tell a damage, as quarantined logs state them: one each, but
// for the log of another robot, which may have fewer channels or more, or joints whose gears or order do not fit, or
// other masses.
func (d Damage) Reasons() []string {
	return map[Damage][]string{
		Truncated:    {"unreadable"},
		TruncatedCSV: {"unreadable"},
		Empty:        {"unreadable"},
		NaN:          {"dropout"},
		Backward:     {"clock-backward"},
		WrongRobot:   {"channels", "joint-order", "robot-mismatch", "gear-ratio", "misfit"},
		NoChannel:    {"channels"},
		Sign:         {"sign"},
		Units:        {"units"},
		Stuck:        {"stuck"},
		Milliseconds: {"clock-rate"},
	}[d]
}

// spoil changes the columns of a log, in place where it can; channels are t, q1 …, dq1 …, tau1 … of n joints.
func (d Damage) spoil(channels []datasets.Channel, cols [][]float64, n, joint int) ([]datasets.Channel, [][]float64) {
	rows := len(cols[0])
	q, tau := 1+joint, 1+2*n+joint
	switch d {
	case NaN:
		for i := range 10 {
			cols[tau][rows/3+i] = math.NaN()
		}
	case Backward:
		again := 0 // rows of half a second
		for again < rows/4 && cols[0][again]-cols[0][0] < 0.5 {
			again++
		}
		for _, c := range cols {
			copy(c[rows/2:], slices.Clone(c[rows/2-again:rows-again]))
		}
	case NoChannel:
		return append(channels[:tau:tau], channels[tau+1:]...), append(cols[:tau:tau], cols[tau+1:]...)
	case Sign:
		scale(cols[tau], -1)
	case Units:
		for j := range n {
			scale(cols[1+j], 180/math.Pi)
		}
	case Stuck:
		for i := rows / 2; i < rows; i++ {
			cols[q][i] = cols[q][rows/2]
		}
	case Milliseconds:
		scale(cols[0], 1000)
	}
	return channels, cols
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// cut cuts the file of a log, where the damage is one of the file.
func (d Damage) cut(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch d {
	case Truncated:
		text = text[:2*len(text)/3]
	case TruncatedCSV:
		text = text[:bytes.LastIndexByte(text[:2*len(text)/3], ',')]
	case Empty:
		text = nil
	default:
		return nil
	}
	return os.WriteFile(path, text, 0o666)
}
