package simulate

import (
	"fmt"

	"ident/mechanics/loops"
	"ident/robot"
)

// chains is the mechanism of a robot with closed loops.
type chains struct {
	plant   *mechanics
	tracker *loops.Tracker
	passive []int // coordinates of the tree
	names   []string
	coords  []int // link of each coordinate of the tree
	dof     int   // of the tree
}

// newLoops closes the mechanism near the robot's assembly.
func newLoops(p *mechanics) (*chains, error) {
	r := p.r
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, err
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		return nil, err
	}
	l := &chains{plant: p, dof: c.DOF()}
	// Use Newton's method instead of the formulas: fits of the record use the formulas, and a test of them needs motions
	// of another origin.
	t, err := c.Track(start.Q)
	if err != nil {
		return nil, err
	}
	l.tracker = t.Newton()
	l.coords = r.Cut().Independent()
	for _, k := range c.Passive() {
		l.passive = append(l.passive, k)
		l.names = append(l.names, r.Links[l.coords[k]].Joint.Name)
	}
	return l, nil
}

// withoutIdleRotors returns a closed robot without rotors on passive joints,
// which have no motor whatever their file says.
func withoutIdleRotors(r *robot.Robot) *robot.Robot {
	if !r.Closed() {
		return r
	}
	c := r.Clone()
	for j := range c.Links {
		if c.Links[j].Joint.Passive && !c.Links[j].Joint.Redundant {
			c.Links[j].Joint.Ia = 0
		}
	}
	return c
}

// links returns the links of the driven joints.
func (l *chains) links() []int {
	var out []int
	for _, k := range l.tracker.Driven() {
		out = append(out, l.coords[k])
	}
	return out
}

// follower moves the tree along one motion of the driven joints.
type follower struct {
	*chains
	along *loops.Continuation
	path  *loops.Path // at its full length
	tau   [][]float64 // of the tree, at its full length
	rows  int         // of the last block
}

func (l *chains) follow() *follower {
	return &follower{chains: l, along: l.tracker.Continue(), path: l.tracker.NewPath(blockRows), tau: grid(l.dof, blockRows)}
}

// drive computes the torques of the driven joints for a block of states: those of the tree through Gᵀ. times are used in
// the error.
func (f *follower) drive(s *states, times []float64, w *workspace) error {
	n := len(times)
	f.rows = n
	if k, err := f.along.Track(f.path, loops.Drive{Q: s.q, DQ: s.dq, DDQ: s.ddq}, 0, n, false); err != nil {
		return fmt.Errorf("simulate: at %.6g s: %w", times[k], err)
	}
	tau := cut(f.tau, n)
	f.plant.torque(tau, cut(f.path.Q[:f.dof], n), cut(f.path.DQ, n), cut(f.path.DDQ, n), w)
	for i, k := range f.tracker.Driven() {
		copy(s.tau[i], tau[k])
	}
	for i, p := range f.tracker.Pairs() {
		to, g, from := s.tau[p.Driven], f.path.Jacobian[i], tau[p.Coord]
		for k := range to {
			to[k] += g[k] * from[k]
		}
	}
	return nil
}

// passiveRows copies the positions of the passive joints.
func (f *follower) passiveRows(to [][]float64) {
	for i, c := range f.passive {
		copy(to[i], f.path.Q[c][:f.rows])
	}
}

// cut returns the first n values of every row.
func cut(rows [][]float64, n int) [][]float64 {
	out := make([][]float64, len(rows))
	for i, v := range rows {
		out[i] = v[:n]
	}
	return out
}

// passiveUnit returns the unit of a passive joint's position.
func (e *Record) passiveUnit(i int) string {
	for _, l := range e.robot.Links {
		if l.Joint.Name == e.Passive[i] && l.Joint.Kind == robot.Prismatic {
			return "m"
		}
	}
	return "rad"
}
