package loads

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The points of a plane are samples of the motion, one in each cell that has any, with the largest torque of the
// cell; neither their order nor the direction of the axis matters, and no cell is coarser than a sixteenth of the extent.
func TestPlane(t *testing.T) {
	const tiny = 1e-299 // values below a third of it are zero to the grid
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "samples")
		value := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-50, 50), rapid.Float64Range(-1e-3, 1e-3))
		var speed, torque []float64
		for range n {
			speed, torque = append(speed, value.Draw(t, "speed")), append(torque, value.Draw(t, "torque"))
		}
		var forward, backward grid
		for k := range speed {
			forward.take(torque[k], speed[k])
			backward.take(-torque[n-1-k], -speed[n-1-k])
		}
		p, q := forward.plane(), backward.plane()
		if !sameTorques(p, q) { // of equal torques in a cell the first is kept, whose speed may differ
			t.Fatalf("%v in order, %v backward", p, q)
		}
		widest, most := 0.0, 0.0
		for k := range speed {
			widest, most = math.Max(widest, math.Abs(speed[k])), math.Max(most, math.Abs(torque[k]))
		}
		for k := range speed {
			v, tau := math.Abs(speed[k]), torque[k]*sign(speed[k])
			if v == 0 {
				tau = math.Abs(tau)
			}
			near := false
			for i := range p.Speed {
				near = near || math.Abs(p.Speed[i]-v) <= widest/16+tiny && math.Abs(p.Torque[i]-tau) <= most/16+tiny && math.Abs(p.Torque[i]) >= math.Abs(tau)
			}
			if !near {
				t.Fatalf("no point stands for %g rad/s, %g N·m: %v", v, tau, p)
			}
		}
		if len(p.Speed) > 2*planeCells*planeCells {
			t.Fatalf("%d points", len(p.Speed))
		}
	})
}

// sameTorques compares the torques of two planes.
func sameTorques(p, q Plane) bool {
	a, b := slices.Clone(p.Torque), slices.Clone(q.Torque)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

// The line of a motor falls from stall to its no-load speed where it drives, and the current bounds it at both sides.
func TestLineOfDiagram(t *testing.T) {
	m := Motor{Stall: 2, NoLoad: 100, Peak: 1.5}
	for _, want := range [][3]float64{{0, 1.5, 1.5}, {50, 1, 1.5}, {-50, 1, 1.5}, {100, 0, 1.5}, {150, 0, 1.5}} {
		if d, b := m.Line(want[0]); d != want[1] || b != want[2] {
			t.Errorf("at %g rad/s: %g and %g, want %g and %g", want[0], d, b, want[1], want[2])
		}
	}
}
