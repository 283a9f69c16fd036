package tool

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// Severity grades a finding.
type Severity string

// An error says that the values are wrong, a warning that they may be, a remark that something is worth knowing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Remark  Severity = "remark"
)

// Ids of findings.
const (
	Cable             = "cable"
	GravityDirection  = "gravity-direction"
	InfeasibleInertia = "infeasible-inertia"
	SensorFrame       = "sensor-frame"
	SensorRange       = "sensor-range"
	ToolDrift         = "tool-drift"
	ToolStep          = "tool-step"
	ToolUnits         = "tool-units"
	WrenchSign        = "wrench-sign"
)

// Finding says what makes a log doubtful, or what was found in it and repaired.
type Finding struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	What     string   `json:"what"`
	Why      string   `json:"why"` // what was measured
	Fix      string   `json:"fix"`
}

func (e *Estimate) find(id string, severity Severity, what, why, fix string) {
	e.Findings = append(e.Findings, Finding{id, severity, what, why, fix})
}

// Limits of findings.
const (
	saturatedRun   = 5    // equal rows at the end of a channel's range
	significant    = 25   // gain in twice the log-likelihood
	leastTilt      = 0.2  // degrees
	leastTurn      = 15.0 // degrees, of a frame that is wrong rather than inexact
	leastExcess    = 0.01 // of the weight, and of the weight by 0.1 m for torques
	driftDeviation = 3.0
	// The centre of no tool is farther from its sensor: the longest arms reach 4.7 m themselves.
	farthest = 2.0 // m
	// A lighter tool is beyond the resolution of a wrist sensor, 0.1 N and more.
	lightest = 0.02 // kg
	// The largest rated payload of an arm in series, that of FANUC's M-2000iA/2300.
	heaviest = 2300 // kg
	// No metal is denser than osmium, and a body beside its sensor has its centre farther away than this part of the radius of a ball of its mass.
	densest = 22590 // kg/m³
	nearest = 0.01
)

// distance returns how far the centre is from the sensor, with its standard deviation, m; NaN unless the centre is determined.
func (e *Estimate) distance() (d, sigma float64) {
	var c, deviation spatial.Vec
	for i, v := range e.Centre {
		if v == nil {
			return math.NaN(), math.NaN()
		}
		c[i], deviation[i] = v.Value, v.Sigma
	}
	return spatial.Norm(c), spatial.Norm(deviation)
}

// implausible finds a body that no robot carries on its sensor: its centre is too far away, its mass too large, or its centre so near that no
// metal is dense enough. It names the units of forces and torques with which a fit of the same rows has a possible body.
func (e *Estimate) implausible(t *Track, opt Options) {
	d, sigma := e.distance()
	type units struct {
		name          string
		force, torque float64
	}
	var others []units
	what, example := "", "units: {fx: N, tx: N.mm}"
	switch {
	case e.Mass == nil:
		return
	case d-3*sigma > farthest && e.Mass.Value < lightest:
		others, example = []units{{"forces in kN", 1e3, 1}}, "units: {fx: kN}"
	case d-3*sigma > farthest:
		others = []units{{"torques in N.mm", 1, 1e-3}, {"torques in N.cm", 1, 1e-2}, {"forces in lbf and torques in lbf.in", 4.4482, 0.11298}}
	case e.Mass.Value-3*e.Mass.Sigma > heaviest:
		what = fmt.Sprintf("the mass is %.4g kg, and no robot carries more than %d kg", e.Mass.Value, heaviest)
		others, example = []units{{"forces in mN", 1e-3, 1}, {"forces in mN and torques in mN.m", 1e-3, 1e-3}}, "scale: {fx: 0.001, tx: 0.001}"
	case d+3*sigma < nearest*math.Cbrt(e.Mass.Value/(4./3*math.Pi*densest)):
		what = fmt.Sprintf("the centre of %.4g kg is %.2g mm from the sensor, too near for a body beside it", e.Mass.Value, 1e3*d)
		others, example = []units{{"forces in mN", 1e-3, 1}}, "scale: {fx: 0.001}"
	default:
		return
	}
	if what == "" {
		what = fmt.Sprintf("the centre is %.3g m from the sensor, too far for a tool of %.3g kg", d, e.Mass.Value)
	}
	var parts []string
	for _, u := range others {
		s := *t
		for c := range s.Wrench {
			s.Wrench[c] = slices.Clone(t.Wrench[c])
			by := u.force
			if c > 2 {
				by = u.torque
			}
			for k := range s.Wrench[c] {
				s.Wrench[c][k] *= by
			}
		}
		other, err := estimate(&s, opt)
		if err != nil {
			continue
		}
		if d, _ := other.distance(); d < farthest && other.Mass.Value > lightest && other.Mass.Value < heaviest {
			parts = append(parts, fmt.Sprintf("%s: %.3g kg at %.3g m", u.name, other.Mass.Value, d))
		}
	}
	why := "no other unit of torques or forces makes it possible"
	if parts != nil {
		why = "a fit of the same rows with " + strings.Join(parts, ", with ")
	}
	e.find(ToolUnits, Error, what, why, "declare the units that the sensor's manual states for each channel, in ident.yaml for example "+example)
}

// weightless takes mass and centre away if the forces show no weight: gravity-compensated wrenches, or forces and torques exchanged.
func (e *Estimate) weightless() {
	if e.Mass == nil || e.Mass.Value > 3*e.Mass.Sigma {
		return
	}
	why := fmt.Sprintf("the forces show no weight, %.2g ± %.1g kg: the controller may take it out, or forces and torques are exchanged; log the raw wrench", e.Mass.Value, e.Mass.Sigma)
	*e = Estimate{Biases: e.Biases, Channels: e.Channels, Findings: e.Findings, Rests: e.Rests, Blocks: e.Blocks, Turned: e.Turned}
	e.unknown(why)
}

// saturated leaves out rows at the end of a sensor's range: runs of one number, the largest or smallest of the channel,
// in a channel that is noisy elsewhere.
func (e *Estimate) saturated(t *Track, usable []bool) {
	var names []string
	rows := 0
	for c, name := range Names() {
		y := t.Wrench[c]
		low, high, same, pairs := math.Inf(1), math.Inf(-1), 0, 0
		for k, v := range y {
			if !usable[k] {
				continue
			}
			low, high = min(low, v), max(high, v)
			if k > 0 {
				pairs++
				if y[k-1] == v {
					same++
				}
			}
		}
		var at []int
		for k := 0; k < len(y); k++ {
			end := k
			for end < len(y) && y[end] == y[k] {
				end++
			}
			if end-k >= saturatedRun && (y[k] == low || y[k] == high) && high > low {
				for i := k; i < end; i++ {
					at = append(at, i)
				}
			}
			k = end - 1
		}
		// Elsewhere neighbours differ: otherwise the sensor is coarse, or silent.
		if len(at) == 0 || float64(same-len(at)) > 0.2*float64(pairs-len(at)) {
			continue
		}
		names = append(names, name)
		for _, k := range at {
			if usable[k] {
				rows++
			}
			usable[k] = false
		}
	}
	if names != nil {
		e.find(SensorRange, Warning, fmt.Sprintf("%s reached the end of the range; %d rows are left out", strings.Join(names, ", "), rows),
			"the largest or smallest value stands for five rows or more in a channel that is noisy elsewhere", "weigh a lighter tool, tare the sensor without it, or take a sensor with a wider range")
	}
}

// judge looks for what a rigid body in the stated frame does not explain.
func (e *Estimate) judge(f *fit, open int, gravity float64) {
	weight := f.x[0] * gravity
	// Residuals of another cause would be a drift, too.
	if !(e.Mounting == nil && open == 0 && (e.frame(f) || e.tilt(f)) || e.cable(f, weight)) {
		e.drift(f, weight)
	}
	if e.Inertia[0] != nil && !feasible(e.inertial.PseudoInertia()) {
		e.find(InfeasibleInertia, Warning, "no body can have this inertia", "its pseudo-inertia has a negative eigenvalue", "record faster turns, or take the mass and the centre alone")
	}
}

// drift looks for channels whose bias changes over the last tare.
func (e *Estimate) drift(f *fit, weight float64) {
	var parts []string
	p := f.parameters()
	for i, c := range e.Channels {
		r := f.residual(i)
		for k := range r {
			r[k] -= f.x[p+6*f.blocks[k].tare+i]
		}
		_, sigma := f.noise[i].walked(f.blocks, r)
		sigma = math.Hypot(sigma, math.Sqrt(f.cov.At(p+6*(f.tares-1)+i, p+6*(f.tares-1)+i)))
		if math.Abs(c.Drift) > driftDeviation*sigma && math.Abs(c.Drift) > leastOf(i, weight) {
			parts = append(parts, fmt.Sprintf("%s by %.2g ± %.1g %s", c.Name, c.Drift, sigma, unitOf(i)))
		}
	}
	if parts != nil {
		e.find(ToolDrift, Remark, "the bias drifts: "+strings.Join(parts, ", "), "over the last tare; intervals are as wide as it asks for", "let the sensor warm up, and tare shortly before use")
	}
}

// unitOf returns the unit of a channel.
func unitOf(c int) string {
	if c > 2 {
		return "N·m"
	}
	return "N"
}

// feasible reports whether a pseudo-inertia is that of a body.
func feasible(j [4][4]float64) bool {
	s := mat.NewSymDense(4, nil)
	for i := range 4 {
		for k := i; k < 4; k++ {
			s.SetSym(i, k, j[i][k])
		}
	}
	var c mat.Cholesky
	return c.Factorize(s)
}

// matrix fits the forces by a matrix in place of the mass. total, own and left are the squares of forces about their means, and what the mass and the matrix leave; ok is
// false if the poses do not determine the matrix.
func (f *fit) matrix() (m *mat.Dense, total, own, left float64, ok bool) {
	cross, square := mat.NewDense(3, 3, nil), mat.NewDense(3, 3, nil)
	for from := 0; from < len(f.blocks); {
		end := from
		var y, g, r spatial.Vec
		for ; end < len(f.blocks) && f.blocks[end].tare == f.blocks[from].tare; end++ {
			b := &f.blocks[end]
			force := spatial.Vec{b.y[0], b.y[1], b.y[2]}
			y, g, r = spatial.Add(y, force), spatial.Add(g, b.f), spatial.Add(r, spatial.AddScaled(force, -f.x[0], b.f))
		}
		n := float64(end - from)
		y, g, r = spatial.Scale(1/n, y), spatial.Scale(1/n, g), spatial.Scale(1/n, r)
		for k := from; k < end; k++ {
			b := &f.blocks[k]
			force := spatial.Vec{b.y[0], b.y[1], b.y[2]}
			rest := spatial.Sub(spatial.AddScaled(force, -f.x[0], b.f), r)
			own += spatial.Dot(rest, rest)
			dy, dg := spatial.Sub(force, y), spatial.Sub(b.f, g)
			for i := range 3 {
				total += dy[i] * dy[i]
				for j := range 3 {
					cross.Set(i, j, cross.At(i, j)+dy[i]*dg[j])
					square.Set(i, j, square.At(i, j)+dg[i]*dg[j])
				}
			}
		}
		from = end
	}
	m = new(mat.Dense)
	var inverse, explained mat.Dense
	if inverse.Inverse(square) != nil {
		return nil, total, own, 0, false
	}
	m.Mul(cross, &inverse)
	explained.Mul(m, cross.T())
	return m, total, own, total - mat.Trace(&explained), true
}

// turn returns the rotation or the reflection that the forces ask for in place of the stated frame, with the mass and what both leave; ok is
// false if they ask for none.
func (f *fit) turn() (q *mat.Dense, mass, own, left float64, ok bool) {
	m, _, own, left, ok := f.matrix()
	var s mat.SVD
	if !ok || !s.Factorize(m, mat.SVDFull) {
		return nil, 0, own, left, false
	}
	sizes := s.Values(nil)
	if left > 0.25*own || sizes[2] < 0.8*sizes[0] {
		return nil, 0, own, left, false
	}
	var u, w mat.Dense
	q = new(mat.Dense)
	s.UTo(&u)
	s.VTo(&w)
	q.Mul(&u, w.T())
	return q, (sizes[0] + sizes[1] + sizes[2]) / 3, own, left, true
}

// frame looks whether forces fit a frame that is turned far, or mirrored: then the values are wrong.
func (e *Estimate) frame(f *fit) bool {
	q, mass, own, left, ok := f.turn()
	if !ok {
		return false
	}
	if e.Turned { // as logged
		q.Scale(-1, q)
		e.Findings = slices.DeleteFunc(e.Findings, func(f Finding) bool { return f.ID == WrenchSign })
	}
	why := fmt.Sprintf("the force residual falls from %.2g to %.2g N if the forces are turned by a fixed rotation (mass %.3g kg)", math.Sqrt(own/float64(len(f.blocks))), math.Sqrt(max(left, 0)/float64(len(f.blocks))), mass)
	if mat.Det(q) < 0 {
		text := "the forces are those of mirrored axes"
		var reversed []string
		for i := range 3 {
			if q.At(i, i) < -0.9 {
				reversed = append(reversed, Names()[i])
			}
		}
		if reversed != nil {
			text = "the sign of " + strings.Join(reversed, ", ") + " is reversed"
		}
		e.find(SensorFrame, Error, text, why+" with a mirrored axis", "correct the signs, of the torques about these axes too: see the drawing in the sensor's manual")
		return true
	}
	var turn spatial.Mat
	for i := range 3 {
		for j := range 3 {
			turn[i][j] = q.At(j, i) // the sensor's true frame in the stated one
		}
	}
	about := spatial.RotationVector(turn)
	degrees := spatial.Norm(about) * 180 / math.Pi
	if degrees < leastTurn {
		return false
	}
	axis := spatial.Scale(1/spatial.Norm(about), about)
	e.find(SensorFrame, Error, fmt.Sprintf("the sensor's frame is turned by %.0f° about (%.2f, %.2f, %.2f) beside the stated one", degrees, axis[0], axis[1], axis[2]), why,
		"state the frame in which the sensor measures, with its rotation in the mount")
	return true
}

// horizontal returns two horizontal axes of the base: a turn about gravity has no effect.
func (f *fit) horizontal() (one, two spatial.Vec) {
	one = spatial.Cross(f.gravity, spatial.Vec{1, 0, 0})
	if spatial.Norm(one) < 0.5*spatial.Norm(f.gravity) {
		one = spatial.Cross(f.gravity, spatial.Vec{0, 1, 0})
	}
	one = spatial.Scale(1/spatial.Norm(one), one)
	return one, spatial.Scale(1/spatial.Norm(f.gravity), spatial.Cross(f.gravity, one))
}

// aboutBase returns the derivative of gravity by a turn of the base about an axis.
func (f *fit) aboutBase(axis spatial.Vec) func(b *block) spatial.Vec {
	return func(b *block) spatial.Vec { return spatial.MulTVec(b.turn, spatial.Cross(axis, f.gravity)) }
}

// tilt looks whether gravity is tilted in the base, or the sensor turned in its mount.
func (e *Estimate) tilt(f *fit) bool {
	down := f.gravity
	one, two := f.horizontal()
	try := func(angles ...func(b *block) spatial.Vec) (gain float64, turned []float64) {
		g := *f
		g.angles = angles
		g.x = append([]float64(nil), f.x...)
		if err := g.refine(); err != nil {
			return 0, nil
		}
		return f.level - g.level, g.x[len(g.columns) : len(g.columns)+len(angles)]
	}
	byGravity, tilts := try(f.aboutBase(one), f.aboutBase(two))
	byMount, turns := try(aboutAxis(0), aboutAxis(1), aboutAxis(2))
	size := func(x []float64) float64 {
		sum := 0.0
		for _, a := range x {
			sum += a * a
		}
		return math.Sqrt(sum) * 180 / math.Pi
	}
	switch {
	case byGravity > significant && byGravity >= byMount && size(tilts) > leastTilt:
		g := spatial.Add(down, spatial.AddScaled(spatial.Scale(tilts[0], spatial.Cross(one, down)), tilts[1], spatial.Cross(two, down)))
		e.find(GravityDirection, Warning, fmt.Sprintf("gravity in the base is tilted by %.1f°", size(tilts)),
			fmt.Sprintf("forces and torques fit (%.2f, %.2f, %.2f) m/s² better than what is stated, by %.0f in twice the log-likelihood", g[0], g[1], g[2], byGravity), "level the base, or state gravity in its frame")
		return true
	case byMount > significant && size(turns) > leastTilt:
		e.find(SensorFrame, Warning, fmt.Sprintf("the sensor is turned by %.1f° in its mount", size(turns)),
			fmt.Sprintf("forces and torques fit a turn by (%.1f, %.1f, %.1f)° about its axes better, by %.0f in twice the log-likelihood", turns[0]*180/math.Pi, turns[1]*180/math.Pi, turns[2]*180/math.Pi, byMount),
			"state the rotation of the sensor in the mount")
		return true
	}
	return false
}

// cable looks whether residuals differ between rests by more than the walk and the noise within the rests allow.
func (e *Estimate) cable(f *fit, weight float64) bool {
	parts := f.beyond(e.Rests, weight)
	if parts != nil {
		e.find(Cable, Warning, "the wrench depends on the pose beyond a rigid body", strings.Join(parts, ", ")+" rms between poses, more than noise and drift within them allow",
			"fix cables and hoses so that they do not pull, and see that nothing touches the tool; errors of the orientation look the same")
	}
	return parts != nil
}

// beyond returns the channels, with the size, whose residuals differ between rests by more than the walk and the noise within the rests
// allow. A table of poses has nothing within them.
func (f *fit) beyond(rests int, weight float64) (parts []string) {
	if rests < 5 || len(f.blocks) < 2*rests {
		return nil
	}
	for c, name := range Names() {
		residual := f.residual(c)
		own := atRest(f.blocks, residual)
		within, best := likely(own)
		walk := within.walk // the fastest that the rests allow
		for try := max(walk, 1e-8*within.rest); try < 1e6*within.rest; try *= 1.5 {
			if logs, squares := own.level(noise{rest: within.rest, motion: within.motion, walk: try}); logs+squares > best+4 {
				break
			}
			walk = try
		}
		size := rms(f.means(c))
		allowed := noise{rest: within.rest, motion: f.noise[c].motion, walk: walk}
		whole := f.series(c)
		logs, squares := whole.level(allowed)
		ownLogs, ownSquares := whole.level(f.noise[c])
		if logs+squares-ownLogs-ownSquares > significant && size > leastOf(c, weight) && f.noise[c].walk > walk {
			parts = append(parts, fmt.Sprintf("%s by %.2g %s", name, size, unitOf(c)))
		}
	}
	return parts
}

// means returns the mean residual of a channel at each rest.
func (f *fit) means(c int) (rests []float64) {
	residual := f.residual(c)
	p := f.parameters()
	last, sum, n := -1, 0.0, 0.0
	for k := 0; k <= len(f.blocks); k++ {
		if k == len(f.blocks) || f.blocks[k].rest != last {
			if last >= 0 {
				rests = append(rests, sum/n)
			}
			sum, n = 0, 0
		}
		if k < len(f.blocks) {
			last = f.blocks[k].rest
			sum += residual[k] - f.x[p+6*f.blocks[k].tare+c]
			n++
		}
	}
	return rests
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}
