package project

import (
	"maps"
	"slices"
	"strings"

	"ident/regressor"
	"ident/robot"
)

// frictionLaws returns the terms that may differ from joint to joint.
func frictionLaws() []regressor.Term {
	return regressor.TermsWith(func(t regressor.Traits) bool { return t.PerJoint })
}

// jointTerms returns the friction laws that the setting joint-terms gives a joint.
func (s *Settings) jointTerms(joint string) ([]regressor.Term, error) {
	if s.JointTerms[joint] == "none" {
		return nil, nil
	}
	var laws []string
	for _, l := range frictionLaws() {
		laws = append(laws, string(l))
	}
	var out []regressor.Term
	for _, text := range ParseList(s.JointTerms[joint]) {
		at := slices.IndexFunc(laws, func(l string) bool { return strings.EqualFold(l, text) })
		if at < 0 {
			return nil, wrong("joint-terms", joint, "{joint-terms} %s=%s: %q is no law of friction; those are %s, and none for a joint without", joint, s.JointTerms[joint], text, strings.Join(laws, ", "))
		}
		out = append(out, frictionLaws()[at])
	}
	return out, nil
}

// checkJointTerms refuses names that are not friction laws.
func checkJointTerms(s *Settings) error {
	for _, joint := range slices.Sorted(maps.Keys(s.JointTerms)) {
		if _, err := s.jointTerms(joint); err != nil {
			return err
		}
	}
	return nil
}

// withJointTerms returns the terms of the model with the friction laws of single joints added.
func (s *Settings) withJointTerms(terms []regressor.Term) ([]regressor.Term, error) {
	out := slices.Clone(terms)
	for _, joint := range slices.Sorted(maps.Keys(s.JointTerms)) {
		laws, err := s.jointTerms(joint)
		if err != nil {
			return nil, err
		}
		for _, l := range laws {
			if !slices.ContainsFunc(out, func(t regressor.Term) bool { return t.Name() == l }) {
				out = append(out, l)
			}
		}
	}
	return out, nil
}

// setJointTerms returns the robot whose joints have the friction laws of the setting joint-terms, or those of the
// setting terms if it does not name them. It adds the latter to the setting joint-terms, because the terms of a result
// list those of all joints.
func (s *Settings) setJointTerms(r *robot.Robot) (*robot.Robot, error) {
	if len(s.JointTerms) == 0 {
		return r, nil
	}
	general, err := ParseTerms(&Settings{Terms: s.Terms}, regressor.DefaultTerms())
	if err != nil {
		return nil, err
	}
	out := r.Clone()
	for _, joint := range slices.Sorted(maps.Keys(s.JointTerms)) {
		if _, ok := JointIndex(r, joint); !ok {
			return nil, wrong("joint-terms", joint, "{joint-terms}: the robot has no moving joint %q; it has %s%s", joint, strings.Join(JointNames(r), ", "), didYouMean(joint, JointNames(r)))
		}
	}
	all := map[string]string{}
	for i := range out.Links {
		j := &out.Links[i].Joint
		if j.Kind == robot.Fixed {
			continue
		}
		laws := general
		if _, named := s.JointTerms[j.Name]; named {
			if laws, err = s.jointTerms(j.Name); err != nil {
				return nil, err
			}
		}
		j.Without = nil
		var has []string
		for _, l := range frictionLaws() {
			if slices.ContainsFunc(laws, func(t regressor.Term) bool { return t.Name() == l }) {
				has = append(has, string(l))
			} else {
				j.Without = append(j.Without, string(l))
			}
		}
		if all[j.Name] = strings.Join(has, ","); has == nil {
			all[j.Name] = "none"
		}
	}
	s.JointTerms = all
	return out, nil
}
