package causes

import (
	"cmp"
	"slices"
)

// refit is a hypothesis that needs its own fit: other torques in the same equations, or other equations. If need is
// zero, needDiscrete applies.
type refit struct {
	Cause
	need, cost float64
	torques    func(y [][]float64) [][]float64 // of the hypothesis; nil for those of the log
	channel    []int                           // the torque that each equation has, nil for its own
	once       bool                            // not with its own weights: nothing but a sign differs
}

// competing holds the refits that share a design: one of its own, or that of a changed motion.
type competing struct {
	design func(t *trial) *design
	change func(m motion) // of a copy of the trial's motion; nil for none
	from   []int          // the joint that has the friction of each, nil for its own
	fits   []refit
}

// under returns the design of a trial that the refits share; done gives its memory back.
func (c *competing) under(t *trial) *design {
	if c.change == nil {
		return c.design(t)
	}
	return t.moved(*c.motion(t), c.from, t.opt.Gravity)
}

// motion returns the motion of a trial under the refits, nil for its own.
func (c *competing) motion(t *trial) *motion {
	if c.change == nil {
		return nil
	}
	m := t.motion.clone()
	c.change(m)
	return &m
}

// underGravity returns a function that makes the design under gravity g.
func underGravity(g [3]float64) func(t *trial) *design {
	return func(t *trial) *design { return t.designUnder(g) }
}

// rows returns the function that makes the rows of a trial under a refit.
func (c *competing) rows(r *refit) func(t *trial) changedRows {
	return func(t *trial) changedRows {
		y := t.y
		if r.torques != nil {
			y = r.torques(y)
		}
		return changedRows{c.motion(t), c.from, y, 1}
	}
}

// Requirements at some of the rows, without rows left out, before a hypothesis is judged at all rows.
const (
	fewestRows, fewestEquations = 50, 300
	// kept is the number of promising refits of a kind (differing by joints and sizes) that are judged, the best first.
	kept = 3
	// desperate: a refit with less evidence in nats is not repeated with its own weights.
	desperate = -60.0
	// A hypothesis is judged if it has this evidence in nats and this part of the gain required for naming.
	promising, promisingPart = 5.0, 0.5
)

func (h *hypothesis) promising() bool {
	return h.nats >= promising && h.big() >= promisingPart*min(h.need, needDiscrete)
}

// promises returns the places of the columns that may be causes, judged at some of the rows. The common delay is always
// included, because it is reported even if it is zero.
func promises(hyps []*hypothesis) map[int]bool {
	places := map[int]bool{}
	for _, h := range hyps {
		if h.promising() || h.Kind == Delay && h.Joints == nil {
			places[h.place] = true
		}
	}
	return places
}

// coarsely returns the trial at some of its rows, all in one fold, with the errors of its fit without rows left out.
func (t *trial) coarsely() *trial {
	if t.coarse == nil {
		t.coarse = t.thinned(max(fewestRows, fewestEquations/len(t.joints)))
	}
	return t.coarse
}

// thinned returns the trial at about so many of its rows, all in one fold.
func (t *trial) thinned(rows int) *trial {
	stride := max(1, len(t.rows)/rows)
	c, at := t.of(func(i int, _ row) bool { return i%stride == 0 })
	c.order.together()
	c.among = at
	of := func(cols columns) columns {
		out := make(columns, len(cols))
		for j := range cols {
			for _, x := range cols[j] {
				out[j] = append(out[j], take(x, at))
			}
		}
		return out
	}
	each := func(cols [][]float64) (out [][]float64) {
		for _, x := range cols {
			out = append(out, take(x, at))
		}
		return out
	}
	c.motion = motion{each(t.motion.q), each(t.motion.v), each(t.motion.a)}
	c.drive, c.y, c.rest = each(t.drive), each(t.y), of(t.rest)
	for i := range c.pull {
		c.pull[i] = of(t.pull[i])
	}
	c.hat, c.hatBody, c.whole = each(t.hat), each(t.hatBody), true
	c.extra = nil
	for _, x := range t.extra {
		c.extra = append(c.extra, each(x))
	}
	c.design = c.designOf(c.ownGravity(), nil)
	c.fitWhole(t.factors.weights)
	return c
}

// fitWhole fits the trial's design with no row left out.
func (t *trial) fitWhole(weights []float64) {
	t.factors = t.together(t.design, weights)
	t.oneOwn, t.oneOwnOf = nil, nil // that one stays
	r := t.factors.leftOut(one(t.y), [folds]matrix{t.factors.solve(t.factors.project(one(t.y)))})
	t.left = nil
	for _, x := range r {
		t.left = append(t.left, x[0])
	}
	t.share = shares(t.left, t.y)
}

// together returns the factors of a design without rows left out. They are valid until the next call, those with the trial's own weights until
// another design is asked for with these.
func (t *trial) together(d *design, weights []float64) *factors {
	own := &weights[0] == &t.factors.weights[0]
	switch {
	case own && t.factors.of == d && t.whole:
		return t.factors
	case own && t.oneOwnOf == d:
		return &factors{of: d, weights: weights, all: *t.oneOwn}
	}
	one := &t.one
	if own {
		one, t.oneOwnOf = &t.oneOwn, d
	}
	if *one == nil || (*one).n != d.columns {
		u := newUpper(d.columns)
		*one = &u
	}
	if len(t.normal) != len((*one).a) {
		t.normal = make([]float64, len((*one).a))
	}
	clear(t.normal)
	d.desk.trained.addNormal(t.normal, d.columns)
	d.normal(t.normal, 0, weights)
	(*one).regular(t.normal, nil)
	return &factors{of: d, weights: weights, all: **one}
}

// within returns the residuals of a fit without rows left out.
func (t *trial) within(d *design, y [][]float64, weights []float64) [][]float64 {
	s := t.together(d, weights)
	r := s.leftOut(one(y), [folds]matrix{s.solve(s.project(one(y)))})
	left := make([][]float64, len(r))
	for e := range r {
		left[e] = r[e][0]
	}
	return left
}

// tried judges a refit by the residuals of within: first with the trial's weights, then with its own unless that is
// hopeless.
func (t *trial) tried(r *refit, d *design) *hypothesis {
	y := t.y
	if r.torques != nil {
		y = r.torques(y)
	}
	of := func(weights []float64) (*hypothesis, [][]float64) {
		h := &hypothesis{Cause: r.Cause, need: cmp.Or(r.need, needDiscrete)}
		left := t.within(d, y, weights)
		h.taken(t, left, y, r.channel, r.cost)
		return h, left
	}
	first, left := of(t.factors.weights)
	if first.nats < desperate {
		return first
	}
	if second, _ := of(weightsOf(left, y)); second.nats > first.nats {
		return second
	}
	return first
}

// best fits and returns the refits that may be the best of their kinds.
func (t *trial) best(asked []competing) []*hypothesis {
	type entrant struct {
		*refit
		of    int
		tried *hypothesis
	}
	c := t.coarsely()
	byKind := map[string][]entrant{}
	var kinds []string
	for i := range asked {
		d := asked[i].under(c)
		for k := range asked[i].fits {
			r := &asked[i].fits[k]
			if byKind[r.Kind] == nil {
				kinds = append(kinds, r.Kind)
			}
			byKind[r.Kind] = append(byKind[r.Kind], entrant{r, i, c.tried(r, d)})
		}
		d.done()
	}
	var out []*hypothesis
	for _, kind := range kinds {
		list := byKind[kind]
		slices.SortStableFunc(list, func(a, b entrant) int { return cmp.Compare(b.tried.nats, a.tried.nats) })
		for i, e := range list {
			// Evidence against these kinds is reported too.
			told := i == 0 && (kind == Weightless || kind == Units)
			// Different units of the same joints must be compared.
			other := kind == Units && slices.ContainsFunc(list[:min(i, kept)], func(o entrant) bool { return slices.Equal(o.Joints, e.Joints) })
			both := t.file() != nil && e.tried.nats >= enoughNats // what little gain it has, the file's bodies may confirm
			if !told && (!e.tried.promising() && !both || i >= kept && !other) {
				continue
			}
			y := t.y
			if e.torques != nil {
				y = e.torques(y)
			}
			fit := t.refitted
			if e.once {
				fit = t.refittedOnce
			}
			d := asked[e.of].under(t)
			h := fit(e.Cause, d, y, e.channel, e.cost)
			d.done()
			h.need = e.tried.need
			if asked[e.of].change != nil || e.torques != nil {
				h.rows = asked[e.of].rows(e.refit)
				if kind != Zero { // frames of the file that are wrong look like quarter turns, to its bodies too
					t.witnessed(h)
				}
			}
			out = append(out, h)
		}
	}
	return out
}
