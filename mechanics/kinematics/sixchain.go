package kinematics

import (
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// sixChain is a pose problem as six joints in a row: with J_i the motion of joint i about, or
// along, its z axis,
//
//	place[0]·J_1·place[1]·J_2 … place[5]·J_6 = target
//
// Lengths are in units of the tree's reach.
type sixChain struct {
	place  [6]robot.Transform
	slides [6]bool
	target robot.Transform
}

// chain returns the goal as a six-joint chain: joints held are part of the placements. It reports whether
// exactly six joints with coordinates of their own are left.
func (t *Tree) chain(g Goal, q []float64, held []bool) (c sixChain, coords [6]int, ok bool) {
	pose := t.NewPose()
	pose.Place(q)
	before := robot.Identity() // placement since the last free joint
	n := 0
	seen := map[int]bool{}
	for _, j := range t.all(g.Link) {
		l := &t.links[j]
		switch {
		case l.Coord < 0 || held[l.Coord]:
			from := -1
			if l.Antecedent >= 0 {
				from = l.Antecedent
			}
			before = before.Mul(pose.Between(from, j))
			continue
		case n == 6 || seen[l.Coord]:
			return c, coords, false
		}
		seen[l.Coord] = true
		c.place[n], c.slides[n], coords[n] = before.Mul(l.Placement), l.Kind == robot.Prismatic, l.Coord
		before, n = robot.Identity(), n+1
	}
	if n != 6 {
		return c, coords, false
	}
	c.target = g.Pose.Mul(before.Mul(g.Tool).Inv())
	for i := range c.place {
		c.place[i].P = spatial.Scale(1/t.reach, c.place[i].P)
	}
	c.target.P = spatial.Scale(1/t.reach, c.target.P)
	return c, coords, true
}

// all returns the links between the base and a link, itself included.
func (t *Tree) all(link int) (path []int) {
	for j := link; j >= 0; j = t.links[j].Antecedent {
		path = append([]int{j}, path...)
	}
	return path
}

// reversed returns the chain from the tip to the base, whose joints are the negatives in
// reverse order: J_6⁻¹·place[5]⁻¹·…·J_1⁻¹ = target⁻¹·place[0].
func (c *sixChain) reversed() (r sixChain) {
	r.place[0] = robot.Identity()
	for i := range 6 {
		r.slides[i] = c.slides[5-i]
		if i > 0 {
			r.place[i] = c.place[6-i].Inv()
		}
	}
	r.target = c.target.Inv().Mul(c.place[0])
	return r
}

// shifted returns the chain as it is met from joint s+1 on, round the loop that the arm and its goal
// make: joints s+1 … 6, 1 … s.
func (c *sixChain) shifted(s int) (r sixChain) {
	r.target = robot.Identity()
	for i := range 6 {
		k := (s + i) % 6
		r.place[i], r.slides[i] = c.place[k], c.slides[k]
		if k == 0 {
			r.place[i] = c.target.Inv().Mul(c.place[0])
		}
	}
	return r
}

// motion returns the placement by joint i at x.
func (c *sixChain) motion(i int, x float64) robot.Transform {
	if c.slides[i] {
		return robot.Transform{R: spatial.Eye(), P: spatial.Vec{0, 0, x}}
	}
	return robot.Transform{R: spatial.RotZ(x)}
}

// wrist returns the point on axis 4, from frame 4's origin along z, where the axes of joints 4, 5
// and 6 meet.
func (c *sixChain) wrist() (z float64, ok bool) {
	if c.slides[3] || c.slides[4] || c.slides[5] {
		return 0, false
	}
	// Points where axis 5 is met, along axis 4 and along itself, and where axis 6 meets axis 5.
	z4, z5, ok := meet(c.place[4])
	if !ok {
		return 0, false
	}
	same, _, ok := meet(c.place[5])
	return z4, ok && math.Abs(same-z5) < together
}

// together is the distance, in units of the reach, below which axes meet: robot files have
// placements with six to twelve digits; Newton's steps take up the rest.
const together = 1e-6

// meet returns where the z axis of a frame meets the z axis of the frame it is placed in: along that one and
// along its own.
func meet(f robot.Transform) (along, own float64, ok bool) {
	z, w := spatial.Vec{0, 0, 1}, spatial.Vec{f.R[0][2], f.R[1][2], f.R[2][2]}
	normal := spatial.Cross(z, w)
	s := spatial.Dot(normal, normal)
	if s < together*together {
		return 0, 0, false
	}
	if math.Abs(spatial.Dot(f.P, normal)) > together*math.Sqrt(s) {
		return 0, 0, false
	}
	// P + own·w = along·z.
	along = spatial.Dot(spatial.Cross(f.P, w), normal) / s
	own = spatial.Dot(spatial.Cross(f.P, z), normal) / s
	return along, own, true
}
