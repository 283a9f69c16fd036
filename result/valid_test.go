package result

import (
	"math"
	"strings"
	"testing"

	"ident/estimate"
)

func TestValidNamesTheField(t *testing.T) {
	sound := func() *Result {
		return &Result{BaseParameters: make([]BaseParameter, 2), Covariance: [][]float64{{1, 0}, {0, 1}}}
	}
	if err := sound().Valid(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*Result){
		"base_parameters[1].":      func(r *Result) { r.BaseParameters[1].Value = math.NaN() },
		"covariance[1][0] is +Inf": func(r *Result) { r.Covariance[1][0] = math.Inf(1) },
		"1 rows for 2":             func(r *Result) { r.Covariance = r.Covariance[:1] },
		"covariance[0] has 1":      func(r *Result) { r.Covariance[0] = r.Covariance[0][:1] },
		"covariance[1][1] is -2":   func(r *Result) { r.Covariance[1][1] = -2 },
		"symmetric":                func(r *Result) { r.Covariance[1][0] = 0.1 },
		"joint_units":              func(r *Result) { r.Joints = []string{"elbow"} },
		"noise_sigma has 2":        func(r *Result) { r.NoiseSigma = []float64{1, 2} },
		"fit.rmse has 1":           func(r *Result) { r.Fit.RMSE = []float64{1} },
		"runs[0].bias": func(r *Result) {
			r.Validation = &Validation{Runs: make([]ValidationRun, 1)}
			r.Validation.Runs[0].Bias = []float64{1}
		},
		"apart[0] names parameter": func(r *Result) {
			r.Diagnosis = &estimate.Diagnosis{Runs: &estimate.RunsTest{Apart: []estimate.RunDeviation{{Parameter: -1}}}}
		},
		"shift_in_sigma has 1": func(r *Result) { r.ModelErrors = &ModelErrors{Shift: []float64{1}} },
		"payloads[0]":          func(r *Result) { r.Payloads = []Payload{{Complete: true}} },
		"processing.decimate":  func(r *Result) { r.Processing.Decimate = -1 },
		"splendid":             func(r *Result) { r.Grade.Value = "splendid" },
	} {
		r := sound()
		spoil(r)
		if err := r.Valid(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
