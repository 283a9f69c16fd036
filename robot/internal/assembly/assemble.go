package assembly

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/internal/words"
)

// Body is a named body with a frame of its own, as a URDF has it.
type Body struct {
	Name     string
	Line     int
	Inertial robot.Inertial // about the origin of the body's own frame
	Has      bool
	Massless bool
}

// Edge is a joint about any axis that hangs one body on another.
type Edge struct {
	Joint         robot.Joint
	Line          int
	Parent, Child string
	Origin        robot.Transform // places the child's frame in the parent's at q = 0
	Axis          [3]float64      // unit vector in the child's frame
	Mimic         string          // the joint that this one mimics, "" for none
	Multiplier    float64
	Offset        float64
}

// tree indexes bodies and edges for a walk from the root.
type tree struct {
	bodies []Body
	edges  []Edge
	byName map[string]int
	above  []int   // the edge that carries a body, -1 for the root
	below  [][]int // the edges that a body carries, in the file's order
	root   int
}

// newTree checks that the bodies and edges are one tree.
func newTree(bodies []Body, edges []Edge) (*tree, error) {
	t := &tree{bodies: bodies, edges: edges, byName: map[string]int{},
		above: make([]int, len(bodies)), below: make([][]int, len(bodies))}
	if len(bodies) == 0 {
		return nil, robot.Fault(0, "", "the file holds no link")
	}
	for i, b := range bodies {
		if first, dup := t.byName[b.Name]; dup {
			return nil, robot.Fault(b.Line, "", "link %q is defined twice (first in line %d); rename one", b.Name, bodies[first].Line)
		}
		t.byName[b.Name] = i
		t.above[i] = -1
	}
	joints := map[string]bool{}
	for i, e := range edges {
		if joints[e.Joint.Name] {
			return nil, robot.Fault(e.Line, "", "joint %q is defined twice; rename one", e.Joint.Name)
		}
		joints[e.Joint.Name] = true
		p, okP := t.byName[e.Parent]
		c, okC := t.byName[e.Child]
		if !okP {
			return nil, robot.Fault(e.Line, words.Joint(e.Joint.Name), "parent link %q does not exist%s", e.Parent, words.DidYouMean(e.Parent, t.names()))
		}
		if !okC {
			return nil, robot.Fault(e.Line, words.Joint(e.Joint.Name), "child link %q does not exist%s", e.Child, words.DidYouMean(e.Child, t.names()))
		}
		if p == c {
			return nil, robot.Fault(e.Line, words.Joint(e.Joint.Name), "link %q is its own parent", e.Child)
		}
		if a := t.above[c]; a >= 0 {
			return nil, robot.Fault(e.Line, words.Joint(e.Joint.Name),
				"link %q has two parents, %q (joint %q) and %q; a tree needs one each", e.Child, edges[a].Parent, edges[a].Joint.Name, e.Parent)
		}
		t.above[c] = i
		t.below[p] = append(t.below[p], i)
	}
	return t, t.findRoot()
}

func (t *tree) names() []string {
	out := make([]string, len(t.bodies))
	for i, b := range t.bodies {
		out[i] = b.Name
	}
	return out
}

func (t *tree) findRoot() error {
	var roots []string
	for i, a := range t.above {
		if a < 0 {
			roots = append(roots, fmt.Sprintf("%q", t.bodies[i].Name))
			t.root = i
		}
	}
	if len(roots) > 1 {
		return robot.Fault(0, "", "the links are %d separate trees, with roots %s; join them by (fixed) joints", len(roots), strings.Join(roots, ", "))
	}
	reached := make([]bool, len(t.bodies))
	n := 0
	if len(roots) == 1 {
		stack := []int{t.root}
		for len(stack) > 0 {
			b := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			reached[b] = true
			n++
			for _, e := range t.below[b] {
				stack = append(stack, t.byName[t.edges[e].Child])
			}
		}
	}
	if n == len(t.bodies) {
		return nil
	}
	// Every body that the root does not reach is on, or hangs from, a cycle.
	at := slices.Index(reached, false)
	seen := map[int]bool{}
	for !seen[at] {
		seen[at] = true
		at = t.byName[t.edges[t.above[at]].Parent]
	}
	var names []string
	for b := at; ; {
		names = append(names, fmt.Sprintf("%q", t.bodies[b].Name))
		b = t.byName[t.edges[t.above[b]].Parent]
		if b == at {
			break
		}
	}
	what := "no root link: "
	if len(roots) > 0 {
		what = ""
	}
	return robot.Fault(t.edges[t.above[at]].Line, "", "%slinks %s carry each other in a cycle", what, strings.Join(names, ", "))
}

// Assemble turns bodies and edges into a robot: moving joints become links in
// depth-first order, fixed ones lump their body into its carrier.
func Assemble(r *robot.Robot, bodies []Body, edges []Edge, opt robot.ReadOptions) error {
	t, err := newTree(bodies, edges)
	if err != nil {
		return err
	}
	r.BaseName = bodies[t.root].Name
	type seat struct {
		link int             // the moving link that the body is part of, -1 for the base
		in   robot.Transform // places the body's own frame in that link's frame
	}
	seats := make([]seat, len(bodies))
	seats[t.root] = seat{-1, robot.Identity()}
	linkOf := map[string]int{}
	// Depth first with a stack of edges, pushed in reverse to be taken in order.
	stack := slices.Clone(t.below[t.root])
	slices.Reverse(stack)
	for len(stack) > 0 {
		e := edges[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		child := t.byName[e.Child]
		from := seats[t.byName[e.Parent]]
		at := from.in.Mul(e.Origin)
		if e.Joint.Kind == robot.Fixed {
			Lump(r, &bodies[child], e.Joint.Name, from.link, at)
			seats[child] = seat{from.link, at}
		} else {
			align := robot.Transform{R: angles.AlignZ(e.Axis)}
			user := robot.Transform{R: spatial.Transpose(align.R)}
			own := bodies[child].Inertial.InFrame(user)
			if !bodies[child].Has {
				own = robot.Inertial{}
			}
			seats[child] = seat{len(r.Links), user}
			linkOf[e.Joint.Name] = len(r.Links)
			r.Links = append(r.Links, robot.Link{
				Name: e.Child, Joint: e.Joint, Antecedent: from.link,
				Placement: at.Mul(align), UserFrame: user,
				Inertial: own, Own: own, HasInertial: bodies[child].Has, Massless: bodies[child].Massless,
			})
		}
		for _, k := range slices.Backward(t.below[child]) {
			stack = append(stack, k)
		}
	}
	if len(r.Links) == 0 {
		return robot.Fault(0, "", "the robot has no moving joint; revolute, continuous or prismatic joints are needed")
	}
	AddLumped(r)
	if err := AddMimics(r, edges, linkOf); err != nil {
		return err
	}
	if !opt.NoSnap {
		for i := range r.Links {
			SnapZeros(&r.Links[i].Placement)
		}
	}
	bound, err := r.Bind(nil)
	if err != nil {
		return err
	}
	*r = *bound
	return nil
}

// Lump records a body that a fixed joint hangs on a link (or the base).
func Lump(r *robot.Robot, b *Body, joint string, into int, at robot.Transform) {
	l := robot.Lumped{Name: b.Name, Joint: joint, Into: into, InLink: at, HasInertial: b.Has}
	if b.Has {
		l.Inertial = b.Inertial.InFrame(at)
	}
	r.Lumped = append(r.Lumped, l)
}

// AddLumped adds the lumped bodies to the links' inertials, with a note for each
// that has an inertial, and sorts the records by the link they went into.
func AddLumped(r *robot.Robot) {
	sort.SliceStable(r.Lumped, func(i, j int) bool { return r.Lumped[i].Into < r.Lumped[j].Into })
	for _, l := range r.Lumped {
		into := "the base"
		if l.Into >= 0 {
			into = fmt.Sprintf("link %q", r.Links[l.Into].Name)
			if l.HasInertial {
				k := &r.Links[l.Into]
				k.Inertial = k.Inertial.Add(l.Inertial)
				k.HasInertial = true
			}
		}
		text := fmt.Sprintf("fixed by joint %q, lumped into %s", l.Joint, into)
		if !l.HasInertial {
			text += " (it has no inertial)"
		}
		r.Notes = append(r.Notes, robot.Note{Where: fmt.Sprintf("link %q", l.Name), Text: text})
	}
}

// AddMimics adds the joints that follow others to the robot; linkOf gives the link of each moving joint.
func AddMimics(r *robot.Robot, edges []Edge, linkOf map[string]int) error {
	leads := map[int]int{} // the joint that each mimic copies
	for _, e := range edges {
		if e.Mimic == "" {
			continue
		}
		where := words.Joint(e.Joint.Name)
		j, ok := linkOf[e.Joint.Name]
		if !ok {
			return robot.Fault(e.Line, where, "a fixed joint cannot mimic joint %q", e.Mimic)
		}
		of, ok := linkOf[e.Mimic]
		if !ok {
			return robot.Fault(e.Line, where, "mimics joint %q, which is not a moving joint of this robot%s", e.Mimic, words.DidYouMean(e.Mimic, r.JointNames()))
		}
		leads[j] = of
		for k, n := of, 0; ; n++ {
			if k == j || n > len(r.Links) {
				return robot.Fault(e.Line, where, "mimics itself by way of joint %q", e.Mimic)
			}
			next, ok := leads[k]
			if !ok {
				break
			}
			k = next
		}
		r.Mimics = append(r.Mimics, robot.Mimic{Joint: j, Of: of, Multiplier: e.Multiplier, Offset: e.Offset})
	}
	sort.Slice(r.Mimics, func(i, j int) bool { return r.Mimics[i].Joint < r.Mimics[j].Joint })
	return nil
}

// SnapZeros clears offsets that are a rounded zero.
func SnapZeros(t *robot.Transform) {
	for i, p := range t.P {
		if math.Abs(p) < angles.SnapLength {
			t.P[i] = 0
		}
	}
}
