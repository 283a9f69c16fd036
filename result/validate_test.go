package result

import (
	"math"
	"strings"
	"testing"
)

func TestValidateNamesTheField(t *testing.T) {
	sound := func() *Result {
		return &Result{BaseParameters: make([]BaseParameter, 2), Covariance: [][]float64{{1, 0}, {0, 1}}}
	}
	if err := sound().Validate(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*Result){
		"base_parameters[1].":      func(r *Result) { r.BaseParameters[1].Value = math.NaN() },
		"covariance[1][0] is +Inf": func(r *Result) { r.Covariance[1][0] = math.Inf(1) },
		"1 rows for 2":             func(r *Result) { r.Covariance = r.Covariance[:1] },
	} {
		r := sound()
		spoil(r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
