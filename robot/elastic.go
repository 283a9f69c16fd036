package robot

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// Elasticity is the compliance between the drive of a joint and its link: with the
// deflection δ = θ − q of the motor's position θ, at the joint's side of the gear,
// against the link's position q, the link receives the torque
//
//	K·δ + D·δ̇ + Cubic·δ³ + Hysteresis·tanh(δ̇/v₀)
//
// of a turning joint in N·m and rad, of a sliding one in N and m, with v₀ = 1e-3 rad/s or m/s. Zero is unknown, or none.
type Elasticity struct {
	Stiffness  float64 // K, N·m/rad or N/m
	Damping    float64 // D, N·m·s/rad or N·s/m
	Cubic      float64 // N·m/rad³ or N/m³
	Hysteresis float64 // friction within the gear, N·m or N
}

// elasticityKeys are those of a joint in a YAML file, in the order of the fields.
func elasticityKeys() [4]string {
	return [4]string{"stiffness", "damping", "stiffness_cubic", "hysteresis"}
}

func (e *Elasticity) fields() [4]*float64 {
	return [4]*float64{&e.Stiffness, &e.Damping, &e.Cubic, &e.Hysteresis}
}

// elasticity reads that of a joint.
func (m yamlMap) elasticity(j *Joint) (err error) {
	if j.Elastic, err = m.flag("elastic"); err != nil {
		return err
	}
	for i, to := range j.Elasticity.fields() {
		key := elasticityKeys()[i]
		if *to, err = m.number(key, 0); err != nil {
			return err
		}
		switch {
		case !m.has(key):
		case !j.Elastic:
			return fault(m.keys[key].Line, m.where, "it has a %s and is not elastic: add elastic: true, or take it out", key)
		case *to < 0 && key != "stiffness_cubic":
			return fault(m.keys[key].Line, m.where+": "+key, "it is %g; give zero or more", *to)
		case math.Abs(*to) > mostMagnitude:
			return fault(m.keys[key].Line, m.where+": "+key, "its number is too large to compute with")
		}
	}
	if j.Elastic && j.Kind == Fixed {
		return fault(m.line, m.where, "it is fixed and elastic: give it a kind that moves")
	}
	return nil
}

func yamlElasticity(b *bytes.Buffer, j *Joint) {
	if !j.Elastic {
		return
	}
	text := []string{"      elastic: true\n"}
	for i, v := range j.Elasticity.fields() {
		if *v != 0 {
			text = append(text, fmt.Sprintf("      %s: %s\n", elasticityKeys()[i], formatNumber(*v)))
		}
	}
	b.WriteString(strings.Join(text, ""))
}
