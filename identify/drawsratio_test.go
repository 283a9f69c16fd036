package identify

import (
	"math"
	"strings"
	"testing"
)

// The ratio of draws to the fit is that of their standard deviations, and the narrowest parameter is named.
func TestDeviationRatios(t *testing.T) {
	base := [][]float64{{1, 5, 2}, {3, 5.1, 2}, {2, 5.2, 2}}
	d := &DrawsDocument{BaseNames: []string{"ZZ1", "MX2", "Fo1"}, DeviationRatio: deviationRatios(base, [][]float64{{1, 0, 0}, {0, 0.25, 0}, {0, 0, 0}})}
	if r := d.DeviationRatio; math.Abs(*r[0]-1) > 1e-12 || math.Abs(*r[1]-0.2) > 1e-12 || r[2] != nil {
		t.Errorf("ratios %v", r)
	}
	if text := d.Narrower(); !strings.Contains(text, "1 of 3") || !strings.Contains(text, "MX2, 0.2") {
		t.Error(text)
	}
	*d.DeviationRatio[1] = 0.9
	if text := d.Narrower(); text != "" {
		t.Error(text)
	}
}
