package baseparams

import (
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/regressor"
	"ident/robot"
)

// A motion is the velocity (ω, v) of a link's frame at its origin, followed by tags of its cause: gravity's
// acceleration, the rates of shared drives, and finally the joint's own rate.
const (
	motionLen  = 6
	gravityTag = 0 // offset of the tag that marks gravity's acceleration
	driveTag   = 1 // offset of the first shared drive's tag
)

// chain is a robot in the units of the structural method: lengths are divided by the largest offset between frames.
type chain struct {
	cols   []regressor.Column
	links  []member
	tags   int     // number of tags of a motion
	length float64 // unit of length in metres
	margin *margin
	loose  [][]float64 // conditions on drive columns alone
	lead   []int       // pivots of loose
	drives []shared
}

// member is one link of the chain.
type member struct {
	kind     robot.Kind
	ant      int
	children []int
	lambda   [robot.NumInertial][robot.NumInertial]float64 // moves parameters to the antecedent at q = 0
	r        spatial.Mat
	p        spatial.Vec
	rates    [][]float64 // orthonormal basis of the motions of the link's frame
	fixed    [][]float64 // orthonormal functionals of the subtree that no joint beyond changes
	rows     [][]float64 // conditions in reduced echelon form: ten entries, then tags
	pivots   []int
	first    int   // column of XX, -1 where the model has no link columns
	ia, fo   int   // columns, -1 for none
	own      []int // shared drives that act here
	sensed   bool  // the wrench that carries the link is measured
	measured bool  // a wrench is measured at this link or at an ancestor
	free     bool  // it floats: sensed, and moving every way
	// driven holds the rates without those of the joints that represent a sensor; see sense.
	driven [][]float64
}

// shared is a drive that several joints share.
type shared struct {
	weights []float64 // a link
	ia      int       // column, -1 for none
}

// NullSpace finds the minimal set of a tree from its structure (after Wensing, Niemeyer and Slotine 2024), without
// sampling. It propagates outward the motions that the links can make, and the combinations of a subtree's parameters
// that the joints beyond cannot change. Parameters that then enter no torque are eliminated. See the package comment for
// the argument.
//
// It applies to trees of revolute, prismatic and fixed joints on a fixed base, with every term of the model. For a robot
// with mimic joints the error is a *NotApplicableError.
func NullSpace(r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	s, err := structural(r, terms, nil)
	if err != nil {
		return nil, err
	}
	s.Reasons = reasons(shapes(r), s.Columns)
	return s, nil
}

// structural is NullSpace without Reasons, with the wrenches that carry the sensed links measured too.
func structural(r *robot.Robot, terms []regressor.Term, sensed []int) (*Set, error) {
	return structuralOn(r, terms, sensed, false)
}

// structuralOn is structural; if free is set, the sensed links move every way instead of standing still.
func structuralOn(r *robot.Robot, terms []regressor.Term, sensed []int, free bool) (*Set, error) {
	if whole, drop, err := solid(r, terms); err != nil {
		return nil, err
	} else if drop != nil {
		s, err := structuralOn(whole, terms, sensed, free)
		if err != nil {
			return nil, err
		}
		return s.Without(drop), nil
	}
	if r.Closed() {
		return nil, closedLoops("null space", r)
	}
	if len(r.Mimics) > 0 {
		j := r.Links[r.Mimics[0].Joint].Joint.Name
		return nil, &NotApplicableError{"null space", fmt.Sprintf("joint %q mimics another one, and this method needs independent joints; use QR", j)}
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	if err := byRules("null space", m.Columns()); err != nil {
		return nil, err
	}
	c, err := newChain(r, m.Columns())
	if err != nil {
		return nil, err
	}
	c.frictionRows(r)
	for _, j := range sensed {
		c.links[j].sensed, c.links[j].free = true, free
	}
	for j := range c.links {
		c.motions(j, r.Gravity)
		c.conditions(j)
	}
	c.lead = leadingColumns(c.loose, len(c.cols), c.margin)
	s := c.set()
	s.warn(c.margin.kept)
	return s, nil
}

func newChain(r *robot.Robot, cols []regressor.Column) (*chain, error) {
	c := &chain{cols: cols, links: make([]member, len(r.Links)), margin: newMargin()}
	for j := range r.Links {
		c.length = max(c.length, spatial.Norm(r.Links[j].Placement.P))
	}
	if c.length == 0 {
		c.length = 1
	}
	for j := range r.Links {
		l := &r.Links[j]
		p := spatial.Scale(1/c.length, l.Placement.P)
		c.links[j] = member{kind: l.Joint.Kind, ant: l.Antecedent, r: l.Placement.R, p: p, first: -1, ia: -1, fo: -1,
			lambda: lambdaOf(robot.Transform{R: l.Placement.R, P: p})}
		if l.Antecedent >= 0 {
			c.links[l.Antecedent].children = append(c.links[l.Antecedent].children, j)
		}
	}
	for d := range r.Drives {
		s := shared{weights: make([]float64, len(r.Links)), ia: -1}
		for l, w := range r.Drives[d].Weights {
			if l > r.Drives[d].Number {
				return nil, &NotApplicableError{"null space", fmt.Sprintf("the shared drive numbered %d also acts on joint %q, which comes after it; use QR",
					r.Drives[d].Number+1, r.Links[l].Joint.Name)}
			}
			if r.Links[l].Joint.Kind == robot.Prismatic {
				w *= c.length
			}
			s.weights[l] = w
			if w != 0 {
				c.links[l].own = append(c.links[l].own, d)
			}
		}
		c.drives = append(c.drives, s)
	}
	for j := range c.links {
		slices.Sort(c.links[j].own)
	}
	for i, col := range cols {
		switch l := &c.links[col.Link]; {
		case col.Term == regressor.Links && col.Param == robot.XX:
			l.first = i
		case col.Term == regressor.Ia && col.Drive > 0:
			c.drives[col.Drive-1].ia = i
		case col.Term == regressor.Ia:
			l.ia = i
		case col.Term == regressor.Fo:
			l.fo = i
		}
	}
	c.tags = driveTag + len(c.drives) + 1
	return c, nil
}

// lambdaOf returns the matrix that transforms the ten parameters of a body by t.
func lambdaOf(t robot.Transform) (m [robot.NumInertial][robot.NumInertial]float64) {
	for p := range m {
		var unit robot.Inertial
		unit[p] = 1
		for q, v := range unit.InFrame(t) {
			m[q][p] = v
		}
	}
	return m
}

// motions finds the motions of the frame of link j: the antecedent's motions and
// gravity's acceleration, seen from every position of joint j, and the joint's
// own motion. Seen from every position means closed under the joint's generator,
// because the motions at q are exp(q·generator) times those at 0.
func (c *chain) motions(j int, gravity [3]float64) {
	l := &c.links[j]
	if l.ant >= 0 {
		up := &c.links[l.ant]
		l.rates = c.carried(j, up.rates)
		if l.driven, l.measured = l.rates, up.measured; l.measured {
			l.driven = c.carried(j, up.driven)
		}
	} else {
		g := make([]float64, motionLen+c.tags)
		size := spatial.Norm(gravity) / c.length
		if size > 0 {
			for k := range 3 {
				g[3+k] = -gravity[k] / c.length / size
			}
			g[motionLen+gravityTag] = 1 / size
		} else {
			g[motionLen+gravityTag] = 1
		}
		l.rates = c.carried(j, [][]float64{g})
		l.driven = l.rates
	}
	switch {
	case l.free:
		c.release(l)
	case l.sensed:
		c.sense(l)
	}
}

// carried returns a basis of the motions of frame j due to those of its antecedent and to the joint.
func (c *chain) carried(j int, from [][]float64) [][]float64 {
	l := &c.links[j]
	n := motionLen + c.tags
	var moved [][]float64
	for _, v := range from {
		w := make([]float64, n)
		copy(w, v)
		w[n-1] = 0 // the antecedent's own rate is not this joint's
		omega, lin := spatial.Vec(v[:3]), spatial.Vec(v[3:6])
		a := spatial.MulTVec(l.r, omega)
		b := spatial.MulTVec(l.r, spatial.Add(lin, spatial.Cross(omega, l.p)))
		copy(w, a[:])
		copy(w[3:], b[:])
		moved = append(moved, w)
		// A rotation repeats after three derivatives, a translation ends after one.
		switch l.kind {
		case robot.Revolute:
			once := make([]float64, n)
			once[0], once[1], once[3], once[4] = w[1], -w[0], w[4], -w[3]
			twice := make([]float64, n)
			twice[0], twice[1], twice[3], twice[4] = -w[0], -w[1], -w[3], -w[4]
			moved = append(moved, once, twice)
		case robot.Prismatic:
			once := make([]float64, n)
			once[3], once[4] = w[1], -w[0]
			moved = append(moved, once)
		}
	}
	if l.kind != robot.Fixed {
		own := make([]float64, n)
		if own[2] = 1; l.kind == robot.Prismatic {
			own[2], own[5] = 0, 1
		}
		for _, d := range l.own {
			own[motionLen+driveTag+d] = c.drives[d].weights[j]
		}
		own[n-1] = 1
		moved = append(moved, own)
	}
	basis, _ := split(moved, n, c.margin)
	return basis
}

// conditions finds the functionals of the subtree's parameters that vanish if no torque depends on them: the power of
// the subtree's momentum along the joint under every motion, and the joint's changes of the functionals that the
// antecedent holds constant.
func (c *chain) conditions(j int) {
	l := &c.links[j]
	n := robot.NumInertial + c.tags
	var rows, fixed [][]float64
	if l.ant >= 0 {
		for _, k := range c.links[l.ant].fixed {
			v := make([]float64, robot.NumInertial)
			for q := range v {
				for p := range v {
					v[p] += l.lambda[q][p] * k[q]
				}
			}
			fixed = append(fixed, v)
			// A rotation turns second moments with once and twice the frequency, so four derivatives span all; a
			// translation has two.
			w := v
			for range derivatives(l.kind) {
				w = change(l.kind, w)
				row := make([]float64, n)
				copy(row, w)
				rows = append(rows, row)
			}
		}
	}
	if l.kind != robot.Fixed {
		for _, v := range l.rates {
			row := make([]float64, n)
			power(row, v, l.kind)
			tags, of := row[robot.NumInertial:], v[motionLen:]
			if l.fo >= 0 {
				tags[gravityTag] = of[gravityTag]
			}
			for _, d := range l.own {
				if c.drives[d].ia >= 0 {
					tags[driveTag+d] = of[driveTag+d] * c.drives[d].weights[j]
				}
			}
			if l.ia >= 0 {
				tags[c.tags-1] = of[c.tags-1]
			}
			rows = append(rows, row)
		}
	}
	if l.sensed {
		rows = append(rows, c.wrenchRows(l)...)
	}
	if l.first < 0 {
		for _, row := range rows {
			clear(row[:robot.NumInertial])
		}
	}
	basis, tails := split(rows, robot.NumInertial, c.margin)
	for _, t := range tails {
		if n := norm(t); n <= resolved {
			c.margin.dropped = max(c.margin.dropped, n)
			continue
		}
		full := make([]float64, len(c.cols))
		c.spread(full, j, t, 1)
		c.loose = append(c.loose, full)
	}
	for _, b := range basis {
		fixed = append(fixed, slices.Clone(b[:robot.NumInertial]))
	}
	l.fixed, _ = split(fixed, robot.NumInertial, c.margin)
	l.rows = basis
	l.pivots = echelon(l.rows, robot.NumInertial, c.margin)
}

// power writes the power along joint z of the momentum of unit parameters under a motion: z·(J·ω + MS × v) for a
// rotation, z·(M·v + ω × MS) for a translation.
func power(row, v []float64, kind robot.Kind) {
	if kind == robot.Revolute {
		row[robot.XZ], row[robot.YZ], row[robot.ZZ] = v[0], v[1], v[2]
		row[robot.MX], row[robot.MY] = v[4], -v[3]
		return
	}
	row[robot.M], row[robot.MX], row[robot.MY] = v[5], -v[1], v[0]
}

func derivatives(kind robot.Kind) int {
	switch kind {
	case robot.Revolute:
		return 4
	case robot.Prismatic:
		return 2
	}
	return 0
}

// change returns the functional dk with dk(φ) = k(dφ/dq) for parameters φ moved by a joint about, or along, z.
func change(kind robot.Kind, k []float64) []float64 {
	d := make([]float64, robot.NumInertial)
	if kind == robot.Revolute {
		// dXX = -2·XY, dXY = XX - YY, dXZ = -YZ, dYY = 2·XY, dYZ = XZ, dMX = -MY, dMY = MX
		d[robot.XX] = k[robot.XY]
		d[robot.XY] = 2 * (k[robot.YY] - k[robot.XX])
		d[robot.YY] = -k[robot.XY]
		d[robot.XZ], d[robot.YZ] = k[robot.YZ], -k[robot.XZ]
		d[robot.MX], d[robot.MY] = k[robot.MY], -k[robot.MX]
		return d
	}
	// dXX = dYY = 2·MZ, dXZ = -MX, dYZ = -MY, dMZ = M
	d[robot.MX], d[robot.MY] = -k[robot.XZ], -k[robot.YZ]
	d[robot.MZ] = 2 * (k[robot.XX] + k[robot.YY])
	d[robot.M] = k[robot.MZ]
	return d
}
