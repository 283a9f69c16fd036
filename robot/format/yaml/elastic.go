package yaml

import (
	"bytes"
	"fmt"
	"strings"

	"ident/robot"
	"ident/robot/internal/words"
)

// elasticityKeys returns the keys of an elastic joint in a YAML file, in the order of the fields.
func elasticityKeys() [4]string {
	return [4]string{"stiffness", "damping", "stiffness_cubic", "hysteresis"}
}

// elasticityFields returns the numbers in the order of the keys.
func elasticityFields(e *robot.Elasticity) [4]*float64 {
	return [4]*float64{&e.Stiffness, &e.Damping, &e.Cubic, &e.Hysteresis}
}

// elasticity reads the elasticity of a joint.
func (m yamlMap) elasticity(j *robot.Joint) (err error) {
	if j.Elastic, err = m.flag("elastic"); err != nil {
		return err
	}
	for i, to := range elasticityFields(&j.Elasticity) {
		key := elasticityKeys()[i]
		if *to, err = m.number(key, 0); err != nil {
			return err
		}
		switch {
		case !m.has(key):
		case !j.Elastic:
			return robot.Fault(m.keys[key].Line, m.where, "it has a %s and is not elastic: add elastic: true, or take it out", key)
		case *to < 0 && key != "stiffness_cubic":
			return robot.Fault(m.keys[key].Line, m.where+": "+key, "it is %g; give zero or more", *to)
		}
	}
	if j.Elastic && j.Kind == robot.Fixed {
		return robot.Fault(m.line, m.where, "it is fixed and elastic: give it a kind that moves")
	}
	return nil
}

func yamlElasticity(b *bytes.Buffer, j *robot.Joint) {
	if !j.Elastic {
		return
	}
	text := []string{"      elastic: true\n"}
	for i, v := range elasticityFields(&j.Elasticity) {
		if *v != 0 {
			text = append(text, fmt.Sprintf("      %s: %s\n", elasticityKeys()[i], words.Number(*v)))
		}
	}
	b.WriteString(strings.Join(text, ""))
}
