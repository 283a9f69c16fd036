package simulate

import (
	"fmt"
	"math"

	"ident/mechanics/recursion"
	"ident/robot"
	"ident/robot/drives"
	"ident/symbolic"
)

// mechanics is the moving robot; runs do not change it.
type mechanics struct {
	r        *robot.Robot
	machine  *symbolic.Machine // torques of the rigid bodies and rotors out of q, dq, ddq of the tree
	dof      int               // coordinates of the tree
	links    []int             // of the independent joints
	friction []friction
	loops    *chains // of a robot with closed loops
}

// friction is the part of one joint in the friction torque of its coordinate.
type friction struct {
	coord                 int
	ratio, fv, fs, offset float64
}

func newMechanics(r *robot.Robot) (*mechanics, error) {
	p := &mechanics{r: r}
	var err error
	if p.machine, p.dof, err = inverseDynamics(withoutIdleRotors(r)); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	has := false
	ratio := map[int]float64{}
	lead := map[int]int{}
	for _, m := range r.Mimics {
		ratio[m.Joint], lead[m.Joint] = m.Multiplier, m.Of
	}
	coord := map[int]int{}
	for _, j := range r.Moving() {
		if _, follows := lead[j]; !follows {
			coord[j] = len(coord)
		}
	}
	p.links = r.Independent()
	for j := range r.Links {
		has = has || r.Links[j].HasInertial
		n := &r.Links[j].Joint
		if n.Kind == robot.Fixed {
			continue
		}
		f := friction{coord: coord[j], ratio: 1, fv: n.Fv, fs: n.Fs, offset: n.Fo}
		if r.Closed() && n.Passive && !n.Redundant {
			f.offset = 0 // that of a drive, which it has not
		}
		if of, follows := lead[j]; follows {
			f.coord, f.ratio = coord[of], ratio[j]
		}
		p.friction = append(p.friction, f)
	}
	if !has {
		return nil, fmt.Errorf("simulate: robot %q gives no inertial parameters, so nothing has a mass; add them to the robot file", r.Name)
	}
	if r.Closed() {
		if p.loops, err = newLoops(p); err != nil {
			return nil, fmt.Errorf("simulate: %w", err)
		}
		p.links = p.loops.links()
	}
	return p, nil
}

// inverseDynamics compiles Newton and Euler's equations of a tree with its own
// parameters and rotors, and returns the number of its coordinates.
func inverseDynamics(r *robot.Robot) (*symbolic.Machine, int, error) {
	t, err := recursion.New(r, recursion.Options{})
	if err != nil {
		return nil, 0, err
	}
	params := make([]recursion.Params, len(r.Links))
	for j := range r.Links {
		l := &r.Links[j]
		for k, v := range l.Inertial {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, 0, fmt.Errorf("robot %q: %s of link %q is %g; give it a finite value", r.Name, robot.InertialNames[k], l.Name, v)
			}
			params[j][k] = t.G.Float(v)
		}
	}
	tau := t.Torques(t.Motions(recursion.Rates{DQ: t.DQ, DDQ: t.DDQ}, t.Gravity), params)
	for j := range t.Links {
		l := &t.Links[j]
		ia := r.Links[j].Joint.Ia
		if l.Coord < 0 || ia == 0 {
			continue
		}
		if math.IsNaN(ia) || math.IsInf(ia, 0) {
			return nil, 0, fmt.Errorf("robot %q: the rotor inertia of joint %q is %g; give it a finite value", r.Name, r.Links[j].Joint.Name, ia)
		}
		rotor := t.G.Mul(t.G.Float(ia), t.G.Mul(l.Ratio, t.G.Mul(l.Ratio, t.DDQ[l.Coord])))
		tau[l.Coord] = t.G.Add(tau[l.Coord], rotor)
	}
	var args []symbolic.Node
	for _, v := range [][]symbolic.Node{t.Q, t.DQ, t.DDQ} {
		args = append(args, v...)
	}
	program := t.G.Program("inverse_dynamics", args, symbolic.Result{Name: "tau", Rows: len(tau), Cols: 1, Entries: tau})
	return symbolic.Compile(program), len(tau), nil
}

func (p *mechanics) names() []string {
	out := make([]string, len(p.links))
	for i, j := range p.links {
		out[i] = p.r.Links[j].Joint.Name
	}
	return out
}

// torque computes the torques of the tree's coordinates: tau, q, dq and ddq must have one slice per coordinate, of equal
// length.
func (p *mechanics) torque(tau, q, dq, ddq [][]float64, w *workspace) {
	if len(tau) == 0 {
		return
	}
	w.in = append(append(append(w.in[:0], q...), dq...), ddq...)
	p.machine.Run(tau, w.in, len(tau[0]), w.scratch)
	for _, f := range p.friction {
		to, rates := tau[f.coord], dq[f.coord]
		for k := range to {
			rate := f.ratio * rates[k]
			t := f.fv*rate + f.offset
			switch {
			case rate > 0:
				t += f.fs
			case rate < 0:
				t -= f.fs
			}
			to[k] += f.ratio * t
		}
	}
}

// workspace is the memory of the machine.
type workspace struct {
	scratch *symbolic.Scratch
	in      [][]float64
}

// states is the robot at the times of a block: one slice a driven joint.
type states struct {
	q, dq, ddq, tau [][]float64
	t               []float64
	full            [4][][]float64 // q, dq, ddq and tau at their full length
	plant           *mechanics
	with            []*mechanics // each of the payloads on its link
	carried         [][]float64  // torques of one of them
	payloads        []Payload
	loops           *follower // of a robot with closed loops
	drives          []drives.Drive
	workspace       workspace
	carriers        []workspace // of with
	push            Pushed      // nil without forces
	row             [2][]float64
	force           [][]float64 // of pushChannels
}

func (x *Simulation) newStates() *states {
	s := &states{plant: x.plant, drives: x.drives, t: make([]float64, blockRows), workspace: workspace{scratch: x.plant.machine.NewScratch()}}
	for i := range s.full {
		s.full[i] = grid(len(x.plant.links), blockRows)
	}
	if x.plant.loops != nil {
		s.loops = x.plant.loops.follow()
	}
	if x.with != nil {
		s.with, s.payloads, s.carried = x.with, x.outline.Options.payloads(), grid(len(x.plant.links), blockRows)
		for _, with := range x.with {
			s.carriers = append(s.carriers, workspace{scratch: with.machine.NewScratch()})
		}
	}
	if s.push = x.push; s.push != nil {
		s.row, s.force = [2][]float64(grid(2, len(x.plant.links))), grid(len(pushChannels), blockRows)
	}
	return s
}

// at evaluates the motion at times minus lag (seconds), and the torques if torques is set. Before the start the robot
// stays as at the start.
func (s *states) at(m BatchSampler, times []float64, lag float64, torques bool) error {
	n := len(times)
	t := s.t[:n]
	for k, v := range times {
		t[k] = max(v-lag, 0)
	}
	for i, to := range [4]*[][]float64{&s.q, &s.dq, &s.ddq, &s.tau} {
		*to = (*to)[:0]
		for _, v := range s.full[i] {
			*to = append(*to, v[:n])
		}
	}
	m.EvalBatch(t, s.q, s.dq, s.ddq)
	switch {
	case !torques:
		return nil
	case s.loops != nil:
		err := s.loops.drive(s, times, &s.workspace)
		s.throughGears()
		return err
	}
	s.plant.torque(s.tau, s.q, s.dq, s.ddq, &s.workspace)
	if s.with == nil {
		s.pushed(t)
		s.throughGears()
		return nil
	}
	carried := make([][]float64, len(s.carried))
	for i, v := range s.carried {
		carried[i] = v[:n]
	}
	for number, with := range s.with {
		with.torque(carried, s.q, s.dq, s.ddq, &s.carriers[number])
		for k, v := range times {
			if carriedAt(s.payloads, v-lag) == number+1 {
				for i := range carried {
					s.tau[i][k] = carried[i][k]
				}
			}
		}
	}
	s.pushed(t)
	s.throughGears()
	return nil
}
