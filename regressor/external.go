package regressor

import "ident/robot"

// wrenchTerm declares the gains of a measured wrench that the surroundings exert
// on a link, about the origin and in the axes of the link's own frame: by
// virtual work τ = Y·χ − Jᵀ·w. A gain of one says that the sensor is right; a
// wrench that needs no gains goes to the known side (identify).
func wrenchTerm() declaration {
	d := declaration{name: Wrench, about: "gains of a measured external wrench", of: ofNamed, needs: NeedWrench,
		check: func(r *robot.Robot, t Term) error { _, err := namedLink(r, t); return err }}
	for _, axis := range []string{"fx", "fy", "fz", "tx", "ty", "tz"} {
		d.params = append(d.params, parameter{kind: "W" + axis, formula: "−Jᵀ·w, " + axis, unit: [2]string{"1", "1"}, signed: true})
	}
	return d
}

// wrenchPlan is one channel of a measured wrench.
type wrenchPlan struct {
	column, link, axis int
	dir                [3]float64 // of the axis in frame j
	arm                [3]float64 // dir × the offset of the user's frame: what a unit force there turns
	at                 []int
}

func newWrench(r *robot.Robot, c, link, axis int) wrenchPlan {
	u := r.Links[link].UserFrame
	p := wrenchPlan{column: c, link: link, axis: axis}
	for k := range 3 {
		p.dir[k] = u.R[k][axis%3]
	}
	// The moment about the frame's origin of a force at the user's: P × dir.
	d, o := p.dir, u.P
	p.arm = [3]float64{o[1]*d[2] - o[2]*d[1], o[2]*d[0] - o[0]*d[2], o[0]*d[1] - o[1]*d[0]}
	return p
}

// evalWrench writes the column of a wrench's channel.
func (m *Model) evalWrench(p *wrenchPlan, b *Block, in *Batch, ws *Workspace, first, n int) {
	w := in.Wrench[p.axis][first : first+n]
	st := &ws.links[p.link]
	for i := range m.links[p.link].rows {
		row := &m.links[p.link].rows[i]
		dst := b.Joint[row.coord][p.at[i]][first : first+n]
		a, v := &st.a[i], &st.v[i]
		for l := range dst {
			var power float64
			for k := range 3 {
				if p.axis < 3 {
					power += p.dir[k]*v[k][l] + p.arm[k]*a[k][l]
				} else {
					power += p.dir[k] * a[k][l]
				}
			}
			dst[l] = -power * w[l]
		}
	}
}
