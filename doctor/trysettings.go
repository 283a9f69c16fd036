package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/doctor/causes"
	"ident/doctor/internal/projection"
	"ident/filter"
	"ident/internal/spatial"
	"ident/mechanics/dynamics"
)

// trySettings tries the settings that findings of one kind propose without a change of values. A setting that is not tried is no fix. It
// returns the findings that the trial has shown to be none.
func (m *mending) trySettings(found findings, kind []int) (none []int, err error) {
	for _, i := range kind {
		f := &found[i]
		if len(f.Repair.Settings) == 0 || f.Tried.Outcome == written {
			continue
		}
		t := Trial{Outcome: declined}
		switch s := f.Repair.Settings[0]; s.Key {
		case "gravity":
			if f.ID == Gravity {
				t = m.tryGravity(f)
			} else {
				t = m.tryOptions(f, found, func(opt *Options) { opt.Gravity = &[3]float64{} })
			}
		case "torque":
			if t = m.tryTaken(f); t.Outcome == declined {
				other := *f
				other.Fix, other.Repair = "{gravity} 0,0,0; or log the torques with their gravity", setting("gravity", "", "[0, 0, 0]")
				if u := m.tryOptions(&other, found, func(opt *Options) { opt.Gravity = &[3]float64{} }); u.Outcome == written {
					*f, t = other, u
				}
			}
		case "velocity":
			t = m.tryPositions()
		case "lock":
			t = m.tryLock(f, found)
		case "trim":
			t = m.tryTrim(s.Value)
		case "couplings":
			if t = m.tryCoupling(f); t.Outcome == declined && t.ErrorAfter > 0 {
				f.refute(t, fmt.Sprintf("a fit leaves %.3g %% with the shared drive, and %.3g %% without", 100*t.ErrorAfter, 100*t.ErrorBefore))
				continue
			}
		}
		if m.fault != nil {
			return nil, m.fault
		}
		switch {
		case t.Outcome == nothing:
			none = append(none, i)
		case t.Outcome == declined:
			f.decline(t)
		case slices.Contains(m.opt.Pinned, f.Repair.Settings[0].Key): // the user decides between the setting and the log
			f.Tried = t
			f.Hint, f.Fix, f.Repair = "the log fits another value: "+f.Fix+"; correct the setting if that is true, otherwise give another log", "", Repair{}
		default:
			f.Tried = t
		}
	}
	return none, nil
}

// outcome returns the trial of a setting that holds if the error does not rise.
func outcome(before, after float64) Trial {
	t := Trial{figure(before), figure(after), declined}
	if after <= before && t.ErrorAfter > 0 {
		t.Outcome = written
	}
	return t
}

// with returns the log under other options.
func (m *mending) with(set func(opt *Options)) *mending {
	o := *m
	o.opt.Models, o.left, o.nextOf = nil, math.NaN(), nil
	set(&o.opt)
	return &o
}

// tryOptions fits the log under other options. They hold if the error does not rise, the finding is gone and no other came.
func (m *mending) tryOptions(f *Finding, before findings, set func(opt *Options)) Trial {
	o := m.with(set)
	t := outcome(m.leftOut(m.cols), o.leftOut(m.cols))
	if t.Outcome == written && (!o.cures(m.cols, []Finding{*f}) || o.newWarning(m.cols, before)) {
		t.Outcome = declined
	}
	m.fault = o.fault
	return t
}

// tryLock takes a joint that stands out of the log. It holds if the finding is gone and no other came.
func (m *mending) tryLock(f *Finding, before findings) Trial {
	s := f.Repair.Settings[0]
	at := 0.0
	if _, err := fmt.Sscan(s.Value, &at); err != nil {
		return Trial{Outcome: declined}
	}
	o := m.with(func(opt *Options) {
		lock := map[string]float64{s.Name: at}
		for name, q := range opt.Lock {
			lock[name] = q
		}
		opt.Lock = lock
	})
	j := slices.Index(m.roles.Q, f.Channel)
	if j < 0 {
		return Trial{Outcome: declined}
	}
	for _, names := range []*[]string{&o.roles.Q, &o.roles.DQ, &o.roles.DDQ, &o.roles.Tau, &o.roles.Current} {
		if j < len(*names) {
			*names = slices.Clone(*names)
			(*names)[j] = ""
		}
	}
	t := Trial{figure(m.leftOut(m.cols)), figure(o.leftOut(m.cols)), written}
	if o.newWarning(m.cols, before) {
		t.Outcome = declined
	}
	m.fault = o.fault
	return t
}

// tryTrim cuts both ends off. It holds if velocities and positions agree better without them.
func (m *mending) tryTrim(value string) Trial {
	seconds := 0.0
	if _, err := fmt.Sscan(value, &seconds); err != nil {
		return Trial{Outcome: declined}
	}
	t := m.cols[m.clock]
	from, to := 0, len(t)
	for from < to && !(t[from]-t[0] >= seconds) {
		from++
	}
	for to > from && !(t[len(t)-1]-t[to-1] >= seconds) {
		to--
	}
	if to-from < fewest {
		return Trial{Outcome: declined}
	}
	cols := make([][]float64, len(m.cols))
	for i, c := range m.cols {
		cols[i] = c[from:to]
	}
	return outcome(m.disagreement(m.cols), m.disagreement(cols))
}

// crossover, in Hz, parts the positions, which give the motion below, from the integrals of the velocities, which give it above. Arms turn
// back within seconds; the drift of a velocity's offset is slower.
const crossover = 0.2

// tryPositions compares the fit by positions alone with one whose motion is that of the velocities: coarse or slow positions can be worse
// than velocities with a fault.
func (m *mending) tryPositions() Trial {
	t := m.cols[m.clock]
	clock := filter.AnalyseClock(t)
	if !(clock.Median > 0) || len(clock.Backward)+len(clock.NaN) > 0 {
		return Trial{Outcome: declined}
	}
	low, err := filter.Butterworth(2, crossover, 1/clock.Median)
	if err != nil {
		return Trial{Outcome: declined}
	}
	cols := slices.Clone(m.cols)
	for j, name := range m.roles.DQ {
		v, q := slices.Index(m.names, name), slices.Index(m.names, m.roles.Q[j])
		if name == "" || v < 0 || q < 0 {
			continue
		}
		path, slow := make([]float64, len(t)), make([]float64, len(t))
		for k := range t {
			if k > 0 {
				path[k] = path[k-1]
				if step := (m.cols[v][k] + m.cols[v][k-1]) / 2 * (t[k] - t[k-1]); !math.IsNaN(step) && !math.IsInf(step, 0) {
					path[k] += step
				}
			}
			if slow[k] = m.cols[q][k] - path[k]; math.IsNaN(slow[k]) || math.IsInf(slow[k], 0) {
				return Trial{Outcome: declined}
			}
		}
		low.ZeroPhaseColumns([][]float64{slow}, nil)
		for k := range path {
			path[k] += slow[k]
		}
		cols[q] = path
	}
	return outcome(m.leftOut(cols), m.leftOut(m.cols))
}

// tryTaken adds the gravity of the robot file's bodies, which the driver is said to have taken out. It holds if the error falls.
func (m *mending) tryTaken(f *Finding) Trial {
	tree, err := dynamics.New(m.robot)
	if err != nil {
		return Trial{Outcome: declined}
	}
	n := m.robot.DOF()
	if len(m.roles.Q) != n || slices.Contains(m.roles.Q, "") || slices.Contains(m.roles.Tau, "") {
		return Trial{Outcome: declined}
	}
	cols := slices.Clone(m.cols)
	var q, tau [][]float64
	for j := range n {
		q = append(q, m.cols[slices.Index(m.names, m.roles.Q[j])])
		i := slices.Index(m.names, m.roles.Tau[j])
		cols[i] = slices.Clone(m.cols[i])
		tau = append(tau, cols[i])
	}
	at, rest, weight := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range m.cols[m.clock] {
		for j := range n {
			at[j] = q[j][k]
		}
		tree.InverseDynamics(weight, at, rest, rest)
		for j := range n {
			tau[j][k] += weight[j]
		}
	}
	t := outcome(m.leftOut(m.cols), m.leftOut(cols))
	if t.Outcome == written && !m.cures(cols, []Finding{*f}) {
		t.Outcome = declined
	}
	return t
}

// Steps of the search for gravity's direction, in rad: from a twelfth of a turn down to a fifth of a degree, below which a tilt matters less
// than the errors of a rigid model.
const firstTurn, lastTurn = math.Pi / 6, 0.2 * math.Pi / 180

// feels is the ratio of errors below which the motion does not feel a component of gravity.
const feels = 1.01

// tryGravity seeks the direction of gravity with the least error on stretches left out, in both senses, since bodies that are identified
// freely take either: an examination under each says which one the log has.
func (m *mending) tryGravity(f *Finding) Trial {
	declared := m.robot.Gravity
	if m.opt.Gravity != nil {
		declared = *m.opt.Gravity
	}
	g := declared
	if _, err := fmt.Sscanf(strings.NewReplacer("[", "", "]", "", ",", "").Replace(f.Repair.Settings[0].Value), "%g %g %g", &g[0], &g[1], &g[2]); err != nil {
		return Trial{Outcome: declined}
	}
	s, l, ok := m.causeLog(m.cols, nil)
	if !ok {
		return Trial{Outcome: declined}
	}
	under := func(g [3]float64) float64 {
		e, err := causes.LeftOut(m.ctx, s.robot, []causes.Log{l}, m.causeOptions(s, g))
		if err != nil {
			return math.Inf(1)
		}
		return e
	}
	before := under(declared)
	size := norm3(declared)
	if size == 0 {
		size = norm3(g)
	}
	along := unit3(g)
	least := under(scaled(along, size))
	proposed, enough := along, muchBetter*least // an axis that was proposed stays if no direction is clearly better
	if g == declared {                          // no direction is proposed: the nearest of the axes and diagonals first
		for _, x := range []float64{-1, 0, 1} {
			for _, y := range []float64{-1, 0, 1} {
				for _, z := range []float64{0, 1} { // the other half is the same to a free fit
					if d := unit3([3]float64{x, y, z}); norm3(d) > 0 {
						if e := under(scaled(d, size)); e < least {
							along, least = d, e
						}
					}
				}
			}
		}
	}
	turned := func(by float64) (better bool) {
		a, b := projection.Across(along)
		for _, d := range [][3]float64{a, b, scaled(a, -1), scaled(b, -1)} {
			try := unit3([3]float64{along[0] + by*d[0], along[1] + by*d[1], along[2] + by*d[2]})
			if e := under(scaled(try, size)); e < least {
				along, least, better = try, e, true
			}
		}
		return better
	}
	for by := firstTurn; by > lastTurn && m.ctx.Err() == nil; {
		if !turned(by) {
			by /= 2
		}
	}
	// A component that the motion does not feel, as along the axes of a planar arm, stays as declared.
	for i, x := range unit3(declared) {
		try := along
		if try[i] = x; norm3(try) > 0 {
			if try = unit3(try); under(scaled(try, size)) <= feels*least {
				along = try
			}
		}
	}
	// An axis of the base that explains as much is meant: robots are mounted along one far more often than at two degrees to it.
	if near := nearestAxis(along); asGoodAs(near, along, under(scaled(near, size)), least) {
		along = near
	}
	axis := slices.Max([]float64{math.Abs(proposed[0]), math.Abs(proposed[1]), math.Abs(proposed[2])}) > 1-1e-6
	if g != declared && axis && least > enough {
		along, least = proposed, enough/muchBetter
	}
	t := Trial{figure(before), figure(least), declined}
	if !(least <= hardlyWorse*before) {
		return t
	}
	if spatial.Dot(along, g) < 0 {
		along = scaled(along, -1)
	}
	if asGoodAs(unit3(declared), along, before, least) {
		t.Outcome = nothing
		return t
	}
	severity := f.Severity
	for _, sense := range []float64{1, -1} {
		try := scaled(along, sense*size)
		o := m.with(func(opt *Options) { opt.Gravity = &try })
		left := o.examined(m.cols)
		if m.fault = o.fault; m.fault != nil {
			return t
		}
		worst := Worst(slices.DeleteFunc(slices.Clone(left), func(x Finding) bool { return x.ID != Gravity }))
		if worst.rank() >= severity.rank() {
			continue
		}
		t.Outcome = written
		tail := ""
		for _, other := range []string{"; or the zero of", "; this log cannot tell"} {
			if at := strings.Index(f.Why, other); at >= 0 {
				tail = f.Why[at:]
			}
		}
		f.Why = fmt.Sprintf("gravity acts along %.3g, %.3g, %.3g of the base and not along %.3g, %.3g, %.3g, %.3g° away: the base is mounted differently%s",
			try[0], try[1], try[2], declared[0], declared[1], declared[2], 180/math.Pi*math.Acos(max(-1, min(1, spatial.Dot(unit3(try), unit3(declared))))), tail)
		f.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", try[0], try[1], try[2])
		f.Repair = setting("gravity", "", fmt.Sprintf("[%.5g, %.5g, %.5g]", try[0], try[1], try[2]))
		break
	}
	return t
}

// asGoodAs reports whether gravity along one direction, with its error, explains a log as well as along a direction that was fitted to it. Fits
// of slow motions find an axis to some two degrees, so 1.1 times the error is no reason within five. Within two, zeros of joints and frames
// of bodies that are off by a degree take as much of the error as a tilt: a measured arm on a wall leaves 1.22 times the error under the
// axis that it is mounted along, and 1.5 is no reason yet.
func asGoodAs(d, fitted [3]float64, e, least float64) bool {
	angle := math.Acos(max(-1, min(1, spatial.Dot(d, fitted)))) * 180 / math.Pi
	return angle < 5 && e <= 1.1*least || angle < 2 && e <= 1.5*least
}

// nearestAxis returns the axis of the base, with its sense, that is nearest to a direction.
func nearestAxis(d [3]float64) (axis [3]float64) {
	k := 0
	for i := range d {
		if math.Abs(d[i]) > math.Abs(d[k]) {
			k = i
		}
	}
	axis[k] = math.Copysign(1, d[k])
	return axis
}

// scaled returns a vector times a factor, without negative zeros.
func scaled(v [3]float64, by float64) [3]float64 {
	return [3]float64{by*v[0] + 0, by*v[1] + 0, by*v[2] + 0}
}
