package elastic

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/excite"
	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// DitherPrefix begins the names of the channels of a dither's torques, before the joint's.
const DitherPrefix = "dither_"

// ditherSamples is the least number of samples in a period of the highest line: torques held over a fifth of a
// period keep 94 % of its amplitude, sinc(1/5).
const ditherSamples = 5

// Dither is the excitation of springs beside a motion: torques that are added to those of the drives, as elastic.Machine.Shake
// designs them.
type Dither struct {
	Band   [2]float64      `json:"band_hz"` // frequencies of the first and the last line, Hz
	Lines  int             `json:"lines"`
	Joints []DitheredJoint `json:"joints"`

	torques []Multisine
}

// DitheredJoint is the multisine of one drive, in N·m or N.
type DitheredJoint struct {
	Joint string  `json:"joint"`
	RMS   float64 `json:"rms_torque"`
	Peak  float64 `json:"peak_torque"`

	unit string
	q    int
}

// DesignDither designs the dither of a robot along a motion. An *elastic.MissingError names the joints whose
// stiffness or rotor inertia the file lacks: the band is not known without.
func DesignDither(r *robot.Robot, motion simulate.Sampler) (*Dither, error) {
	m, err := New(r)
	if err != nil {
		return nil, err
	}
	torques, err := m.Shake(motion, motion.Duration())
	if err != nil {
		return nil, err
	}
	d := &Dither{torques: torques}
	names, moving := project.JointNames(r), r.Moving()
	for q, s := range torques {
		if s.Amplitude == 0 {
			continue
		}
		d.Lines, d.Band = s.Lines, [2]float64{s.First, s.First + float64(s.Lines-1)*s.Step}
		j := DitheredJoint{Joint: names[q], RMS: s.Amplitude * math.Sqrt(float64(s.Lines)/2), unit: "N.m", q: q}
		if r.Links[moving[q]].Joint.Kind == robot.Prismatic {
			j.unit = "N"
		}
		// Twenty samples per period of the last line miss less than 2 % of a crest, 1 − cos(π/20).
		for t, step := 0.0, 1/(20*d.Band[1]); t < motion.Duration(); t += step {
			j.Peak = math.Max(j.Peak, math.Abs(s.At(t)))
		}
		d.Joints = append(d.Joints, j)
	}
	return d, nil
}

// Columns returns the channels of the torques, for the samples of the motion.
func (d *Dither) Columns() []project.Column {
	var out []project.Column
	for _, j := range d.Joints {
		out = append(out, project.Column{Channel: datasets.Channel{Name: DitherPrefix + j.Joint, Unit: j.unit}, At: d.torques[j.q].At})
	}
	return out
}

// Notes returns warnings about the dither: if the sampling rate is too low for it, or if the motion leaves too little
// of the torque limits.
func (d *Dither) Notes(r *robot.Robot, rate float64, margins []excite.Margin) []string {
	var notes []string
	if least := ditherSamples * d.Band[1]; rate < least {
		notes = append(notes, fmt.Sprintf("%.4g samples a second are too few for a multisine up to %.3g Hz: give %.0f or more", rate, d.Band[1], math.Ceil(least)))
	}
	moving := r.Moving()
	for _, j := range d.Joints {
		limit := r.Links[moving[j.q]].Joint.Effort
		for _, m := range margins {
			if m.Joint == j.Joint && m.Torque != nil && limit > 0 && j.Peak > *m.Torque*limit {
				notes = append(notes, fmt.Sprintf("joint %s: the motion leaves %.3g %s of the torque limit, the multisine has peaks of %.3g: give a lower limit for the design, or scale the multisine", j.Joint, *m.Torque*limit, j.unit, j.Peak))
			}
		}
	}
	return notes
}
