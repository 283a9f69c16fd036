package sensors

import (
	"fmt"
	"math/rand/v2"

	"ident/robot"
	"ident/robot/drives"
	"ident/simulate"
)

// environment is a joint's record as far as faults need it.
type environment struct {
	joints       int
	rate, length float64   // Hz, s
	rms          []float64 // of the torques
	fv, fs, gear []float64
	stream       *rand.Rand
}

// block is a part of the record with the memory of its stage.
type block struct {
	e    *simulate.Record
	keep []bool
}

// Stage changes the successive blocks of one record.
type Stage struct {
	effects []effect
	gains   []float64 // torque a current, 0 where the log has no motor's current
	keep    []bool
	tau     [][]float64
}

// NewStage prepares the faults of a recording of experiment x with robot r. rms holds the root mean
// square of each joint's torque, and seed decides the random faults.
func NewStage(r *robot.Robot, x *simulate.Simulation, list []Fault, rms []float64, seed uint64) (*Stage, error) {
	o := x.Outline()
	env := &environment{joints: len(o.Joints), rate: o.Options.Rate, length: float64(x.Samples()) / o.Options.Rate, rms: rms}
	if len(rms) != env.joints {
		panic(fmt.Sprintf("sensors: %d torques of %d joints", len(rms), env.joints))
	}
	at := map[string]*robot.Joint{}
	link := map[string]int{}
	for j := range r.Links {
		at[r.Links[j].Joint.Name] = &r.Links[j].Joint
		link[r.Links[j].Joint.Name] = j
	}
	var links []int
	for _, name := range o.Joints {
		n := at[name]
		env.fv, env.fs, env.gear = append(env.fv, n.Fv), append(env.fs, n.Fs), append(env.gear, n.GearRatio)
		links = append(links, link[name])
	}
	s := &Stage{gains: make([]float64, env.joints)}
	motors, err := drives.Of(r, links)
	if err != nil {
		return nil, fmt.Errorf("sensors: %w", err)
	}
	for i, d := range motors {
		if m, ok := d.(*drives.Motor); ok {
			s.gains[i] = m.Gain()
		}
	}
	for i, f := range list {
		k, ok := find(f.Name)
		if !ok {
			return nil, fmt.Errorf("sensors: %q is no fault", f.Name)
		}
		if f.Joints == nil {
			for j := range env.joints {
				f.Joints = append(f.Joints, j)
			}
		}
		own := *env
		own.stream = rand.New(rand.NewPCG(seed^0x666175_6c7473, uint64(i)))
		s.effects = append(s.effects, k.make(f, &own))
	}
	return s, nil
}

// Apply changes the next block of the record and returns its rows that the log has, in the block's
// memory.
func (s *Stage) Apply(e *simulate.Record) *simulate.Record {
	n := len(e.T)
	if s.keep == nil || len(s.keep) < n {
		s.keep = make([]bool, n)
		s.tau = make([][]float64, len(e.Measured.Tau))
		for i := range s.tau {
			s.tau[i] = make([]float64, n)
		}
	}
	b := &block{e, s.keep[:n]}
	for k := range b.keep {
		b.keep[k] = true
	}
	for i, x := range e.Measured.Tau {
		copy(s.tau[i], x)
	}
	for _, f := range s.effects {
		f(b)
	}
	for i, x := range e.Current {
		if s.gains[i] != 0 {
			for k := range x {
				x[k] += (e.Measured.Tau[i][k] - s.tau[i][k]) / s.gains[i]
			}
		}
	}
	return kept(e, b.keep)
}

// kept moves the rows that are kept to the front.
func kept(e *simulate.Record, keep []bool) *simulate.Record {
	n := 0
	columns := [][]float64{e.T}
	for _, g := range [][][]float64{e.Measured.Q, e.Measured.DQ, e.Measured.DDQ, e.Measured.Tau, e.Exact.Q, e.Exact.DQ, e.Exact.Tau, e.PassiveQ, e.Attached, e.Reference, e.Current, e.Voltage, e.Pressure} {
		columns = append(columns, g...)
	}
	for k, ok := range keep {
		if !ok {
			continue
		}
		if n < k {
			for _, c := range columns {
				c[n] = c[k]
			}
			for _, c := range e.Limited {
				c[n] = c[k]
			}
		}
		n++
	}
	if n == len(keep) {
		return e
	}
	return e.First(n)
}
