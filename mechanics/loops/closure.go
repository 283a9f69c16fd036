package loops

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Closure closes the loops of a robot: it finds the states of its tree in which
// the two frames at every cut coincide, and the motions of the tree there.
//
// States are vectors of DOF coordinates of the robot's tree followed by Cuts
// coordinates of the joints that were cut. It is immutable and safe for
// concurrent use.
type Closure struct {
	robot  string
	tree   *dynamics.Tree // the robot's links, then the frames at the cuts as links without mass
	links  []dynamics.Link
	coords []int // link of each coordinate
	loops  []cut
	dof    int
	active []int
	// The robot's links, then the frames at the cuts, with its loops left out.
	extended *robot.Robot
	own      int // links of the robot, which come first
	// Lengths are counted in the largest offset between frames, so that they
	// compare with angles in rad: unit is that length for coordinates in metres.
	length float64
	unit   []float64
	chain  []bool // the coordinate moves a frame at a cut
	joints []string
}

// cut is a loop: the two links of the extended tree that must coincide.
type cut struct {
	frame, meets int
	name         string
	spherical    bool // only the frames' origins must meet
	linear       []term
	offset       float64
}

// term is a coordinate of a linear relation Σ factor·q + offset = 0, in units,
// that a coupling of joints puts instead of a loop.
type term struct {
	coord  int
	factor float64
}

// ClosureError says that a search from one start did not close the loops.
type ClosureError struct {
	Robot    string
	Loop     string  // the loop that is farthest from closed, and its frames
	Distance float64 // between the origins of the two frames, m
	Angle    float64 // between their axes, rad
	Reason   string
}

func (e *ClosureError) Error() string {
	return fmt.Sprintf("robot %q: %s does not close: the frames stay %.3g m and %.3g rad apart; %s", e.Robot, e.Loop, e.Distance, e.Angle, e.Reason)
}

// NewClosure prepares the loops of a robot that was read with them.
func NewClosure(r *robot.Robot) (*Closure, error) {
	if !r.Closed() {
		return nil, fmt.Errorf("robot %q has no closed loop", r.Name)
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	ext := r.Clone()
	ext.Loops, ext.Couplings = nil, nil
	at := map[int]int{} // link of an extra frame
	var add func(k int) int
	add = func(k int) int {
		if link, done := at[k]; done {
			return link
		}
		f := r.Extra[k]
		antecedent := f.Antecedent
		if antecedent < -1 {
			antecedent = add(-2 - antecedent)
		}
		at[k] = len(ext.Links)
		ext.Links = append(ext.Links, robot.Link{Name: "frame " + f.Name, Antecedent: antecedent, Placement: f.Placement,
			UserFrame: robot.Identity(), Joint: robot.Joint{Name: f.Name, Kind: f.Kind, Passive: true}})
		return at[k]
	}
	c := &Closure{robot: r.Name, extended: ext, own: len(r.Links)}
	for i, l := range r.Loops {
		c.loops = append(c.loops, cut{frame: add(l.Frame), meets: add(l.Meets), name: r.LoopName(i), spherical: l.Spherical})
	}
	var err error
	if c.tree, err = dynamics.New(ext); err != nil {
		return nil, err
	}
	c.links, c.coords = c.tree.Links(), c.tree.Coordinates()
	for k, link := range c.coords {
		c.joints = append(c.joints, ext.Links[link].Joint.Name)
		if link < len(r.Links) {
			c.dof = k + 1
			if !r.Links[link].Joint.Passive {
				c.active = append(c.active, k)
			}
		}
	}
	if len(c.active) == 0 {
		return nil, fmt.Errorf("robot %q: every joint is passive (mu = 0), so nothing drives the loops", r.Name)
	}
	c.measure()
	c.couple(r)
	return c, nil
}

// couple adds the robot's couplings as relations of coordinates.
func (c *Closure) couple(r *robot.Robot) {
	for i, m := range r.Couplings {
		l := cut{frame: -1, meets: -1, name: r.CouplingName(i)}
		add := func(link int, w float64) {
			t := &c.links[link]
			// A joint that mimics another stands for a multiple of that one.
			l.linear = append(l.linear, term{t.Coord, w * t.Ratio * c.unit[t.Coord]})
			l.offset += w * t.Offset
			c.chain[t.Coord] = true
		}
		add(m.Joint, 1)
		for _, link := range slices.Sorted(maps.Keys(m.Of)) {
			add(link, -m.Of[link])
		}
		l.offset -= m.Offset
		size := c.unit[l.linear[0].coord]
		for k := range l.linear {
			l.linear[k].factor /= size
		}
		l.offset /= size
		c.loops = append(c.loops, l)
	}
}

// measure finds the unit of length and the coordinates that loops hold.
func (c *Closure) measure() {
	for _, l := range c.links {
		c.length = max(c.length, spatial.Norm(l.Placement.P))
	}
	if c.length == 0 {
		c.length = 1
	}
	c.unit = make([]float64, len(c.coords))
	for k, link := range c.coords {
		c.unit[k] = 1
		if c.links[link].Kind == robot.Prismatic {
			c.unit[k] = c.length
		}
	}
	c.chain = make([]bool, len(c.coords))
	for _, l := range c.loops {
		// A link that carries both sides of a cut moves them together.
		both := map[int]int{}
		for _, link := range []int{l.frame, l.meets} {
			for ; link >= 0; link = c.links[link].Antecedent {
				both[link]++
			}
		}
		for link, n := range both {
			if k := c.links[link].Coord; k >= 0 && n == 1 {
				c.chain[k] = true
			}
		}
	}
}

// DOF returns the number of coordinates of the robot's tree.
func (c *Closure) DOF() int { return c.dof }

// Cuts returns the number of coordinates of cut joints.
func (c *Closure) Cuts() int { return len(c.unit) - c.dof }

// Joints returns the names of the joints of all coordinates, those of cut joints
// last.
func (c *Closure) Joints() []string { return slices.Clone(c.joints) }

// IsRevolute reports whether a coordinate is an angle.
func (c *Closure) IsRevolute(k int) bool { return c.links[c.coords[k]].Kind == robot.Revolute }

// Equations returns the number of equations of the closed loops: six a
// loop, three where it is cut at a ball and socket, one a coupling. Most loops
// have fewer independent ones.
func (c *Closure) Equations() int {
	n := 0
	for _, l := range c.loops {
		switch {
		case l.linear != nil:
			n++
		case l.spherical:
			n += 3
		default:
			n += 6
		}
	}
	return n
}

// Active returns the tree's coordinates with a drive, ascending.
func (c *Closure) Active() []int { return slices.Clone(c.active) }

// Passive returns the tree's coordinates without one, ascending.
func (c *Closure) Passive() []int {
	var out []int
	for k := range c.dof {
		if !slices.Contains(c.active, k) {
			out = append(out, k)
		}
	}
	return out
}

// check panics where a state has the wrong length.
func (c *Closure) check(name string, v []float64) {
	if len(v) != len(c.unit) {
		panic(fmt.Sprintf("loops: %s has %d entries; the loops have %d coordinates of the tree and %d of cut joints", name, len(v), c.dof, c.Cuts()))
	}
}

// mismatch stores in r, for each loop, the offset between the origins of its
// two frames, in units of length, and the rotation vector between their axes.
func (c *Closure) mismatch(r, q []float64, poses []robot.Transform) {
	for i, l := range c.loops {
		if l.linear != nil {
			r[6*i] = l.offset
			for _, t := range l.linear {
				r[6*i] += t.factor * q[t.coord] / c.unit[t.coord]
			}
			continue
		}
		a, b := poses[l.frame], poses[l.meets]
		phi := spatial.RotationVector(spatial.Mul(a.R, spatial.Transpose(b.R)))
		for k := range 3 {
			r[6*i+k] = (a.P[k] - b.P[k]) / c.length
			if !l.spherical {
				r[6*i+3+k] = phi[k]
			}
		}
	}
}

// Residual returns the distance of the worst loop from closed: the largest entry
// of its mismatch, in rad and in parts of the largest offset between frames.
func (c *Closure) Residual(q []float64) float64 {
	c.check("q", q)
	r := make([]float64, 6*len(c.loops))
	c.mismatch(r, q, c.tree.Poses(q))
	worst := 0.0
	for _, v := range r {
		if worst = max(worst, math.Abs(v)); math.IsNaN(v) {
			return v
		}
	}
	return worst
}
