package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Commanded describes an identification without measured torques: from commands and positions of a robot under a control
// law.
type Commanded struct {
	Controller string         `json:"controller"` // controller as it was given
	Parameters []LawParameter `json:"parameters"` // gains and delays that were found
	PeriodS    float64        `json:"period_s"`   // sampling period of the law, s
	Commands   []string       `json:"commands"`   // channels of the commanded positions
	// SaturatedSamples counts, by joint, the samples at which the drive could not give the law's torque.
	SaturatedSamples []int     `json:"saturated_samples"`
	Samples          int       `json:"samples"`
	PositionError    []float64 `json:"position_error"` // error of the simulated motion, root mean square by joint, rad or m
	// ExplainedPercent is, by joint, the part of the power of the simulation's errors that signals of the commands
	// explain beyond chance.
	ExplainedPercent []float64 `json:"explained_percent"`
	// Viscous and ViscousWithout are, by joint, the viscous friction of a linear estimate under the law and under the law without the
	// velocity of the commands, N·m·s/rad or N·s/m; nil if the derivative gains are unknown.
	Viscous        []float64 `json:"viscous,omitempty"`
	ViscousWithout []float64 `json:"viscous_without,omitempty"`
}

// LawParameter is a gain, delay or encoder offset that was identified.
type LawParameter struct {
	Name  string  `json:"name"`
	Joint string  `json:"joint,omitempty"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// lawExplainedPercent is the largest part of the errors of a simulated motion that commands may explain. On simulated
// logs of six joints chance stays below 1 %; a tenth of the commands' velocity missing from the law gives 56 to 96 %.
const lawExplainedPercent = 5

// judge adds the verdict whether the controller is the declared one.
func (c *Commanded) judge(joints []string, base []BaseParameter, add func(id string, value, limit float64, why string) *Verdict) {
	if c == nil || len(c.ExplainedPercent) == 0 {
		return
	}
	c.judgeVelocity(base, add)
	worst := slices.Max(c.ExplainedPercent)
	v := add("controller", worst, lawExplainedPercent,
		fmt.Sprintf("signals of the commands explain %.2g %% of the errors of the simulated motion of %s; if law and robot are declared right, they explain none", worst, joints[slices.Index(c.ExplainedPercent, worst)]))
	v.Makes, v.Fix = Doubtful, "another law or another rate in {controller}, its limits, an unknown delay (delay=?), or terms that the model lacks"
	if law, _, _ := strings.Cut(c.Controller, " "); law == "pd" && c.WithoutVelocity() {
		v.Fix = "first the law pv in {controller}, whose velocity command is zero: with it friction is less by kd in every joint; then " + v.Fix
	}
}

// judgeKnownVelocity adds the verdict whether a law pd with known gains may be pv, as most motor boards have it. Both move a robot alike
// if its viscous friction differs by kd, so that no error tells them apart. Under a law that is pd in truth the friction
// of pv is what is left of it less kd: below zero for a joint whose friction is less than its damping. If no joint has friction below
// zero under pv, by more than the error of the estimate, pv is possible, and likely, since the friction under pd then exceeds kd everywhere.
func (c *Commanded) judgeKnownVelocity(add func(id string, value, limit float64, why string) *Verdict) {
	if slices.Max(c.Viscous) == 0 && slices.Max(c.ViscousWithout) == 0 && slices.Min(c.ViscousWithout) == 0 {
		return // no joint has the term
	}
	value, why := 0.0, "without the velocity of the commands friction would be negative: the law is not pv"
	if c.WithoutVelocity() {
		value = 1
		why = fmt.Sprintf("under the law pv, whose velocity command is zero, viscous friction is %.2g to %.2g instead of %.2g to %.2g, less by kd in every joint: both laws move the robot alike",
			slices.Min(c.ViscousWithout), slices.Max(c.ViscousWithout), slices.Min(c.Viscous), slices.Max(c.Viscous))
	}
	v := add("velocity-law", value, 0.5, why)
	v.Makes, v.Fix = Doubtful, "the law as the controller's manual has it, pv with this kd in {controller} if the motor board has no velocity command"
}

// frictionError is the error of the viscous friction of a linear estimate as a part of kd. A delay that is wrong by d changes the friction by
// about kp·d, and those tried are a few milliseconds at most from the true one: some per cent of kd in loops of some Hertz.
const frictionError = 0.1

// WithoutVelocity reports whether no joint has a viscous friction below zero, by more than the error of the estimate, under the law
// without the velocity of the commands.
func (c *Commanded) WithoutVelocity() bool {
	some := false
	for k, w := range c.ViscousWithout {
		if w == 0 && c.Viscous[k] == 0 {
			continue // a joint without the term
		}
		if some = true; w <= -frictionError*(c.Viscous[k]-w) {
			return false
		}
	}
	return some
}

// mostVelocityRatio is the ratio of viscous friction to derivative gain above which a law pd may as well be pv. A robot
// under pv shows zero gain and friction Fv + kd; its torques are late by the delay and half a period, which keeps the
// gain below one per cent of that.
const mostVelocityRatio = 100

// judgeVelocity adds the verdict whether the positions distinguish the law pd from pv. If the velocity of the commands
// has no effect, a derivative gain on the measured velocity, which takes a part of Fv and through its delay of the
// inertias, gives the same motion.
func (c *Commanded) judgeVelocity(base []BaseParameter, add func(id string, value, limit float64, why string) *Verdict) {
	if law, _, _ := strings.Cut(c.Controller, " "); law != "pd" {
		return
	}
	if len(c.Viscous) > 0 && len(c.Viscous) == len(c.ViscousWithout) {
		c.judgeKnownVelocity(add)
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
				why = fmt.Sprintf("kd of %s is %.2g ± %.2g beside a viscous friction of %.4g %s: under the law pv the robot moves the same with a friction that is less by kd, and with other inertias",
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
