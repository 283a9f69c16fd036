package simulate

import (
	"ident/loops"
	"ident/robot"
)

// chains moves the tree of a robot with closed loops by its driven joints.
type chains struct {
	tracker    *loops.Tracker
	along      *loops.Continuation
	path       *loops.Path // of one sample
	q, dq, ddq []float64   // of the tree, there
	jacobian   []float64   // one a pair of the tracker, there
	tau        []float64
	passive    []int // coordinates of the tree
	names      []string
	coords     []int // link of each coordinate of the tree
}

// newLoops puts the mechanism together near the robot's assembly.
func newLoops(r *robot.Robot) (*chains, error) {
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, err
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		return nil, err
	}
	l := &chains{}
	if l.tracker, err = c.Track(start.Q); err != nil {
		return nil, err
	}
	open := r.Cut()
	l.coords = open.Independent()
	l.tau = make([]float64, c.DOF())
	l.along = l.tracker.Newton().Continue()
	l.q, l.dq, l.ddq = make([]float64, c.DOF()), make([]float64, c.DOF()), make([]float64, c.DOF())
	l.jacobian = make([]float64, len(l.tracker.Pairs()))
	l.path = &loops.Path{Q: loops.Rows(l.q, 1), DQ: loops.Rows(l.dq, 1), DDQ: loops.Rows(l.ddq, 1), Jacobian: loops.Rows(l.jacobian, 1)}
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

// move follows the driven joints.
func (l *chains) move(q, dq, ddq []float64) error {
	drive := loops.Drive{Q: loops.Rows(q, 1), DQ: loops.Rows(dq, 1), DDQ: loops.Rows(ddq, 1)}
	_, err := l.along.Track(l.path, drive, 0, 1, false)
	return err
}

// project turns the tree's torques into those of the drives, Gᵀ·τ.
func (l *chains) project(tau []float64) {
	for i, k := range l.tracker.Driven() {
		tau[i] = l.tau[k]
	}
	for i, p := range l.tracker.Pairs() {
		tau[p.Driven] += l.jacobian[i] * l.tau[p.Coord]
	}
}

func (l *chains) record(n int) ([]string, [][]float64) {
	out := make([][]float64, len(l.passive))
	for i := range out {
		out[i] = make([]float64, n)
	}
	return l.names, out
}

func (l *chains) store(to [][]float64, k int) {
	for i, c := range l.passive {
		to[i][k] = l.q[c]
	}
}

// passiveUnit is the unit of a passive joint's position.
func (e *Experiment) passiveUnit(i int) string {
	for _, l := range e.robot.Links {
		if l.Joint.Name == e.Passive[i] && l.Joint.Kind == robot.Prismatic {
			return "m"
		}
	}
	return "rad"
}
