package regressor

import (
	"fmt"

	"ident/internal/lanes"
	"ident/robot"
)

// Foot is a part of a link that touches the ground and sticks to it: a sphere that rolls without slip, or, with Sole, a
// flat sole that neither turns nor slides.
type Foot struct {
	Name   string
	Link   int        // index into Robot.Links
	Centre [3]float64 // of the sphere, or a point of the sole, in the link's own frame, m
	Radius float64    // of the sphere, m; 0 for a point
	Sole   bool
}

// Forces returns the number of unknown forces and moments of the foot: three, or six of a sole.
func (f *Foot) Forces() int {
	if f.Sole {
		return 6
	}
	return 3
}

// Sticking evaluates the constraints of feet that stick to level ground, for a robot with a floating base. Contact
// forces that nobody measures are then eliminated from the rows of the regressor with Elimination.
type Sticking struct {
	robot *Model
	feet  []stickingFoot
}

// stickingFoot is a foot with the links that lead to it.
type stickingFoot struct {
	Foot
	centre [3]float64    // in frame j
	frame  [3][3]float64 // turn from the link's own frame to frame j
	path   []*link
}

// Contacts holds what Sticking.Eval computes, one slice of samples each.
type Contacts struct {
	Rows int
	// Jacobian has an entry for each force and moment of each foot, and within it a slice for each row of the model: the
	// velocity, along an axis of the base, of the point of contact (three entries), and the rate of a sole (three more).
	Jacobian [][][]float64
	// Motion is, likewise, the specific force that the motion of the batch gives to the point of contact, in the axes of
	// the base, less the part that the rolling of a sphere explains. Of a foot that sticks it is minus gravity. The last
	// three of a sole are its angular acceleration.
	Motion [][]float64
	// First is the index of the first entry of each foot.
	First []int
}

// NewSticking returns the constraints of feet of a robot that FloatingBaseOf accepts.
func NewSticking(r *robot.Robot, feet []Foot) (*Sticking, error) {
	if _, err := FloatingBaseOf(r); err != nil {
		return nil, err
	}
	m := new(Model)
	m.chain, m.coords = newChain(r)
	m.used = make([]bool, len(m.chain.links))
	s := &Sticking{robot: m}
	for _, f := range feet {
		if f.Link < 0 || f.Link >= len(r.Links) {
			return nil, fmt.Errorf("foot %s: link %d of %d", f.Name, f.Link, len(r.Links))
		}
		if !(f.Radius >= 0) {
			return nil, fmt.Errorf("foot %s: a radius of %g m; it must be zero or positive", f.Name, f.Radius)
		}
		own := r.Links[f.Link].UserFrame
		of := stickingFoot{Foot: f, centre: own.Apply(f.Centre), frame: own.R}
		for j := f.Link; j >= 0; j = m.chain.links[j].antecedent {
			m.used[j] = true
			of.path = append([]*link{&m.chain.links[j]}, of.path...)
		}
		s.feet = append(s.feet, of)
	}
	return s, nil
}

// Feet returns the feet in order.
func (s *Sticking) Feet() []Foot {
	var out []Foot
	for i := range s.feet {
		out = append(out, s.feet[i].Foot)
	}
	return out
}

// NewContacts allocates contacts for up to rows samples.
func (s *Sticking) NewContacts(rows int) *Contacts {
	c := &Contacts{Rows: rows}
	for i := range s.feet {
		c.First = append(c.First, len(c.Motion))
		for range s.feet[i].Forces() {
			var of [][]float64
			for range s.robot.coords {
				of = append(of, make([]float64, rows))
			}
			c.Jacobian, c.Motion = append(c.Jacobian, of), append(c.Motion, make([]float64, rows))
		}
	}
	return c
}

// NewWorkspace allocates working memory for the constraints. Workspaces of models do not fit.
func (s *Sticking) NewWorkspace() *Workspace { return s.robot.NewWorkspace() }

// Eval computes the contacts for a batch that FloatingBase.Fill has completed. up is the normal of the ground in the axes
// of the base, of length one. It allocates nothing.
func (s *Sticking) Eval(c *Contacts, in Batch, up [3][]float64, ws *Workspace) {
	m := s.robot
	m.checkMotion("q", in.Q, c.Rows)
	m.checkMotion("dq", in.DQ, c.Rows)
	m.checkMotion("ddq", in.DDQ, c.Rows)
	ws.batch = in
	for ws.first = 0; ws.first < c.Rows; ws.first += Lanes {
		ws.n = min(Lanes, c.Rows-ws.first)
		for j := range m.chain.links {
			if m.used[j] {
				m.chain.move(j, ws)
			}
		}
		for i := range s.feet {
			for k := range 3 {
				s.feet[i].along(c, c.First[i], k, &m.chain, up, ws)
			}
		}
	}
}

// along fills the entries of a foot along, and of a sole also about, axis k of the base.
func (f *stickingFoot) along(c *Contacts, first, k int, of *chain, up [3][]float64, ws *Workspace) {
	n, st := ws.n, &ws.links[f.Link]
	// The axis, and the normal of the ground, in the axes of the link.
	axis := f.turned(ws, func(e int) (float64, []float64) {
		if e == k {
			return 1, nil
		}
		return 0, nil
	})
	var e [3][Lanes]float64
	for x := range 3 {
		copy(e[x][:n], axis[x])
	}
	var p [3][Lanes]float64 // from the link's origin to the point of contact
	for x := range 3 {
		for l := range n {
			p[x][l] = f.centre[x]
		}
	}
	if f.Radius > 0 && !f.Sole {
		normal := f.turned(ws, func(e int) (float64, []float64) { return 0, ws.cut(up[e]) })
		for x := range 3 {
			for l := range n {
				p[x][l] -= f.Radius * normal[x][l]
			}
		}
	}
	for _, rows := range c.Jacobian[first+k] {
		lanes.Fill(ws.cut(rows), 0)
	}
	if f.Sole {
		for _, rows := range c.Jacobian[first+3+k] {
			lanes.Fill(ws.cut(rows), 0)
		}
	}
	for i, row := range of.links[f.Link].rows {
		a, v := &st.a[i], &st.v[i]
		dst := ws.cut(c.Jacobian[first+k][row.coord])
		for l := range dst {
			dst[l] = e[0][l]*(v[0][l]+a[1][l]*p[2][l]-a[2][l]*p[1][l]) +
				e[1][l]*(v[1][l]+a[2][l]*p[0][l]-a[0][l]*p[2][l]) +
				e[2][l]*(v[2][l]+a[0][l]*p[1][l]-a[1][l]*p[0][l])
		}
		if f.Sole {
			dst := ws.cut(c.Jacobian[first+3+k][row.coord])
			for l := range dst {
				dst[l] = e[0][l]*a[0][l] + e[1][l]*a[1][l] + e[2][l]*a[2][l]
			}
		}
	}
	// The centre of a rolling sphere moves with ω × ρν, and ν is at rest: V̇ + ω̇×c + ω×(ω×c) − ω̇×ρν.
	dst, x := ws.cut(c.Motion[first+k]), f.centre
	for l := range dst {
		w, dw := [3]float64{st.w[0][l], st.w[1][l], st.w[2][l]}, [3]float64{st.dw[0][l], st.dw[1][l], st.dw[2][l]}
		in := cross(w, cross(w, x))
		turn := cross(dw, [3]float64{p[0][l], p[1][l], p[2][l]})
		dst[l] = 0
		for i := range 3 {
			dst[l] += e[i][l] * (st.dv[i][l] + in[i] + turn[i])
		}
	}
	if f.Sole {
		dst := ws.cut(c.Motion[first+3+k])
		for l := range dst {
			dst[l] = e[0][l]*st.dw[0][l] + e[1][l]*st.dw[1][l] + e[2][l]*st.dw[2][l]
		}
	}
}

// turned returns a vector, given by its components along the axes of the base, in the axes of the foot's link.
func (f *stickingFoot) turned(ws *Workspace, component func(k int) (float64, []float64)) lanes.Vec {
	from, to := lanes.Cut(&ws.normal[0], ws.n), lanes.Cut(&ws.normal[1], ws.n)
	for k := range from {
		if value, signal := component(k); signal != nil {
			copy(from[k], signal)
		} else {
			lanes.Fill(from[k], value)
		}
	}
	for _, l := range f.path {
		s, c, _ := l.place(ws)
		lanes.RotateT(&to, &from, &l.r, c, s)
		from, to = to, from
	}
	return from
}
