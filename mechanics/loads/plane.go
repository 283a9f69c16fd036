package loads

import "math"

// planeCells are those of a plane's grid along the speed, and along the torque to either side: finer than the dots of
// a diagram of 400 points.
const planeCells = 32

// Plane holds the torque–speed points of a motion, thinned to one in a cell of a grid: in each the largest torque.
// Speeds are magnitudes, torques positive where the drive drives and negative where it brakes, since the limits of a
// drive are the same in both directions.
type Plane struct {
	Speed  []float64 `json:"speed"`  // rad/s or m/s
	Torque []float64 `json:"torque"` // N·m or N, along the speed
}

// grid gathers the points of a plane. Its cells grow where a point lies outside, so that no second pass is needed.
type grid struct {
	speed, torque float64 // size of a cell, the least power of two for the extent so far; 0 for none
	cells         [planeCells][2 * planeCells]point
}

type point struct {
	speed, torque float64
	taken         bool
}

// take adds a sample. A sample that is not finite has no cell; the report that holds it is refused.
func (g *grid) take(torque, speed float64) {
	if sum := torque - speed; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return
	}
	if speed < 0 {
		torque, speed = -torque, -speed
	}
	if speed == 0 {
		torque = math.Abs(torque) // at rest there is no direction
	}
	along, across := cellSize(speed), cellSize(torque)
	if along > g.speed || across > g.torque {
		g.speed, g.torque = math.Max(along, g.speed), math.Max(across, g.torque)
		old := g.cells
		g.cells = [planeCells][2 * planeCells]point{}
		for i := range old {
			for _, p := range old[i] {
				if p.taken {
					g.put(p)
				}
			}
		}
	}
	g.put(point{speed, torque, true})
}

// cellSize returns the least size of cells whose grid holds a value; 0 for a value that rounding left.
func cellSize(v float64) float64 {
	if v = math.Abs(v); v < 1e-300 {
		return 0
	}
	_, e := math.Frexp(v)
	return math.Ldexp(1, e) / planeCells
}

func (g *grid) put(p point) {
	i, j := 0, planeCells
	if g.speed > 0 {
		i = int(p.speed / g.speed)
	}
	if g.torque > 0 {
		j += int(math.Floor(p.torque / g.torque))
	}
	if at := &g.cells[i][j]; !at.taken || math.Abs(p.torque) > math.Abs(at.torque) {
		*at = p
	}
}

// plane lists the points, by speed and then torque of their cells.
func (g *grid) plane() Plane {
	p := Plane{Speed: []float64{}, Torque: []float64{}}
	for i := range g.cells {
		for _, c := range g.cells[i] {
			if c.taken {
				p.Speed, p.Torque = append(p.Speed, c.speed), append(p.Torque, c.torque)
			}
		}
	}
	return p
}

// Line returns the largest torque of the motor at a speed, rad/s, N·m, driving and braking, by its line and its
// current's limit; +Inf where neither is known.
func (m *Motor) Line(speed float64) (driving, braking float64) {
	speed = math.Abs(speed)
	return m.limit(1, speed), m.limit(-1, speed)
}
