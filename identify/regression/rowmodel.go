package regression

import (
	"fmt"
	"slices"
	"strings"

	"ident/observation"
	"ident/result"
)

// UnknownKindError is the error for a name of no model.
type UnknownKindError struct{ Name string }

func (e *UnknownKindError) Error() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return fmt.Sprintf("there is no model %q; the models are %s, and several may be given, separated by commas", e.Name, strings.Join(names, ", "))
}

// ParseKinds reads a comma-separated list of models. If one is unknown, the error is an *UnknownKindError.
func ParseKinds(list string) ([]Kind, error) {
	var out []Kind
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if !slices.Contains(Kinds(), Kind(name)) {
			return nil, &UnknownKindError{name}
		}
		if !slices.Contains(out, Kind(name)) {
			out = append(out, Kind(name))
		}
	}
	if len(out) == 0 {
		out = []Kind{Dynamic}
	}
	return out, nil
}

// unitless reports whether the residuals of the rows are not joint torques.
func unitless(k Kind) bool { return k != Dynamic && k != Filtered }

// annotate records in a result how its rows were made.
func annotate(res *result.Result, c *Config, dt float64) error {
	res.Model = string(c.Model)
	if c.Model == Dynamic {
		return nil
	}
	settings := c.settings()
	f, err := observation.NewRowFilter(settings, dt)
	if err != nil {
		return err
	}
	res.Processing.Rows = f.Describe(&settings)
	if unitless(c.Model) {
		res.NoiseSigma, res.CorrelationInflation, res.EffectiveSamples = nil, nil, nil
	}
	return nil
}
