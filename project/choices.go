package project

import (
	"slices"

	"ident/identify"
)

// Choices are the decisions of a fit that the settings leave to the data.
func Choices(s *Settings) identify.Choices {
	if s.Plain {
		return identify.Choices{}
	}
	return identify.Choices{Terms: len(s.Terms) == 0 || slices.Equal(s.Terms, []string{string(ByData)}), Consistent: s.Consistent.Automatic() && s.Estimator != "map"}
}
