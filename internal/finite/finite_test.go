package finite

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestCheckNamesTheField(t *testing.T) {
	type part struct {
		Sigma float64 `json:"sigma"`
		Skip  float64 `json:"-"`
	}
	type embedded struct {
		Inner *part `json:"inner,omitempty"`
	}
	type doc struct {
		embedded
		Parts []part               `json:"parts"`
		Named map[string][]float64 `json:"named"`
		Any   any
		When  time.Time
	}
	sound := doc{Parts: []part{{Sigma: 1, Skip: math.NaN()}}, Named: map[string][]float64{"a": {1}}, Any: 3.5, When: time.Now()}
	if err := Check(&sound); err != nil {
		t.Error(err)
	}
	for want, d := range map[string]doc{
		"parts[1].sigma": {Parts: []part{{}, {Sigma: math.NaN()}}},
		"named.b[0]":     {Named: map[string][]float64{"a": {1}, "b": {math.Inf(-1)}}},
		"Any":            {Any: math.Inf(1)},
		"inner.sigma":    {embedded: embedded{&part{Sigma: math.NaN()}}},
	} {
		var e *Error
		if err := Check(&d); !errors.As(err, &e) || e.Field != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
