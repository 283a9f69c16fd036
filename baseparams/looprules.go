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
}

// symbolicLoops applies the rules of the tree, and then those of Khalil and Bennis (1995) for its loops. With hⱼ the ten
// columns of link j in the energy of the closed robot:
//
//   - Frames that meet at a cut move as one, so all ten columns of one frame are those of the other, and of a ball joint
//     the mass. The frames are links of the tree, so its rules bring them onto the links that carry them: three relations
//     remain for a revolute joint, six for a prismatic one.
//   - Links that stay parallel have the same angular velocity, so the inertia of one, in the other's frame, acts like the
//     other's. If their origins move alike as well, so do all ten parameters.
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
				out = append(out, bars{link: j, from: i, r: relative, together: together})
				break
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
	return g.Spent() <= budget
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
