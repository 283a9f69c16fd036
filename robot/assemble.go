package robot

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// body and edge are a robot as a URDF says it: named bodies, each with a frame
// of its own, hung on each other by joints about any axis.
type body struct {
	name     string
	line     int
	inertial Inertial // about the origin of the body's own frame
	has      bool
	massless bool
}

type edge struct {
	joint         Joint
	line          int
	parent, child string
	origin        Transform  // places the child's frame in the parent's at q = 0
	axis          [3]float64 // unit vector in the child's frame
	mimic         string     // the joint that this one mimics, "" for none
	multiplier    float64
	offset        float64
}

func jointWhere(name string) string { return fmt.Sprintf("joint %q", name) }

// tree indexes bodies and edges for a walk from the root.
type tree struct {
	bodies []body
	edges  []edge
	byName map[string]int
	above  []int   // the edge that carries a body, -1 for the root
	below  [][]int // the edges that a body carries, in the file's order
	root   int
}

// newTree checks that the bodies and edges are one tree.
func newTree(bodies []body, edges []edge) (*tree, error) {
	t := &tree{bodies: bodies, edges: edges, byName: map[string]int{},
		above: make([]int, len(bodies)), below: make([][]int, len(bodies))}
	if len(bodies) == 0 {
		return nil, fault(0, "", "the file holds no link")
	}
	for i, b := range bodies {
		if first, dup := t.byName[b.name]; dup {
			return nil, fault(b.line, "", "link %q is defined twice (first in line %d); rename one", b.name, bodies[first].line)
		}
		t.byName[b.name] = i
		t.above[i] = -1
	}
	joints := map[string]bool{}
	for i, e := range edges {
		if joints[e.joint.Name] {
			return nil, fault(e.line, "", "joint %q is defined twice; rename one", e.joint.Name)
		}
		joints[e.joint.Name] = true
		p, okP := t.byName[e.parent]
		c, okC := t.byName[e.child]
		if !okP {
			return nil, fault(e.line, jointWhere(e.joint.Name), "parent link %q does not exist%s", e.parent, didYouMean(e.parent, t.names()))
		}
		if !okC {
			return nil, fault(e.line, jointWhere(e.joint.Name), "child link %q does not exist%s", e.child, didYouMean(e.child, t.names()))
		}
		if p == c {
			return nil, fault(e.line, jointWhere(e.joint.Name), "link %q is its own parent", e.child)
		}
		if a := t.above[c]; a >= 0 {
			return nil, fault(e.line, jointWhere(e.joint.Name),
				"link %q has two parents, %q (joint %q) and %q; a tree needs one each", e.child, edges[a].parent, edges[a].joint.Name, e.parent)
		}
		t.above[c] = i
		t.below[p] = append(t.below[p], i)
	}
	return t, t.findRoot()
}

func (t *tree) names() []string {
	out := make([]string, len(t.bodies))
	for i, b := range t.bodies {
		out[i] = b.name
	}
	return out
}

func (t *tree) findRoot() error {
	var roots []string
	for i, a := range t.above {
		if a < 0 {
			roots = append(roots, fmt.Sprintf("%q", t.bodies[i].name))
			t.root = i
		}
	}
	if len(roots) > 1 {
		return fault(0, "", "the links are %d separate trees, with roots %s; join them by (fixed) joints", len(roots), strings.Join(roots, ", "))
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
				stack = append(stack, t.byName[t.edges[e].child])
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
		at = t.byName[t.edges[t.above[at]].parent]
	}
	var names []string
	for b := at; ; {
		names = append(names, fmt.Sprintf("%q", t.bodies[b].name))
		b = t.byName[t.edges[t.above[b]].parent]
		if b == at {
			break
		}
	}
	what := "no root link: "
	if len(roots) > 0 {
		what = ""
	}
	return fault(t.edges[t.above[at]].line, "", "%slinks %s carry each other in a cycle", what, strings.Join(names, ", "))
}

// assemble turns bodies and edges into a robot: moving joints become links in
// depth-first order, fixed ones lump their body into its carrier.
func assemble(r *Robot, bodies []body, edges []edge, opt ReadOptions) error {
	t, err := newTree(bodies, edges)
	if err != nil {
		return err
	}
	r.BaseName = bodies[t.root].name
	type seat struct {
		link int       // the moving link that the body is part of, -1 for the base
		in   Transform // places the body's own frame in that link's frame
	}
	seats := make([]seat, len(bodies))
	seats[t.root] = seat{-1, Identity()}
	linkOf := map[string]int{}
	// Depth first with a stack of edges, pushed in reverse to be taken in order.
	stack := slices.Clone(t.below[t.root])
	slices.Reverse(stack)
	for len(stack) > 0 {
		e := edges[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		child := t.byName[e.child]
		from := seats[t.byName[e.parent]]
		at := from.in.Mul(e.origin)
		if e.joint.Kind == Fixed {
			r.lump(&bodies[child], e.joint.Name, from.link, at)
			seats[child] = seat{from.link, at}
		} else {
			align := Transform{R: angles.AlignZ(e.axis)}
			user := Transform{R: spatial.Transpose(align.R)}
			own := bodies[child].inertial.InFrame(user)
			if !bodies[child].has {
				own = Inertial{}
			}
			seats[child] = seat{len(r.Links), user}
			linkOf[e.joint.Name] = len(r.Links)
			r.Links = append(r.Links, Link{
				Name: e.child, Joint: e.joint, Antecedent: from.link,
				Placement: at.Mul(align), UserFrame: user,
				Inertial: own, Own: own, HasInertial: bodies[child].has, Massless: bodies[child].massless,
			})
		}
		for _, k := range slices.Backward(t.below[child]) {
			stack = append(stack, k)
		}
	}
	if len(r.Links) == 0 {
		return fault(0, "", "the robot has no moving joint; revolute, continuous or prismatic joints are needed")
	}
	r.addLumped()
	if err := r.addMimics(edges, linkOf); err != nil {
		return err
	}
	if opt.NoSnap {
		return r.checkFinite()
	}
	for i := range r.Links {
		snapZeros(&r.Links[i].Placement)
	}
	return r.checkFinite()
}

// lump records a body that a fixed joint hangs on a link (or the base).
func (r *Robot) lump(b *body, joint string, into int, at Transform) {
	l := Lumped{Name: b.name, Joint: joint, Into: into, InLink: at, HasInertial: b.has}
	if b.has {
		l.Inertial = b.inertial.InFrame(at)
	}
	r.Lumped = append(r.Lumped, l)
}

// addLumped adds the lumped bodies to the links' inertials, with a note for each
// that has an inertial, and sorts the records by the link they went into.
func (r *Robot) addLumped() {
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
		r.Notes = append(r.Notes, Note{Where: fmt.Sprintf("link %q", l.Name), Text: text})
	}
}

func (r *Robot) addMimics(edges []edge, linkOf map[string]int) error {
	leads := map[int]int{} // the joint that each mimic copies
	for _, e := range edges {
		if e.mimic == "" {
			continue
		}
		where := jointWhere(e.joint.Name)
		j, ok := linkOf[e.joint.Name]
		if !ok {
			return fault(e.line, where, "a fixed joint cannot mimic joint %q", e.mimic)
		}
		of, ok := linkOf[e.mimic]
		if !ok {
			return fault(e.line, where, "mimics joint %q, which is not a moving joint of this robot%s", e.mimic, didYouMean(e.mimic, r.JointNames()))
		}
		leads[j] = of
		for k, n := of, 0; ; n++ {
			if k == j || n > len(r.Links) {
				return fault(e.line, where, "mimics itself by way of joint %q", e.mimic)
			}
			next, ok := leads[k]
			if !ok {
				break
			}
			k = next
		}
		r.Mimics = append(r.Mimics, Mimic{Joint: j, Of: of, Multiplier: e.multiplier, Offset: e.offset})
	}
	sort.Slice(r.Mimics, func(i, j int) bool { return r.Mimics[i].Joint < r.Mimics[j].Joint })
	return nil
}

// snapLength is the length in metres below which an offset is the rounding of
// a zero, as in 1.93e-17.
const snapLength = 1e-12

// snapZeros clears offsets that are a rounded zero.
func snapZeros(t *Transform) {
	for i, p := range t.P {
		if math.Abs(p) < snapLength {
			t.P[i] = 0
		}
	}
}

// mostMagnitude bounds the numbers of a robot file, in SI units. Determinants of pseudo-inertias hold their
// fourth powers, and moments of inertia products of masses and squares of lengths: up to 1e50 all of
// these, times any speed, are finite.
const mostMagnitude = 1e50

// checkFinite refuses numbers whose products overflow.
func (r *Robot) checkFinite() error {
	finite := func(vs ...float64) bool {
		for _, v := range vs {
			if !(math.Abs(v) <= mostMagnitude) {
				return false
			}
		}
		return true
	}
	good := func(t Transform) bool {
		return finite(t.R[0][:]...) && finite(t.R[1][:]...) && finite(t.R[2][:]...) && finite(t.P[:]...)
	}
	// A number of a joint that the file does not give is NaN.
	given := func(vs ...float64) bool {
		for _, v := range vs {
			if math.Abs(v) > mostMagnitude {
				return false
			}
		}
		return true
	}
	if !given(r.Gravity[:]...) {
		return fault(0, "gravity", "its numbers are too large to compute with")
	}
	for j, l := range r.Links {
		field := ""
		jt := l.Joint
		switch {
		case !given(jt.Lower, jt.Upper, jt.Velocity, jt.Accel, jt.Jerk, jt.Effort, jt.Ia, jt.Fv, jt.Fs, jt.Fo, jt.GearRatio, jt.Gain):
			field = fmt.Sprintf("joint %q", jt.Name)
		case !good(l.Placement):
			field = "placement"
		case !good(l.UserFrame):
			field = "user frame"
		case !finite(l.Inertial[:]...) || !finite(l.Own[:]...):
			field = "inertial"
		default:
			continue
		}
		return fault(0, fmt.Sprintf("frame %d (link %q)", j+1, l.Name), "%s: its numbers are too large to compute with", field)
	}
	for _, l := range r.Lumped {
		if !good(l.InLink) || !finite(l.Inertial[:]...) {
			return fault(0, fmt.Sprintf("link %q", l.Name), "its numbers are too large to compute with")
		}
	}
	return nil
}
