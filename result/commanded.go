package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Commanded is an identification without measured torques: from the commands and the positions of a robot under a law of
// control.
type Commanded struct {
	Controller string         `json:"controller"` // as given
	Parameters []LawParameter `json:"parameters"` // that were found
	PeriodS    float64        `json:"period_s"`   // of the law, s
	Commands   []string       `json:"commands"`   // channels of the commanded positions
	// SaturatedSamples are, by joint, the samples of the law whose torque the drive could not give.
	SaturatedSamples []int     `json:"saturated_samples"`
	Samples          int       `json:"samples"`
	PositionError    []float64 `json:"position_error"` // of the simulated motion, root mean square by joint, rad or m
	// ExplainedPercent is, by joint, the part of the power of the simulation's errors that signals of the commands explain beyond chance.
	ExplainedPercent []float64 `json:"explained_percent"`
}

// LawParameter is a gain, delay or encoder offset that an identification has found.
type LawParameter struct {
	Name  string  `json:"name"`
	Joint string  `json:"joint,omitempty"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// lawExplainedPercent is the part of the errors of a simulated motion that commands may explain. On simulated logs of six joints
// chance leaves below 1 %, and a tenth of the commands' velocity that the law does not know leaves 56 to 96 %.
const lawExplainedPercent = 5

// judge judges whether the controller is the one declared.
func (c *Commanded) judge(joints []string, base []BaseParameter, add func(id string, value, limit float64, why string) *Verdict) {
	if c == nil || len(c.ExplainedPercent) == 0 {
		return
	}
	c.judgeVelocity(base, add)
	worst := slices.Max(c.ExplainedPercent)
	v := add("controller", worst, lawExplainedPercent,
		fmt.Sprintf("signals of the commands explain %.2g %% of the errors of the simulated motion of %s; of a law and a robot as declared they explain none", worst, joints[slices.Index(c.ExplainedPercent, worst)]))
	v.Makes, v.Fix = Doubtful, "another law or another rate in {controller}, its limits, an unknown delay (delay=?), or terms that the model lacks"
}

// mostVelocityRatio is the viscous friction over the derivative gain beside it, beyond which a law pd may as well be pv. A robot under pv
// shows a gain of zero and the friction Fv + kd; its torques are late by the delay and half a period, which leaves the gain below one
// per cent of that.
const mostVelocityRatio = 100

// judgeVelocity judges whether the positions tell the law pd from pv: where the velocity of the commands has no effect, the same motion
// follows from a derivative gain on the measured velocity that takes a part of Fv, and through its delay of the inertias.
func (c *Commanded) judgeVelocity(base []BaseParameter, add func(id string, value, limit float64, why string) *Verdict) {
	if law, _, _ := strings.Cut(c.Controller, " "); law != "pd" {
		return
	}
	worst, why := 0.0, "the velocity of the commands acts: the law is not pv"
	for _, p := range c.Parameters {
		i := slices.IndexFunc(base, func(b BaseParameter) bool {
			return b.Joint == p.Joint && strings.HasPrefix(b.Name, "Fv") && strings.Trim(b.Name, "FvR0123456789") == ""
		})
		if !strings.HasPrefix(p.Name, "kd") || i < 0 || !(base[i].Value > 0) {
			continue
		}
		if ratio := base[i].Value / math.Max(p.Value-3*p.Sigma, 0); ratio > worst {
			worst = ratio
			if ratio > mostVelocityRatio {
				why = fmt.Sprintf("kd of %s is %.2g ± %.2g beside a viscous friction of %.4g %s: under the law pv, whose kd acts on the measured velocity, the robot moves the same with a friction that is less by kd, and with other inertias",
					p.Joint, p.Value, p.Sigma, base[i].Value, base[i].Unit)
			}
		}
	}
	if worst == 0 {
		return
	}
	v := add("velocity-law", worst, mostVelocityRatio, why)
	v.Makes, v.Fix = Doubtful, "the law and its kd as the controller's manual has them, such as pv kp=600 kd=60 in {controller}"
}
