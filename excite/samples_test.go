package excite

import (
	"strings"
	"testing"
)

// slowMotion lasts too long for samples.
type slowMotion struct{ Motion }

func (slowMotion) DOF() int          { return 2 }
func (slowMotion) Duration() float64 { return 1e13 }

// A motion of months is refused before its samples are allocated.
func TestSamplesAreBounded(t *testing.T) {
	if err := Samples(slowMotion{}, 1000); err == nil || !strings.Contains(err.Error(), "at most 14285714 are held") {
		t.Error(err)
	}
	if err := WriteROS(new(strings.Builder), slowMotion{}, 1000, nil, true); err == nil {
		t.Error("written for a controller")
	}
}
