package loads

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/robot"
)

// mechanics is a robot at one sample of a motion after the other: the tree's coordinates, the reactions in it and
// the torques of the drives.
type mechanics struct {
	r          *robot.Robot
	tree       *dynamics.Tree
	re         *dynamics.Reactions
	links      []int           // of the drives
	joints     []dynamics.Link // of all links
	coords     []int           // of the tree's coordinates, their links
	driven     []int           // coordinates of the tree, of the drives
	q, dq, ddq []float64
	tau        []float64 // of the tree's coordinates

	closure *loops.Closure // of a closed robot, nil for a tree
	tracker *loops.Tracker
	along   *loops.Continuation
	path    *loops.Path
}

// newMechanics prepares a robot; closed loops are put together near its assembly.
func newMechanics(r *robot.Robot) (*mechanics, error) {
	if r.Closed() {
		r = withoutIdleRotors(r)
	}
	tree, err := dynamics.New(r)
	if err != nil {
		return nil, err
	}
	n := tree.DOF()
	m := &mechanics{r: r, tree: tree, re: tree.NewReactions(), joints: tree.Links(), coords: tree.Coordinates(),
		q: make([]float64, n), dq: make([]float64, n), ddq: make([]float64, n), tau: make([]float64, n)}
	if !r.Closed() {
		for k, j := range m.coords {
			m.links, m.driven = append(m.links, j), append(m.driven, k)
		}
		return m, nil
	}
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, err
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		return nil, err
	}
	m.closure = c
	if m.tracker, err = c.Track(start.Q); err != nil {
		return nil, err
	}
	m.along, m.path, m.driven = m.tracker.Continue(), m.tracker.NewPath(1), m.tracker.Driven()
	for _, k := range m.driven {
		m.links = append(m.links, m.coords[k])
	}
	return m, nil
}

// withoutIdleRotors takes the rotors from passive joints, which have no motor.
func withoutIdleRotors(r *robot.Robot) *robot.Robot {
	c := r.Clone()
	for j := range c.Links {
		if n := &c.Links[j].Joint; n.Passive && !n.Redundant {
			n.Ia = 0
		}
	}
	return c
}

// move goes to a sample. Samples of a closed robot must come in order.
func (m *mechanics) move(s *Series, k int) error {
	if m.tracker == nil {
		for i := range m.q {
			m.q[i], m.dq[i], m.ddq[i] = s.Q[i][k], s.DQ[i][k], s.DDQ[i][k]
		}
	} else {
		if _, err := m.along.Track(m.path, loops.Drive{Q: s.Q, DQ: s.DQ, DDQ: s.DDQ}, k, 1, false); err != nil {
			return fmt.Errorf("loads: at %.6g s: %w", s.T[k], err)
		}
		for i := range m.q {
			m.q[i], m.dq[i], m.ddq[i] = m.path.Q[i][0], m.path.DQ[i][0], m.path.DDQ[i][0]
		}
	}
	m.re.Move(m.q, m.dq, m.ddq)
	return nil
}

// rigid stores the drives' torques for the bodies and rotors, and friction those against friction and offsets of the
// robot file.
func (m *mechanics) rigid(dst []float64) {
	m.re.Torques(m.tau)
	m.project(dst)
}

func (m *mechanics) friction(dst []float64) {
	m.drag(m.tau)
	m.project(dst)
}

// drag stores those of the tree's coordinates.
func (m *mechanics) drag(dst []float64) {
	clear(dst)
	for j := range m.joints {
		l := &m.joints[j]
		if l.Coord < 0 {
			continue
		}
		n := &m.r.Links[j].Joint
		rate := l.Ratio * m.dq[l.Coord]
		t := n.Fv * rate
		if !(m.tracker != nil && n.Passive && !n.Redundant) {
			t += n.Fo
		}
		switch {
		case rate > 0:
			t += n.Fs
		case rate < 0:
			t -= n.Fs
		}
		dst[l.Coord] += l.Ratio * t
	}
}

// project takes torques of the tree to the drives, through Gᵀ of closed loops.
func (m *mechanics) project(dst []float64) {
	for i, k := range m.driven {
		dst[i] = m.tau[k]
	}
	if m.tracker == nil {
		return
	}
	for i, p := range m.tracker.Pairs() {
		dst[p.Driven] += m.path.Jacobian[i][0] * m.tau[p.Coord]
	}
}

// energy returns the kinetic energy of bodies and rotors and the potential energy, J.
func (m *mechanics) energy() float64 {
	return m.tree.KineticEnergy(m.q, m.dq) + m.tree.PotentialEnergy(m.q)
}

// inLoops returns the wrenches in the joints of a closed robot at the sample, of all links and then at the cuts.
func (m *mechanics) inLoops() ([]loops.JointWrench, error) {
	q := make([]float64, len(m.path.Q))
	for k := range q {
		q[k] = m.path.Q[k][0]
	}
	motion, err := m.closure.Motion(q)
	if err != nil {
		return nil, err
	}
	active := m.closure.Active()
	rates, accelerations := make([]float64, len(active)), make([]float64, len(active))
	for i, k := range active {
		rates[i], accelerations[i] = m.dq[k], m.ddq[k]
	}
	m.drag(m.tau)
	return motion.JointWrenches(rates, accelerations, m.tau), nil
}

// open reports whether a link and all links beyond belong to no closed loop: the wrench of its joint then follows
// from the bodies beyond, as in a tree.
func (m *mechanics) open(link int) bool {
	beyond := func(j int) bool {
		for ; j >= 0; j = m.r.Links[j].Antecedent {
			if j == link {
				return true
			}
		}
		return false
	}
	carrier := func(frame int) int {
		for frame <= -2 {
			frame = m.r.Extra[-2-frame].Antecedent
		}
		return frame
	}
	for _, l := range m.r.Loops {
		if beyond(carrier(m.r.Extra[l.Frame].Antecedent)) || beyond(carrier(m.r.Extra[l.Meets].Antecedent)) {
			return false
		}
	}
	for _, c := range m.r.Couplings {
		if beyond(c.Joint) {
			return false // a belt's forces act along other links
		}
	}
	return true
}

// onAntecedent returns the wrench of a link's joint about a point of its antecedent, in that link's frame.
func (m *mechanics) onAntecedent(link int, at [3]float64) dynamics.Wrench {
	a := m.re.Frame(m.r.Links[link].Antecedent).Inv().Mul(m.re.Frame(link))
	w := m.re.Joint(link)
	f := spatial.MulVec(a.R, w.Force)
	return dynamics.Wrench{Force: f, Moment: spatial.Add(spatial.MulVec(a.R, w.Moment), spatial.Cross(spatial.Sub(a.P, at), f))}
}

func hypot(a, b, c float64) float64 { return math.Sqrt(a*a + b*b + c*c) }
