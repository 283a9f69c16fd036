package regressor

import (
	"slices"

	"ident/internal/lanes"
	"ident/internal/spatial"
	"ident/robot"
)

// linksTerm declares the ten inertial parameters of each link. Their unit wrenches are in unitwrench.go, their energies
// and momenta in unitmomentum.go.
func linksTerm() declaration {
	return declaration{name: Links, about: "inertia, first moments and mass of each link", of: ofLinks, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: no, file: no, form: no}, params: inertialParameters(""), part: newBody, together: true}
}

// payloadTerm declares a body that is attached to a link in some runs: its ten parameters about the origin and in the
// axes of the link's frame. Its columns are the link's times Batch.PayloadAttached. If all runs carry it, or none, its
// parameters cannot be separated from the link's. Several payloads, attached one at a time, are numbered terms,
// "payload:LINK=2", with parameters P2XX … P2M; their columns act where Batch.PayloadAttached has that number.
func payloadTerm() declaration {
	return declaration{name: Payload, about: "a body that some runs have on a link", of: ofNamed, needs: NeedPayload, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: no, file: no, form: no}, params: inertialParameters("P"), part: newBody, together: true,
		check: func(r *robot.Robot, t Term) error { _, err := namedLink(r, t); return err }}
}

// inertialParameters returns the parameters of a body, with a prefix for their names.
func inertialParameters(prefix string) []parameter {
	formulas := [robot.NumInertial]string{
		"K(ω̇)+ω×K(ω), XX", "K(ω̇)+ω×K(ω), XY", "K(ω̇)+ω×K(ω), XZ", "K(ω̇)+ω×K(ω), YY", "K(ω̇)+ω×K(ω), YZ", "K(ω̇)+ω×K(ω), ZZ",
		"force U·x, moment x×(V̇−g)", "force U·y, moment y×(V̇−g)", "force U·z, moment z×(V̇−g)", "force V̇−g",
	}
	var out []parameter
	for p, name := range robot.InertialNames {
		u := robot.InertialUnits[p]
		signed := p != robot.XX && p != robot.YY && p != robot.ZZ && p != robot.M
		out = append(out, parameter{kind: prefix + name, formula: formulas[p], unit: [2]string{u, u}, signed: signed})
	}
	return out
}

// body holds the columns of the inertial parameters of a link, or of a payload on it, in the rows of the joints that
// move the link.
type body struct {
	placement
	spin    int // row of the link's own revolute joint where no other joint shares its coordinate, else -1
	payload bool
	number  int // of the payload, of several; 0 of the only one
}

func newBody(c *chain, _ *robot.Robot, col Column, _ Term) (part, error) {
	l := &c.links[col.Link]
	p := &body{placement: placement{link: col.Link, coords: c.movers(col.Link)}, spin: -1, payload: col.Term == Payload, number: col.Body}
	if l.own && l.kind == robot.Revolute {
		p.spin = slices.Index(p.coords, l.coord)
	}
	return p, nil
}

func (p *body) with(at placement) part {
	c := *p
	c.placement = at
	return &c
}

func (p *body) stores() bool { return true }

// torque writes the power of each unit parameter's wrench along the joints' screws.
func (p *body) torque(b *Block, ws *Workspace) {
	st := &ws.links[p.link]
	if ws.n == 1 && !p.payload {
		p.torqueAt(b, st, ws.first)
		return
	}
	for i, coord := range p.coords {
		a, v := &st.a[i], &st.v[i]
		cols, at := b.Joint[coord], p.at[i]
		for c, param := range p.params {
			dst := ws.cut(cols[at[c]])
			switch {
			case i == p.spin:
				st.writeOwn(dst, param)
			case param <= robot.ZZ:
				w := st.inertiaWrench(param)
				lanes.Dot3(dst, a, &w)
			case param == robot.M:
				lanes.Dot3(dst, v, &st.dv)
			default:
				x, y := st.momentWrench(param, a, v)
				lanes.Dot5(dst, &x, &y)
			}
			if p.payload {
				p.clearUnattached(dst, ws)
			}
		}
	}
}

// torqueAt is torque for one sample, without a call for each entry. Sums have the order of torque's, so values have the same bits.
func (p *body) torqueAt(b *Block, st *linkState, sample int) {
	var moments [robot.ZZ + 1][3]float64 // of the inertia parameters
	for _, param := range p.params {
		if param <= robot.ZZ {
			w := st.inertiaWrench(param)
			moments[param] = first(&w)
		}
	}
	var u [9]float64
	for k := range u {
		u[k] = st.u[k][0]
	}
	dv := first(&st.dv)
	var x [robot.NumInertial]float64
	for i, coord := range p.coords {
		a, v := first(&st.a[i]), first(&st.v[i])
		for param := range moments {
			w := &moments[param]
			x[param] = a[0]*w[0] + a[1]*w[1] + a[2]*w[2]
		}
		x[robot.MX] = v[0]*u[u11] + v[1]*u[u21] + v[2]*u[u31] + a[1]*-dv[2] + a[2]*dv[1]
		x[robot.MY] = v[0]*u[u12] + v[1]*u[u22] + v[2]*u[u32] + a[0]*dv[2] + a[2]*-dv[0]
		x[robot.MZ] = v[0]*u[u13] + v[1]*u[u23] + v[2]*u[u33] + a[0]*-dv[1] + a[1]*dv[0]
		x[robot.M] = v[0]*dv[0] + v[1]*dv[1] + v[2]*dv[2]
		cols, at := b.Joint[coord], p.at[i][:len(p.params)]
		for c, param := range p.params {
			cols[at[c]][sample] = x[param]
		}
	}
}

// first returns the first sample of a vector.
func first(v *lanes.Vec) [3]float64 { return [3]float64{v[0][0], v[1][0], v[2][0]} }

func (p *body) momentum(d1, d2 *Block, ws *Workspace) {
	st, en := &ws.links[p.link], &ws.energy[p.link]
	var sum pairs
	for i := range p.coords {
		for c, param := range p.params {
			x, y := p.column(d1, i, c, ws), p.column(d2, i, c, ws)
			en.momentum(&sum, st, param, &st.a[i], &st.v[i])
			sum.sum(x, 1)
			en.momentum(&sum, st, param, &en.da[i], &en.dv[i])
			sum.sum(y, -1)
			en.weigh(y, param, &st.a[i], &st.v[i])
			if p.payload {
				p.clearUnattached(x, ws)
				p.clearUnattached(y, ws)
			}
		}
	}
}

func (p *body) energy(h *Block, ws *Workspace) {
	for c, param := range p.params {
		dst := ws.cut(h.Joint[0][p.columns[c]])
		ws.energy[p.link].energy(dst, &ws.links[p.link], param)
		if p.payload {
			p.clearUnattached(dst, ws)
		}
	}
}

// clearUnattached zeroes a payload's column wherever the payload is not attached.
func (p *body) clearUnattached(dst []float64, ws *Workspace) {
	on := ws.cut(ws.batch.PayloadAttached)
	if p.number > 0 {
		for l := range dst {
			if on[l] != float64(p.number) {
				dst[l] = 0
			}
		}
		return
	}
	for l := range dst {
		dst[l] *= on[l]
	}
}

// adjoint adds the body's part to the derivatives by the motion of its link. Row k
// weighs the unit wrenches as a body with the parameters (I, s, m) = gamma of the
// row would, so that its part of the sum is, with the joint's screw (a, v),
//
//	a·(I·ω̇ + ω×(I·ω) + s×V̇) + v·(m·V̇ + ω̇×s + ω×(ω×s))
func (p *body) adjoint(gamma *Block, ad *Adjoint) {
	l, t := &ad.links[p.link], ad.first
	for k, coord := range p.coords {
		var x robot.Inertial
		any := false
		cols, at := gamma.Joint[coord], p.at[k]
		for c, param := range p.params {
			g := cols[at[c]][t]
			x[param] = g
			any = any || g != 0
		}
		if !any {
			continue
		}
		in, s, mass := x.Origin(), x.FirstMoments(), x.Mass()
		a, v, w := l.a[k], l.v[k], l.w
		iw, ia := spatial.MulVec(in, w), spatial.MulVec(in, a)
		ws := spatial.Cross(w, s)
		moment := spatial.Add(spatial.MulVec(in, l.dw), spatial.Add(spatial.Cross(w, iw), spatial.Cross(s, l.dv)))
		force := spatial.Add(spatial.Scale(mass, l.dv), spatial.Add(spatial.Cross(l.dw, s), spatial.Cross(w, ws)))
		l.aBar[k] = spatial.Add(l.aBar[k], moment)
		l.vBar[k] = spatial.Add(l.vBar[k], force)
		l.dwBar = spatial.Add(l.dwBar, spatial.Add(ia, spatial.Cross(s, v)))
		l.dvBar = spatial.Add(l.dvBar, spatial.AddScaled(spatial.Cross(a, s), mass, v))
		l.wBar = spatial.Add(l.wBar, spatial.Add(spatial.Cross(iw, a), spatial.MulVec(in, spatial.Cross(a, w))))
		l.wBar = spatial.Add(l.wBar, centripetalBar(w, s, v))
	}
}
