package code

import (
	"fmt"
	"slices"
	"strings"

	"ident/identify/elastic"
	"ident/regressor"
	"ident/robot"
)

// twoSided returns the tree of links and motors of a robot with elastic joints, whose dynamic models are the robot's, and its terms:
// those asked for with rotors and springs. For a rigid robot it returns nil.
func twoSided(r *robot.Robot, terms []regressor.Term) (*elastic.Machine, []regressor.Term, error) {
	if !elastic.HasElasticJoint(r) {
		return nil, terms, nil
	}
	m, err := elastic.New(r)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Clone(terms)
	add := func(t regressor.Term) {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	add(regressor.Ia)
	add(regressor.Elastic)
	for _, s := range m.Springs {
		if s.Cubic != 0 {
			add(regressor.Cubic)
		}
		if s.Hysteresis != 0 {
			return nil, nil, fmt.Errorf("robot %q: joint %q has hysteresis, which generated code does not support: remove it from the robot file; the models then keep stiffness and damping", r.Name, s.Joint)
		}
	}
	return m, all, nil
}

// motorsNote says what the coordinates of generated models are.
func motorsNote(m *elastic.Machine) string {
	var names []string
	for _, s := range m.Springs {
		if s.Motor >= 0 {
			names = append(names, s.Joint)
		}
	}
	return fmt.Sprintf("joints are elastic: q, dq, ddq, tau are of the %d links, then of the motors of %s behind the gears; torques on links are zero, springs have K·(motor − link) + D·(rate of motor − rate of link)", m.Links, strings.Join(names, ", "))
}
