package regressor

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/internal/lanes"
	"ident/robot"
)

// contactTerm declares the normal forces of a point of a link that slides without
// friction on a surface, or along a line, that does not move: by virtual work
//
//	τ = Y·χ − Jᵀ·n·(Fn·c)
//
// with J the Jacobian of the point, n the normal in the base frame, and c a
// channel of the batch: one where an unknown constant force acts and zero where
// none does, or a measured force, of which Fn is then the gain. A measured force
// that needs no gain goes to the measurement vector instead.
func contactTerm() declaration {
	unit := [2]string{"N", "N"}
	return declaration{name: Contact, about: "normal forces of a point on a surface or a line", of: ofNamed, needs: NeedContact, part: newContact, says: answers{friction: no, dry: no, filtered: yes, driven: no, perJoint: no, offered: no, file: no, form: no},
		params: []parameter{
			{kind: "Fn", formula: "−Fn·c·Jᵀ·n", unit: unit, signed: true},
			{kind: "Fnb", formula: "−Fnb·c·Jᵀ·n, second normal", unit: unit, signed: true},
		},
		check: func(r *robot.Robot, t Term) error { _, err := PointOf(r, t); return err },
		count: func(r *robot.Robot, t Term, _ int) int {
			p, _ := PointOf(r, t) // check has read it
			return len(p.Normals)
		}}
}

// ContactPoint is a point of a link and the normals along which it is held.
type ContactPoint struct {
	Link    int          // index into Robot.Links
	Point   [3]float64   // m, in the link's own frame
	Normals [][3]float64 // unit vectors in the base frame: one for a surface, two for a line
}

// ContactAt returns the term of a contact of the named link. numbers are x, y, z of the point in the link's own frame
// (m), then the normals in the base frame (any length): three numbers for a surface, six for a line.
func ContactAt(link string, numbers []float64) Term {
	var list []string
	for _, v := range numbers {
		list = append(list, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return Contact + Term(":"+link+"@"+strings.Join(list, "/"))
}

// minNormalAngle is the sine of the least angle between the two normals of a line. Closer normals give nearly parallel
// columns, and the deviations of both forces grow by the inverse of the sine.
const minNormalAngle = 1e-3

// PointOf reads the argument of a contact: LINK@x/y/z/nx/ny/nz, with three more numbers for the second normal of a line
// contact.
func PointOf(r *robot.Robot, t Term) (ContactPoint, error) {
	j, err := namedLink(r, t)
	if err != nil {
		return ContactPoint{}, err
	}
	p := ContactPoint{Link: j}
	_, list, _ := cutLink(t)
	var v []float64
	for f := range strings.SplitSeq(list, "/") {
		x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return p, fmt.Errorf("term %q: %q is no number; a contact is %s:LINK@x/y/z/nx/ny/nz, a point of the link and a normal in the base frame", t, f, Contact)
		}
		v = append(v, x)
	}
	if len(v) != 6 && len(v) != 9 {
		return p, fmt.Errorf("term %q: %d numbers; a contact with a surface has 6, x/y/z/nx/ny/nz, and one along a line 9, with a second normal", t, len(v))
	}
	p.Point = [3]float64(v)
	for at := 3; at < len(v); at += 3 {
		n := [3]float64(v[at:])
		size := math.Hypot(math.Hypot(n[0], n[1]), n[2])
		if size == 0 || math.IsInf(size, 0) {
			return p, fmt.Errorf("term %q: the normal %v has no direction; give a vector out of the surface, in the base frame", t, n)
		}
		for k := range n {
			n[k] /= size
		}
		p.Normals = append(p.Normals, n)
	}
	if len(p.Normals) == 2 {
		if c := cross(p.Normals[0], p.Normals[1]); math.Hypot(math.Hypot(c[0], c[1]), c[2]) < minNormalAngle {
			return p, fmt.Errorf("term %q: the two normals are parallel; give two directions across the line, or one for a surface", t)
		}
	}
	return p, nil
}

// cutLink separates the link's name from the numbers of a contact.
func cutLink(t Term) (link, numbers string, found bool) {
	arg := t.Argument()
	if at := strings.LastIndexByte(arg, '@'); t.Name() == Contact && at >= 0 {
		return arg[:at], arg[at+1:], true
	}
	if n := PayloadNumber(t); n > 0 {
		return arg[:strings.LastIndexByte(arg, '=')], "", true
	}
	return arg, "", false
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// normalForce is the column of the force along one normal of a contact.
type normalForce struct {
	placement
	which  int        // of the contact's normals
	normal [3]float64 // in the base frame
	point  [3]float64 // in frame j
	path   []*link    // links from the base to this one
}

func newContact(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	of, err := PointOf(r, t)
	if err != nil {
		return nil, err
	}
	u := r.Links[of.Link].UserFrame
	p := &normalForce{placement: placement{link: of.Link, coords: c.movers(of.Link)}, which: col.Param, normal: of.Normals[col.Param], point: u.P}
	for k := range 3 {
		for l := range 3 {
			p.point[k] += u.R[k][l] * of.Point[l]
		}
	}
	for j := of.Link; j >= 0; j = c.links[j].antecedent {
		p.path = append([]*link{&c.links[j]}, p.path...)
	}
	return p, nil
}

func (p *normalForce) with(at placement) part {
	c := *p
	c.placement = at
	return &c
}

func (p *normalForce) stores() bool { return false }

// turned returns the normal in the axes of the link.
func (p *normalForce) turned(ws *Workspace) lanes.Vec {
	from, to := lanes.Cut(&ws.normal[0], ws.n), lanes.Cut(&ws.normal[1], ws.n)
	for k := range from {
		lanes.Fill(from[k], p.normal[k])
	}
	for _, l := range p.path {
		s, c, _ := l.place(ws)
		lanes.RotateT(&to, &from, &l.r, c, s)
		from, to = to, from
	}
	return from
}

func (p *normalForce) torque(b *Block, ws *Workspace) {
	force, normal := ws.cut(ws.batch.Contact[p.which]), p.turned(ws)
	st := &ws.links[p.link]
	for i := range p.coords {
		p.power(p.column(b, i, 0, ws), &normal, &st.a[i], &st.v[i], force)
	}
}

func (p *normalForce) momentum(d1, d2 *Block, ws *Workspace) {
	p.clear(d1, ws)
	p.torque(d2, ws)
}

func (p *normalForce) energy(h *Block, ws *Workspace) {
	force, normal := ws.cut(ws.batch.Contact[p.which]), p.turned(ws)
	p.power(ws.cut(h.Joint[0][p.columns[0]]), &normal, &ws.links[p.link].w, &ws.energy[p.link].v, force)
}

// power returns −force·n·(v + a × point).
func (p *normalForce) power(dst []float64, normal, a, v *lanes.Vec, force []float64) {
	x := p.point
	for l := range dst {
		u := v[0][l] + a[1][l]*x[2] - a[2][l]*x[1]
		w := v[1][l] + a[2][l]*x[0] - a[0][l]*x[2]
		z := v[2][l] + a[0][l]*x[1] - a[1][l]*x[0]
		dst[l] = -force[l] * (normal[0][l]*u + normal[1][l]*w + normal[2][l]*z)
	}
}
