package baseparams

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// closing holds what the loops of a robot add to the rules of its tree. The tree has the frames at the cuts as links
// behind its own.
type closing struct {
	own      int // links of the robot, which come first
	cuts     []loops.Cut
	parallel []bars
	names    []string
	length   float64 // the largest offset between frames, m
}

// bars are two links that keep one orientation to each other whenever the loops are closed, like opposite bars of a
// parallelogram, or with from = -1 a link and the base.
type bars struct {
	link, from int
	r          [3][3]float64 // orientation of link in the frame of from
	// together says that their origins keep one distance and direction too, as where both turn about pivots on the base.
	together bool
	// plane says, with from = -1, that the link turns, but only about the direction of its own z axis.
	plane bool
	// apart says how far the origin of link lies from that of from, if that is a length of another link; link is -1 otherwise.
	apart offset
}

// offset is the way from one origin to another: that from the origin of the antecedent of link to the origin of link, times sign. It keeps
// its length and turns with the antecedent, which belongs to the links parallel to leader.
type offset struct {
	link, leader int
	sign         int
	r            [3][3]float64 // orientation of the antecedent in the frame of leader
	// plane is ±1 if both families turn about one direction of the base only, along the z axes of their leaders, which point alike or
	// against each other; 0 otherwise.
	plane int
}

// symbolicLoops applies the rules of the tree, and then those of Khalil and Bennis (1995) for its loops. With hⱼ the ten
// columns of link j in the energy of the closed robot:
//
//   - Frames that meet at a cut move as one, so all ten columns of one frame are those of the other, and of a ball joint
//     the mass. The frames are links of the tree, so its rules bring them onto the links that carry them: three relations
//     remain for a revolute joint, six for a prismatic one.
//   - Links that stay parallel have the same angular velocity, so the inertia of one, in the other's frame, acts like the
//     other's. If their origins move alike as well, so do all ten parameters. If their origins are a length of another link apart, and the
//     origins of two links parallel to that one a length of the first ones (a pantograph), the first moments of all four are tied.
//   - A link that never turns has no effect but by its mass, and one that turns about one direction only has none by the
//     other entries of its inertia.
//
// Each relation eliminates its last column, as QR does. Nothing identifiable is lost, but relations may be missed that
// the closed loops have for other reasons; Compare lists those that QR finds in addition.
func symbolicLoops(r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	m, c, err := loopModel(r, terms)
	if err != nil {
		return nil, err
	}
	ext, cuts := c.Extended()
	for k := range r.Extra {
		// Closure writes the frame's name as that of a joint.
		if i := slices.IndexFunc(ext.Links[len(r.Links):], func(l robot.Link) bool { return l.Joint.Name == r.Extra[k].Name }); i >= 0 {
			ext.Links[len(r.Links)+i].MDH = r.Extra[k].MDH
		}
	}
	cl := &closing{own: len(r.Links), cuts: cuts}
	for j := range ext.Links {
		cl.length = max(cl.length, spatial.Norm(ext.Links[j].Placement.P))
		cl.names = append(cl.names, ext.Links[j].Joint.Name)
	}
	var warnings []string
	if cl.parallel, err = parallelLinks(r, m, c, opt); err != nil {
		warnings = append(warnings, fmt.Sprintf("the symbolic rules do not know which links stay parallel: %v", err))
	}
	s, err := symbolicTree(ext, terms, cl)
	if err != nil {
		return nil, err
	}
	var absent []int
	for i, col := range s.Columns {
		if col.Drive == 0 && col.Link >= len(r.Links) || undriven(r, col) {
			absent = append(absent, i)
		}
	}
	s = s.Without(absent)
	s.Warnings = append(append(s.Warnings, warnings...), cl.covered(len(r.Couplings)))
	return s, nil
}

// covered says which relations of the loops the rules have and which they leave to QR.
func (cl *closing) covered(couplings int) string {
	text := "the symbolic rules of the loops: frames that meet where loops are cut move as one"
	var pairs []string
	for _, p := range cl.parallel {
		switch {
		case p.plane:
			pairs = append(pairs, fmt.Sprintf("the link of %s turns about one direction only", cl.names[p.link]))
		case p.from < 0:
			pairs = append(pairs, fmt.Sprintf("the link of %s never turns", cl.names[p.link]))
		default:
			pairs = append(pairs, fmt.Sprintf("the links of %s and %s stay parallel", cl.names[p.from], cl.names[p.link]))
		}
	}
	for _, p := range cl.tied() {
		a, b := p[0], p[1]
		pairs = append(pairs, fmt.Sprintf("the origins of %s and %s, and of %s and %s, move in proportion to links of each other", cl.names[a.from], cl.names[a.link], cl.names[b.from], cl.names[b.link]))
	}
	if len(pairs) > 0 {
		text += "; " + strings.Join(pairs, ", ")
	}
	if couplings > 0 {
		text += "; couplings of joints have no rule of their own"
	}
	return text + "; what else the loops regroup is left to QR"
}

// undriven reports whether a column belongs to a drive that a passive joint lacks.
func undriven(r *robot.Robot, c regressor.Column) bool {
	driven := c.Term == regressor.Ia || c.Term == regressor.Fo
	return driven && c.Drive == 0 && r.Links[c.Link].Joint.Passive && !r.Links[c.Link].Joint.Redundant
}

const (
	// Closed states at which links must keep their orientation to count as parallel.
	parallelStates = 6
	// Loops close to 1e-12 and a state's orientations are that exact; links that turn against each other differ by the
	// length of a walk's steps.
	parallelWithin = 1e-8
)

// parallelLinks finds the links that keep one orientation to each other: in the robot's assembly if it is given,
// otherwise in that of the random ones in which most joints move and then most links stay parallel, because a
// parallelogram is intended and the same bars crossed are not.
func parallelLinks(r *robot.Robot, m *regressor.Model, c *loops.Closure, opt Options) ([]bars, error) {
	cut := r.Cut()
	tree, err := dynamics.New(cut)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, loopStream))
	given, err := givenStart(r, c, opt)
	if err != nil {
		return nil, err
	}
	if given != nil {
		return parallelFrom(cut, tree, c, given, rng), nil
	}
	var best []bars
	fewest := math.MaxInt
	for range min(assemblies*max(len(r.Loops), 1), 4*assemblies) {
		start, err := c.Assemble(rng)
		if err != nil {
			return nil, err
		}
		held := len(heldLinks(m, start))
		if held > fewest {
			continue
		}
		if p := parallelFrom(cut, tree, c, start, rng); held < fewest || len(p) > len(best) {
			best, fewest = p, held
		}
	}
	return best, nil
}

// parallelFrom returns the links that keep their orientation to an earlier one or to the base, and those that keep the
// direction of their axis, over states of one walk, unless the joints between them alone keep it.
func parallelFrom(r *robot.Robot, tree *dynamics.Tree, c *loops.Closure, start *loops.Motion, rng *rand.Rand) []bars {
	w := c.Walk(start, rng)
	var at [][]robot.Transform
	for range parallelStates {
		at = append(at, tree.Poses(w.Next().Q[:c.DOF()]))
	}
	// steady returns what f has in the first state, and whether f is the same in all.
	steady := func(f func(p []robot.Transform) spatial.Mat) (spatial.Mat, bool) {
		first := f(at[0])
		for _, p := range at[1:] {
			for a, row := range f(p) {
				if !(spatial.Norm(spatial.AddScaled(row, -1, first[a])) < parallelWithin) {
					return first, false
				}
			}
		}
		return first, true
	}
	links, known := tree.Links(), shapes(r)
	// turnedBy returns the link whose joint turns a link, -1 for none.
	turnedBy := func(j int) int {
		for j >= 0 && links[j].Kind != robot.Revolute {
			j = links[j].Antecedent
		}
		return j
	}
	var out []bars
	level := make([]bool, len(links))
	for j := range links {
		rotation, still := steady(func(p []robot.Transform) spatial.Mat { return p[j].R })
		if level[j] = still; still {
			if turnedBy(j) >= 0 {
				out = append(out, bars{link: j, from: -1, r: rotation})
			}
			continue
		}
		z := func(p []robot.Transform) spatial.Mat {
			return spatial.Mat{spatial.MulVec(p[j].R, spatial.Vec{0, 0, 1})}
		}
		if _, plane := steady(z); plane && !known[j].before {
			out = append(out, bars{link: j, from: -1, plane: true})
		}
		for i := range j {
			if level[i] || turnedBy(j) == turnedBy(i) {
				continue
			}
			relative, parallel := steady(func(p []robot.Transform) spatial.Mat {
				var m spatial.Mat
				for k := range 3 {
					m[k] = spatial.MulTVec(p[j].R, spatial.Vec{p[i].R[0][k], p[i].R[1][k], p[i].R[2][k]})
				}
				return m
			})
			if parallel {
				_, together := steady(func(p []robot.Transform) spatial.Mat { return spatial.Mat{spatial.AddScaled(p[j].P, -1, p[i].P)} })
				out = append(out, bars{link: j, from: i, r: relative, together: together, apart: offset{link: -1}})
				break
			}
		}
	}
	// leader returns the first link that a link is parallel to, itself if there is none, and its orientation there.
	leader := func(j int) (int, spatial.Mat) {
		for _, b := range out {
			if b.link == j && b.from >= 0 {
				return b.from, b.r
			}
		}
		return j, spatial.Mat{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	for k := range out {
		b := &out[k]
		if b.from < 0 || b.together {
			continue
		}
		way := func(p []robot.Transform) spatial.Vec { return spatial.AddScaled(p[b.link].P, -1, p[b.from].P) }
	search:
		for m := range links {
			i := links[m].Antecedent
			if i < 0 || links[m].Kind != robot.Revolute || level[i] || spatial.Norm(links[m].Placement.P) == 0 {
				continue
			}
			to, turned := leader(i)
			if to == b.from {
				continue
			}
			for _, sign := range []int{1, -1} {
				if !slices.ContainsFunc(at, func(p []robot.Transform) bool {
					length := spatial.AddScaled(p[m].P, -1, p[i].P)
					return !(spatial.Norm(spatial.AddScaled(way(p), -float64(sign), length)) < parallelWithin)
				}) {
					b.apart = offset{link: m, leader: to, sign: sign, r: turned}
					axis := func(j int) (spatial.Mat, bool) {
						return steady(func(p []robot.Transform) spatial.Mat {
							return spatial.Mat{spatial.MulVec(p[j].R, spatial.Vec{0, 0, 1})}
						})
					}
					one, plane := axis(b.from)
					other, also := axis(to)
					if c := spatial.Dot(one[0], other[0]); plane && also && math.Abs(c) > 1-parallelWithin {
						b.apart.plane = int(math.Round(c))
					}
					break search
				}
			}
		}
	}
	return out
}

// tied returns the pairs of parallel links whose origins are apart by lengths that turn with the links of each other.
func (cl *closing) tied() (out [][2]bars) {
	for i, a := range cl.parallel {
		for _, b := range cl.parallel[:i] {
			if a.from >= 0 && b.from >= 0 && a.apart.link >= 0 && b.apart.link >= 0 && a.apart.leader == b.from && b.apart.leader == a.from {
				out = append(out, [2]bars{a, b})
			}
		}
	}
	return out
}

// close applies the relations of the loops. It returns false if the budget is exceeded or an orientation has no
// expression.
func (g *regrouping[T]) close(cl *closing, s *Set) bool {
	last := robot.NumInertial - 1 // ten columns per link, M the last
	for n, cut := range cl.cuts {
		if cut.Linear != nil {
			continue
		}
		why := fmt.Sprintf("the frames that meet where loop %d is cut move as one", n+1)
		for p := range robot.NumInertial {
			if p == last || !cut.Spherical {
				g.eliminate(p, []entry[T]{{g.first[cut.Frame] + p, g.Int(1)}, {g.first[cut.Meets] + p, g.Int(-1)}}, cl.length, s, why)
			}
		}
	}
	for _, b := range cl.parallel {
		c := g.first[b.link]
		if b.from < 0 {
			for p := range last {
				if !b.plane || p < robot.ZZ || p == robot.MZ {
					g.eliminate(p, []entry[T]{{c + p, g.Int(1)}}, cl.length, s, "the loops keep the link from turning, or from turning about other axes than its own")
				}
			}
			continue
		}
		var a [3][3]T
		for u := range 3 {
			for v := range 3 {
				x, ok := g.Float(b.r[u][v])
				if !ok {
					return false
				}
				a[u][v] = x
			}
		}
		why := fmt.Sprintf("the loops keep the link parallel to that of joint %s", cl.names[b.from])
		alike := func(p int, other ...T) {
			relation := []entry[T]{{c + p, g.Int(1)}}
			first := g.first[b.from] + p // of M itself, of the moments or of the inertia
			switch order(p) {
			case 1:
				first = g.first[b.from] + robot.MX
			case 2:
				first = g.first[b.from]
			}
			for q, x := range other {
				relation = append(relation, entry[T]{first + q, g.Neg(x)})
			}
			g.eliminate(p, relation, cl.length, s, why)
		}
		for p := robot.XX; p <= robot.ZZ; p++ {
			x := g.turned(&a, p)
			alike(p, x[:]...)
		}
		if b.together {
			for k := range 3 {
				alike(robot.MX+k, a[0][k], a[1][k], a[2][k])
			}
			alike(robot.M, g.Int(1))
		}
		if g.Spent() > budget {
			return false
		}
	}
	for _, p := range cl.tied() {
		if !g.tie(p[0], p[1], cl, s) {
			return false
		}
	}
	return g.Spent() <= budget
}

// tie applies the relation between the first moments of two pairs of parallel links, a and b, whose origins are apart by a vector d that is
// fixed in the frame of b's links, and by e fixed in that of a's. With ω and R of the two families, the energy of a first moment m of a's
// link, less that of the same moment of the link that it is parallel to, is
//
//	(ω_b × R_b·d)·(ω_a × R_a·m)
//
// besides inertia, which is the same for m = e as that of d for b's links, with the two families exchanged. So
//
//	a.link(e) − a.from(e) − b.link(d) + b.from(d) = 0
//
// and, if both families turn about one direction z of the base only, also
//
//	a.link(z×e) − a.from(z×e) + b.link(z×d) − b.from(z×d) = 0
func (g *regrouping[T]) tie(a, b bars, cl *closing, s *Set) bool {
	d, ok := g.length(&a.apart)
	e, also := g.length(&b.apart)
	if !ok || !also {
		return false
	}
	across := func(v [3]T, sign int) [3]T {
		return [3]T{g.Mul(g.Int(-sign), v[1]), g.Mul(g.Int(sign), v[0]), g.Int(0)}
	}
	why := fmt.Sprintf("the loops move the origins of the links of %s and %s in proportion to links of those of %s and %s", cl.names[a.from], cl.names[a.link], cl.names[b.from], cl.names[b.link])
	relate := func(ofA, ofB [3]T, sign int) bool {
		var relation []entry[T]
		for _, p := range []struct {
			of   *bars
			m    [3]T
			sign int
		}{{&a, ofA, 1}, {&b, ofB, sign}} {
			for k := range 3 {
				relation = append(relation, entry[T]{g.first[p.of.from] + robot.MX + k, g.Mul(g.Int(-p.sign), p.m[k])})
				own := g.Int(0) // of the moment in the link's own frame
				for u := range 3 {
					x, ok := g.Float(p.of.r[u][k])
					if !ok {
						return false
					}
					own = g.Add(own, g.Mul(x, p.m[u]))
				}
				relation = append(relation, entry[T]{g.first[p.of.link] + robot.MX + k, g.Mul(g.Int(p.sign), own)})
			}
		}
		g.eliminate(robot.MX, relation, cl.length, s, why)
		return g.Spent() <= budget
	}
	if !relate(e, d, -1) {
		return false
	}
	return a.apart.plane == 0 || relate(across(e, 1), across(d, a.apart.plane), 1)
}

// length returns an offset in the frame of its leader.
func (g *regrouping[T]) length(o *offset) (out [3]T, ok bool) {
	for u := range 3 {
		out[u] = g.Int(0)
		for v := range 3 {
			x, ok := g.Float(o.r[u][v])
			if !ok {
				return out, false
			}
			out[u] = g.Add(out[u], g.Mul(x, g.p[o.link][v]))
		}
		out[u] = g.Mul(g.Int(o.sign), out[u])
	}
	return out, true
}

// eliminate uses a relation between columns, Σ coef·W[col] = 0, which is that of parameter p. It brings the columns that
// are gone onto those that are left and regroups the last of these onto the others.
func (g *regrouping[T]) eliminate(p int, relation []entry[T], length float64, s *Set, why string) {
	row := make([]T, len(g.held))
	for c := range row {
		row[c] = g.Int(0)
	}
	for _, e := range relation {
		row[e.col] = g.Add(row[e.col], e.coef)
	}
	pivot := -1
	for c := len(row) - 1; c >= 0; c-- {
		// A coefficient between parameters has the unit of a length to the difference of their orders.
		if size := math.Pow(length, float64(order(s.Columns[c].Param)-order(p))); s.Columns[c].Term != regressor.Links || math.Abs(g.value(row[c])) <= coincident*size {
			continue
		}
		if g.gone[c] {
			for _, e := range g.onto[c] {
				row[e.col] = g.Add(row[e.col], g.Mul(row[c], e.coef))
			}
			continue
		}
		if pivot < 0 {
			pivot = c
			continue
		}
		g.add(c, pivot, g.Neg(g.Div(row[c], row[pivot])))
	}
	if pivot < 0 {
		return
	}
	g.drop(pivot)
	if s.Reasons[pivot] == "" {
		s.Reasons[pivot] = why
	}
}

// order returns the power of a length in the unit of an inertial parameter.
func order(p int) int {
	switch {
	case p <= robot.ZZ:
		return 2
	case p == robot.M:
		return 0
	}
	return 1
}
