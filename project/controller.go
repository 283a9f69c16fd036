package project

import (
	"fmt"
	"slices"
	"strings"

	"ident/identify"
	"ident/servo"
)

// Servo reads the controller of a project for so many joints; nil where there is
// none.
func Servo(s *Settings, joints int) (*identify.Servo, error) {
	if s.Controller == "" {
		if len(s.Reference) > 0 {
			return nil, wrong("reference", "", "{reference} goes with {controller}")
		}
		return nil, nil
	}
	if len(s.Reference) != joints {
		return nil, wrong("reference", "", "{reference} names %d channels for %d joints", len(s.Reference), joints)
	}
	words := strings.Fields(s.Controller)
	known := map[string][]string{"cascade": {"kp", "kv"}, "pd": {"kp", "kd"}}
	gains, ok := known[words[0]]
	if !ok {
		return nil, wrong("controller", s.Controller, "{controller} %q: it begins with cascade or pd", s.Controller)
	}
	values := map[string][]float64{"gain": fill(1, joints)}
	for _, w := range words[1:] {
		key, text, _ := strings.Cut(w, "=")
		if !slices.Contains(append([]string{"gain", "limit"}, gains...), key) {
			return nil, wrong("controller", s.Controller, "{controller} %q: %s has kp, %s, gain and limit, not %q", s.Controller, words[0], gains[1], key)
		}
		v, err := ParseNumbers(text)
		if err == nil && len(v) == 1 {
			v = fill(v[0], joints)
		}
		if err == nil && len(v) != joints {
			err = fmt.Errorf("%d values for %d joints", len(v), joints)
		}
		if err != nil {
			return nil, wrong("controller", "", "{controller}: %s: %w", key, err)
		}
		values[key] = v
	}
	for _, g := range gains {
		if values[g] == nil {
			return nil, wrong("controller", s.Controller, "{controller} %q: %s is missing", s.Controller, g)
		}
	}
	law := &identify.Servo{Reference: s.Reference}
	if words[0] == "cascade" {
		law.Controller = servo.Cascade(values["kp"], values["kv"], values["gain"])
	} else {
		law.Controller = servo.PD(values["kp"], values["kd"], values["gain"])
	}
	law.Controller.Limit = values["limit"]
	return law, nil
}

func fill(x float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = x
	}
	return v
}
