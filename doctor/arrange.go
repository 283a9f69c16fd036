package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// Limits on the search for another arrangement of joints.
const (
	// The search is made where the joints' equations together leave this many times what each leaves
	// alone, or where one alone leaves this part of its torque.
	searchAgainst = 2
	searchOwn     = 0.25
	// Rows that it looks at.
	searchRows = 160
	// What another arrangement must leave of the sum of squares at most. The parameters are fitted anew in
	// each of a hundred, and where a poor model meets a thin motion one of them halves it by chance; the
	// right one leaves noise only, a hundredth and less.
	searchLeaves = 0.2
	// Of more joints only neighbours are exchanged, and beyond that no search is made: its cost grows with
	// the fifth power of their number.
	manyJoints = 8
	mostJoints = 12
)

// arrangement is the motion and the torques as they may have been meant.
type arrangement struct {
	id     string
	joints []int
	what   string
	fix    string
	repair Repair
	// What becomes of the signals: joint j takes motion times sign[j] plus shift[j] of joint from[j], and
	// the torque of effort[j] times turn[j].
	from, effort []int
	sign, turn   []float64
	shift        []float64
	gravity      *[3]float64
}

func (t *together) plain(joints int) arrangement {
	a := arrangement{from: make([]int, joints), effort: make([]int, joints), sign: make([]float64, joints), turn: make([]float64, joints), shift: make([]float64, joints)}
	for j := range joints {
		a.from[j], a.effort[j], a.sign[j], a.turn[j] = j, j, 1, 1
	}
	return a
}

// leaves is what the base parameters leave of the torques under an arrangement, each joint's as a part of
// its own. Velocity, acceleration and Coulomb friction are filtered, their products are not: the motion is
// well below the low-pass.
func (p *patient) leaves(t *together, a arrangement) float64 {
	tr := t.tr
	n := len(p.joints)
	every := max(1, len(tr.t)/searchRows)
	rows := (len(tr.t) + every - 1) / every
	take := func(x []float64, f func(v float64) float64) []float64 {
		y := make([]float64, 0, rows)
		for k := 0; k < len(x); k += every {
			y = append(y, f(x[k]))
		}
		return y
	}
	var q, dq, ddq, rub [][]float64
	for j := range n {
		i, s, d := a.from[j], a.sign[j], a.shift[j]
		times := func(v float64) float64 { return s * v }
		q = append(q, take(tr.q[i], func(v float64) float64 { return s*v + d }))
		dq, ddq = append(dq, take(tr.fdq[i], times)), append(ddq, take(tr.fddq[i], times))
		rub = append(rub, take(tr.fsgn[i], times))
	}
	model := tr.model
	if a.gravity != nil {
		full := p.withGravity(*a.gravity)
		model = full.Select(baseparams.QR(full, baseparams.Options{Seed: p.opt.Seed}).Base)
	}
	block := model.NewBlock(rows)
	model.Eval(block, q, dq, ddq, model.NewWorkspace())
	ys, lost := map[int][]float64{}, map[int][]bool{}
	for _, o := range t.joints {
		ys[o.joint], lost[o.joint] = o.y, o.lost
	}
	var which []int
	var y []float64
	for j := range n {
		x, ok := ys[a.effort[j]]
		if !ok {
			continue
		}
		which = append(which, j)
		w := a.turn[j] / (rms(x) * math.Sqrt(float64(rows)))
		y = append(y, take(x, func(v float64) float64 { return w * v })...)
	}
	b := basis{rows: len(y)}
	for c, col := range model.Columns() {
		v := make([]float64, len(y))
		for at, j := range which {
			i, ok := slices.BinarySearch(model.Mask(j), c)
			if !ok {
				continue
			}
			src := block.Joint[j][i]
			if col.Term == regressor.Fs && col.Drive == 0 && p.joints[j].link == col.Link {
				src = rub[j]
			}
			w := 1 / (rms(ys[a.effort[j]]) * math.Sqrt(float64(rows)))
			for k, s := range src {
				if !lost[a.effort[j]][k*every] {
					v[at*rows+k] = w * s
				}
			}
		}
		b.offer(v)
	}
	r := b.residual(y)
	return dot(r, r)
}

// mirrored says that a position with the wrong sign explains a joint's friction that drives, and reports it.
func (p *patient) mirrored(t *together, k int) bool {
	n := len(p.joints)
	j := t.joints[k].joint
	turned := t.plain(n)
	turned.turn[j] = -1
	flipped := p.flip(t, j, false)
	left, plain := p.leaves(t, flipped), p.leaves(t, t.plain(n))
	if left > searchLeaves*plain || left > 0.5*p.leaves(t, turned) {
		return false
	}
	p.addArrangement(flipped, left, plain)
	p.arranged = true
	return true
}

// rearranged searches for a joint order, a zero, a direction or a gravity that the robot file does not
// have but the log does, where the joints' equations are far from fitting.
func (p *patient) rearranged(t *together) bool {
	if p.arranged {
		return true
	}
	search := false
	for k, o := range t.joints {
		against, _ := t.misfit(k)
		search = search || against > searchAgainst || o.sigma > searchOwn*o.size()
	}
	if !search || len(t.joints) < 2 || len(t.joints) > mostJoints {
		return false
	}
	plain := p.leaves(t, t.plain(len(p.joints)))
	best, least := arrangement{}, searchLeaves*plain
	for _, a := range p.arrangements(t) {
		if s := p.leaves(t, a); s < least {
			best, least = a, s
		}
	}
	if best.id == "" {
		return false
	}
	p.addArrangement(best, least, plain)
	return true
}

func (p *patient) addArrangement(a arrangement, leaves, plain float64) {
	p.overrule(a.id == Sign)
	f := Finding{ID: a.id, Severity: Error, Value: math.Sqrt(leaves / plain), Limit: math.Sqrt(searchLeaves), Where: "the whole log", Fix: a.fix, Repair: a.repair}
	if len(a.joints) > 0 {
		j := p.joints[a.joints[0]]
		f.Joint, f.Channel = j.name, j.q.name
	}
	f.Why = fmt.Sprintf("%s: the model then leaves %.2g of what it leaves now", a.what, f.Value)
	p.add(f)
}

// overrule withdraws what single joints' fits were blamed for: with the motion or gravity wrong, each of
// them shows lags and couplings that are not there. Signs stay unless a sign is what takes their place.
func (p *patient) overrule(signs bool) {
	kept := p.findings[:p.before]
	for _, f := range p.findings[p.before:] {
		switch f.ID {
		case LagTorque, Coupling, Drift, FrictionNotDissipative:
			continue
		case Sign:
			if signs {
				continue
			}
		}
		kept = append(kept, f)
	}
	p.findings = kept
}

// flip turns a joint's position, and its torque if asked for.
func (p *patient) flip(t *together, j int, both bool) arrangement {
	a := t.plain(len(p.joints))
	jt := p.joints[j]
	a.id, a.joints, a.sign[j] = Sign, []int{j}, -1
	a.what = fmt.Sprintf("the position of joint %s counts in the other direction than the robot file's", jt.name)
	names := []*channel{jt.q, jt.dq, jt.ddq}
	if both {
		a.turn[j] = -1
	}
	for _, o := range t.joints {
		if o.joint == j && o.turned {
			both = !both // against the log, not against what has been made of it
		}
	}
	if both {
		a.what = fmt.Sprintf("position and torque of joint %s count in the other direction than the robot file's", jt.name)
		names = append(names, jt.effort)
	}
	list := ""
	for _, c := range names {
		if c != nil {
			a.repair.Edits = append(a.repair.Edits, Edit{Channel: c.name, Scale: -1})
			list += pick(list == "", "", ", ") + c.name
		}
	}
	a.fix = fmt.Sprintf("ident check --fix FILE writes a log with %s turned; or turn the joint's axis in the robot file", list)
	return a
}

// arrangements lists what is worth a try.
func (p *patient) arrangements(t *together) []arrangement {
	var out []arrangement
	n := len(p.joints)
	var full []int
	for _, o := range t.joints {
		if p.joints[o.joint].q != nil {
			full = append(full, o.joint)
		}
	}
	for _, j := range full {
		out = append(out, p.flip(t, j, false), p.flip(t, j, true))
		if p.robot.Links[p.joints[j].link].Joint.Kind != robot.Revolute {
			continue
		}
		for _, d := range []float64{math.Pi / 2, -math.Pi / 2, math.Pi} {
			a := t.plain(n)
			jt := p.joints[j]
			a.id, a.joints, a.shift[j] = Offset, []int{j}, d
			a.what = fmt.Sprintf("the zero of joint %s is %.4g rad from the robot file's", jt.name, -d)
			a.fix = fmt.Sprintf("ident check --fix FILE writes a log with %.6g added to %s; or correct the joint's zero in the robot file", d, jt.q.name)
			a.repair.Edits = []Edit{{Channel: jt.q.name, Offset: d}}
			out = append(out, a)
		}
	}
	for x, i := range full {
		for _, j := range full[:x] {
			if len(full) > manyJoints && i-j > 1 {
				continue
			}
			for _, what := range []string{"", "torques", "positions"} {
				a := t.plain(n)
				a.id, a.joints = JointOrder, []int{j, i}
				if what != "torques" {
					a.from[i], a.from[j] = j, i
				}
				if what != "positions" {
					a.effort[i], a.effort[j] = j, i
				}
				a.name(p, t, what)
				out = append(out, a)
			}
		}
	}
	if len(full) == n && n > 2 {
		for _, order := range []func(j int) int{func(j int) int { return n - 1 - j }, func(j int) int { return (j + 1) % n }, func(j int) int { return (j + n - 1) % n }} {
			a := t.plain(n)
			a.id = JointOrder
			for j := range n {
				a.from[j], a.effort[j] = order(j), order(j)
				if order(j) != j {
					a.joints = append(a.joints, j)
				}
			}
			a.name(p, t, "")
			out = append(out, a)
		}
	}
	g := p.robot.Gravity
	size := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	for axis := range 3 {
		for _, s := range []float64{size, -size} {
			var v [3]float64
			v[axis] = s
			if size == 0 || math.Abs(g[axis]-s) < 0.1*size {
				continue
			}
			a := t.plain(n)
			a.id, a.gravity = Gravity, &v
			a.what = fmt.Sprintf("gravity is along (%.3g, %.3g, %.3g) and not (%.3g, %.3g, %.3g)", v[0], v[1], v[2], g[0], g[1], g[2])
			a.fix = fmt.Sprintf("--gravity %.4g,%.4g,%.4g", v[0], v[1], v[2])
			a.repair.Settings = []Setting{{Key: "gravity", Value: fmt.Sprintf("[%.4g, %.4g, %.4g]", v[0], v[1], v[2])}}
			out = append(out, a)
		}
	}
	return out
}

// name says what an exchange of joints means and how it is mended.
func (a *arrangement) name(p *patient, t *together, what string) {
	text, maps := "", ""
	for _, j := range a.joints {
		jt, q, e := p.joints[j], p.joints[a.from[j]], p.joints[a.effort[j]]
		text += pick(text == "", "", ", ") + jt.name
		add := func(key string, c *channel) {
			if c != nil {
				maps += fmt.Sprintf(" --map %s_%s=%s", key, jt.name, c.name)
				a.repair.Settings = append(a.repair.Settings, Setting{Key: "map", Name: key + "_" + jt.name, Value: c.name})
			}
		}
		if what != "torques" {
			add("q", q.q)
			add("dq", q.dq)
		}
		if what != "positions" {
			add(pick(e.effort.role == current, "i", "tau"), e.effort)
		}
	}
	a.what = fmt.Sprintf("%s of joints %s are exchanged against the robot file's order", pick(what == "", "the channels", "the "+what), text)
	a.fix = maps[1:]
}
