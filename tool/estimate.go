package tool

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/robot"
)

// LeastSpread is the least standard deviation of gravity's direction among the poses, as a part of its size, along a
// direction that they determine: some two degrees.
const LeastSpread = 0.03

// leastBlocks is the least number of means of rows.
const leastBlocks = 6

// Options say what is fitted.
type Options struct {
	// Moving uses rows in motion as well, which can determine the inertia. Track.Place is needed.
	Moving bool
	// Mounting fits the rotation of the sensor about its own z axis.
	Mounting bool
}

// Measured is a value with its standard deviation and 95 % interval.
type Measured struct {
	Value  float64 `json:"value"`
	Sigma  float64 `json:"sigma"`
	Low95  float64 `json:"low95"`
	High95 float64 `json:"high95"`
}

func measured(value, variance float64) *Measured {
	s := math.Sqrt(max(variance, 0))
	return &Measured{value, s, value - 1.959964*s, value + 1.959964*s}
}

// Bias is what the sensor shows without a body, from one change of the channel tare to the next; of a sensor that drifts, at the end.
type Bias struct {
	Tare  float64    `json:"tare"` // value of the tare channel; 0 without one
	Value [6]float64 `json:"value"`
	Sigma [6]float64 `json:"sigma"`
}

// Open is a quantity that the poses do not determine.
type Open struct {
	What      string      `json:"what"`                // what is not determined: mass, centre or inertia
	Direction *[3]float64 `json:"direction,omitempty"` // direction in which the centre is not determined, in the sensor's frame
	Why       string      `json:"why"`
}

// Channel is the error of a channel of the sensor.
type Channel struct {
	Name  string  `json:"name"`
	Noise float64 `json:"noise"` // standard deviation of the white noise of a row, N or N·m
	Walk  float64 `json:"walk"`  // standard deviation of the random walk after a minute, N or N·m
	Drift float64 `json:"drift"` // change of the bias over the log, N or N·m
}

// Names of the channels.
func Names() [6]string { return [6]string{"fx", "fy", "fz", "tx", "ty", "tz"} }

// Estimate is a body on a sensor. Values that are not determined are nil.
type Estimate struct {
	Mass     *Measured    // kg
	Centre   [3]*Measured // m, in the sensor's frame
	Inertia  [6]*Measured // about the centre of mass, along the sensor's axes: xx, xy, xz, yy, yz, zz, kg·m²; nil unless all are determined
	Mounting *Measured    // rotation of the sensor about its z axis relative to the given orientation, rad; nil unless asked for
	Biases   []Bias
	Open     []Open
	Channels [6]Channel
	Findings []Finding
	Rests    int  // number of poses at rest
	Blocks   int  // number of blocks, each the mean of some rows
	Turned   bool // the log holds the wrench that the sensor exerts on the body

	inertial robot.Inertial
}

// Inertial returns the body's parameters in the sensor's frame, that of a point mass where the inertia is not
// determined; false unless mass and centre are.
func (e *Estimate) Inertial() (robot.Inertial, bool) {
	if e.Mass == nil || e.Centre[0] == nil || e.Centre[1] == nil || e.Centre[2] == nil {
		return robot.Inertial{}, false
	}
	return e.inertial, true
}

// ErrNoClock is matched by the error for rows without a clock that are not the means of poses.
var ErrNoClock = errors.New("there is no clock, and the rows are not the means of poses, one each")

// ErrNoRest is matched by the error for logs without rests, where rows in motion are not to be used.
var ErrNoRest = errors.New("the sensor is nowhere at rest")

// fit is a weighted least-squares problem in the body's parameters, angles and the biases.
type fit struct {
	blocks  []block
	columns []int // of the ten parameters that are fitted
	// angles are unknown small rotations: each returns the derivative of gravity in the sensor's frame at a block.
	angles  []func(b *block) spatial.Vec
	tares   int
	gravity spatial.Vec // in the base
	noise   [6]noise
	level   float64 // minus twice the restricted likelihood of the channels one by one

	x   []float64 // of columns, then of angles, then six a tare
	cov *mat.SymDense
}

func (f *fit) parameters() int { return len(f.columns) + len(f.angles) }

// solve fits with the noise that f has. Angles count at rest, and from the second solution on.
func (f *fit) solve() error {
	n, p := len(f.blocks), f.parameters()
	all := p + 6*f.tares
	rows := mat.NewDense(6*n, all+1, nil) // the last column is y
	column, out := make([]float64, n), make([]float64, n)
	for c := range 6 {
		put := func(j int, value func(k int) float64) {
			for k := range column {
				column[k] = value(k)
			}
			f.noise[c].whiten(f.blocks, column, out)
			for k := range out {
				rows.Set(6*k+c, j, out[k])
			}
		}
		for j, col := range f.columns {
			put(j, func(k int) float64 { return f.blocks[k].a[c][col] })
		}
		for j := range f.angles {
			if f.x != nil {
				put(len(f.columns)+j, func(k int) float64 { return f.derivative(j, k)[c] })
			}
		}
		for tare := range f.tares {
			put(p+6*tare+c, func(k int) float64 {
				if f.blocks[k].tare == tare {
					return 1
				}
				return 0
			})
		}
		put(all, func(k int) float64 { return f.blocks[k].y[c] })
	}
	// Columns of unit norm: N and N·m, kg and kg·m² stand side by side.
	scale := make([]float64, all)
	for j := range scale {
		scale[j] = mat.Norm(rows.ColView(j), 2)
		if scale[j] == 0 {
			scale[j] = 1
		}
		for i := range 6 * n {
			rows.Set(i, j, rows.At(i, j)/scale[j])
		}
	}
	var qr mat.QR
	qr.Factorize(rows)
	var r mat.Dense
	qr.RTo(&r)
	upper := mat.NewTriDense(all, mat.Upper, nil)
	z := mat.NewVecDense(all, nil)
	for i := range all {
		z.SetVec(i, r.At(i, all))
		for j := i; j < all; j++ {
			upper.SetTri(i, j, r.At(i, j))
		}
		if i >= len(f.columns) && f.x == nil && upper.At(i, i) == 0 {
			upper.SetTri(i, i, 1) // an angle before the first solution
		}
		if !(math.Abs(upper.At(i, i)) > 1e-10) {
			return fmt.Errorf("the poses do not separate the parameters")
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(upper, z); err != nil {
		return err
	}
	var inverse mat.TriDense
	if err := inverse.InverseTri(upper); err != nil {
		return err
	}
	f.x = make([]float64, all)
	f.cov = mat.NewSymDense(all, nil)
	for i := range all {
		f.x[i] = x.AtVec(i) / scale[i]
		for j := i; j < all; j++ {
			sum := 0.0
			for k := j; k < all; k++ {
				sum += inverse.At(i, k) * inverse.At(j, k)
			}
			f.cov.SetSym(i, j, sum/scale[i]/scale[j])
		}
	}
	return nil
}

// derivative of the six rows of a block by an angle.
func (f *fit) derivative(j, k int) (out [6]float64) {
	b := &f.blocks[k]
	if b.rest < 0 {
		return out
	}
	var a [6][nBody]float64
	regress(&a, f.angles[j](b), spatial.Vec{}, spatial.Vec{})
	for c := range out {
		for i, col := range f.columns {
			out[c] += a[c][col] * f.x[i]
		}
	}
	return out
}

// aboutAxis returns the derivative of gravity by a turn of the sensor about one of its axes: −e × f.
func aboutAxis(axis int) func(b *block) spatial.Vec {
	var e spatial.Vec
	e[axis] = -1
	return func(b *block) spatial.Vec { return spatial.Cross(e, b.f) }
}

// series returns a channel with the columns of its own parameters.
func (f *fit) series(c int) *series {
	var columns [][]float64
	y := make([]float64, len(f.blocks))
	for k := range y {
		y[k] = f.blocks[k].y[c]
	}
	for _, col := range f.columns {
		column := make([]float64, len(y))
		for k := range column {
			column[k] = f.blocks[k].a[c][col]
		}
		columns = append(columns, column)
	}
	for j := range f.angles {
		column := make([]float64, len(y))
		for k := range column {
			column[k] = f.derivative(j, k)[c]
		}
		columns = append(columns, column)
	}
	return with(f.blocks, y, columns...)
}

// residual returns what the model without its biases leaves of a channel, by block.
func (f *fit) residual(c int) []float64 {
	out := make([]float64, len(f.blocks))
	for k := range out {
		b := &f.blocks[k]
		out[k] = b.y[c]
		for j, col := range f.columns {
			out[k] -= b.a[c][col] * f.x[j]
		}
	}
	return out
}

// refine finds the noise and fits the parameters. Angles are linear about the last solution.
func (f *fit) refine() error {
	f.level = 0
	for c := range f.noise {
		var v float64
		f.noise[c], v = likely(f.series(c))
		f.level += v
	}
	return f.solve()
}

// mounting fits the turn of the sensor about its z axis. It returns the angle, rad.
func (f *fit) mounting() (angle float64, err error) {
	f.angles = append(f.angles, aboutAxis(2))
	for range 20 {
		if err := f.refine(); err != nil {
			return 0, err
		}
		step := f.x[len(f.columns)]
		angle += step
		for k := range f.blocks {
			b := &f.blocks[k]
			if b.rest < 0 {
				continue
			}
			b.f = spatial.MulTVec(spatial.RotZ(step), b.f)
			b.a = [6][nBody]float64{}
			regress(&b.a, b.f, spatial.Vec{}, spatial.Vec{})
		}
		if math.Abs(step) < 1e-7 {
			return math.Remainder(angle, 2*math.Pi), nil
		}
	}
	return 0, fmt.Errorf("the rotation of the sensor in its mount does not converge: its forces are not those of one body's weight")
}

// trial is a fit of one reading of a log.
type trial struct {
	reading reading
	track   *Track
	fit     *fit
	rests   int
	open    int // directions in which gravity does not spread, the least spread first
	axes    [3]spatial.Vec
}

// try fits a reading. The fit is not solved if there are too few blocks, or if gravity has one direction.
func try(r reading, track *Track, usable []bool, opt Options) (*trial, error) {
	a := &trial{reading: r, track: track}
	blocks, rests := track.blocks(usable, opt.Moving)
	a.rests, a.fit = rests, &fit{blocks: blocks, gravity: track.Gravity, columns: []int{iM, iMC, iMC + 1, iMC + 2}}
	if len(blocks) < leastBlocks {
		return a, nil
	}
	f := a.fit
	f.tares = blocks[len(blocks)-1].tare + 1
	var spread [3]float64
	spread, a.axes = spreadOf(blocks)
	for a.open < 3 && spread[a.open] < LeastSpread*spatial.Norm(track.Gravity) {
		a.open++
	}
	switch {
	case a.open == 3:
		return a, nil
	case r.weightless:
		f.inBase(track.Gravity)
	case a.open == 2:
		// In the axes of the spread the last part of mc has no effect on the torques, and is left out.
		f.intoAxes(a.axes)
		f.columns = f.columns[:3]
	case opt.Moving && turns(track, usable):
		f.columns = append(f.columns, iI, iI+1, iI+2, iI+3, iI+4, iI+5)
	}
	return a, f.refine()
}

// choose returns the trial of the reading that explains the log best. The stated one holds unless another is better beyond chance and needs no
// further change of the frame.
func choose(stated *trial, usable []bool, opt Options) *trial {
	if stated.fit.quiet(stated.fit.x[0] * spatial.Norm(stated.track.Gravity)) {
		return stated
	}
	best, least := stated, stated.fit.misfit()-significant
	for _, r := range readings() {
		track := r.track(stated.track, opt.Moving)
		if track == nil || r.name == "" || r.weightless && stated.open > 0 {
			continue
		}
		a, err := try(r, track, usable, opt)
		if err != nil || a.open == 3 || !a.rigid(stated) {
			continue
		}
		if m := a.fit.misfit(); m < least {
			best, least = a, m
		}
	}
	return best
}

// Fit estimates the body on a sensor.
func Fit(t *Track, opt Options) (*Estimate, error) {
	e, err := estimate(t, opt)
	if err == nil {
		e.implausible(t, opt)
		e.weightless()
	}
	return e, err
}

// estimate does what Fit does, with the units as stated.
func estimate(t *Track, opt Options) (*Estimate, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if opt.Moving && t.Place == nil {
		panic("tool: rows in motion need places")
	}
	e := &Estimate{}
	usable := t.finite()
	if !slices.Contains(usable, true) {
		return nil, fmt.Errorf("none of the %d rows has a number in each channel of the wrench and of the orientation", len(usable))
	}
	clock := t.T != nil
	if !clock {
		if !t.table(usable) {
			return nil, ErrNoClock
		}
		t = t.withClock()
	}
	e.saturated(t, usable)
	a, err := try(readings()[0], t, usable, opt)
	if err != nil {
		return nil, err
	}
	e.Rests, e.Blocks = a.rests, len(a.fit.blocks)
	if e.Blocks < leastBlocks {
		if !opt.Moving && t.table(usable) {
			return nil, fmt.Errorf("%d poses with %d rows in all: too few to tell noise from weight; %d or more are needed", e.Rests, e.Blocks, leastBlocks)
		}
		if e.Rests == 0 && !opt.Moving {
			return nil, fmt.Errorf("%w for %g s; hold each pose for some seconds, or use rows in motion", ErrNoRest, settling+shortRest)
		}
		return nil, fmt.Errorf("%d rests with %d half seconds in all: too few to tell noise from drift; hold each pose for some seconds", e.Rests, e.Blocks)
	}
	if a.open == 3 {
		e.unknown("gravity has one direction in the sensor's frame in all poses, and a bias would look the same: tilt the sensor about two axes")
		return e, nil
	}
	if !opt.Mounting {
		gain := a.fit.misfit()
		if a = choose(a, usable, opt); e.readAs(a.reading.name, gain-a.fit.misfit()) {
			return e, nil
		}
	}
	f := a.fit
	if len(f.columns) <= 4 {
		e.Open = append(e.Open, Open{What: "inertia", Why: "rows at rest do not tell it: record fast turns about all axes, and use rows in motion"})
	}
	if f.x[0] < 0 {
		e.Turned = true
		for k := range f.blocks {
			for c := range f.blocks[k].y {
				f.blocks[k].y[c] = -f.blocks[k].y[c]
			}
		}
		for i := range f.x {
			f.x[i] = -f.x[i]
		}
		e.find(WrenchSign, Remark, "the log has the wrench that the sensor exerts on the body", "with the other sign the mass would be negative", "nothing: the sign was reversed")
	}
	size := spatial.Norm(t.Gravity)
	if opt.Mounting {
		if a.open > 0 {
			return nil, fmt.Errorf("the rotation of the sensor in its mount needs poses that tilt it about two axes")
		}
		angle, err := f.mounting()
		if err != nil {
			return nil, err
		}
		e.Mounting = measured(angle, f.cov.At(len(f.columns), len(f.columns)))
	} else {
		var steps []step
		f, steps = f.steps(f.x[0]*size, a.open, e.Rests)
		e.tell(t, clock, f, steps)
	}
	e.take(t, f, a.open, a.axes)
	if _, sigma := e.distance(); math.IsInf(sigma, 0) || math.IsInf(e.Mass.Sigma, 0) {
		return nil, fmt.Errorf("a channel of the wrench has one value in all rows (%s): it is not measured, or another channel is meant", strings.Join(t.constant(usable), ", "))
	}
	e.judge(f, a.open, size)
	return e, nil
}

// unknown says why nothing of the body is determined.
func (e *Estimate) unknown(why string) {
	for _, what := range []string{"mass", "centre", "inertia"} {
		e.Open = append(e.Open, Open{What: what, Why: why})
	}
}

// readAs names a reading other than the stated one. It reports whether nothing of the body is determined.
func (e *Estimate) readAs(name string, gain float64) bool {
	why := fmt.Sprintf("read this way, forces and torques fit better: twice the log-likelihood rises by %.0f", gain)
	switch name {
	case alongBase:
		e.find(SensorFrame, Warning, "the wrench has the axes of the base, not those of the sensor; its rows were turned by their poses", why, "log the wrench in the sensor's frame, or leave it: the values are in the sensor's frame")
	case taredInBase:
		e.find(SensorFrame, Error, "the wrench has the axes of the base, and was tared along them: the weight is the same in all poses", why, "log the wrench in the sensor's frame")
		e.unknown("along the axes of the base the weight is the same in all poses, and the sensor was tared there: log the wrench in the sensor's frame")
		return true
	case inverse:
		e.find(SensorFrame, Error, "the orientation is that of the base in the sensor's frame, not of the sensor in the base", why, "log the orientation of the sensor in the base: the conjugate of the quaternion, or the rotation vector with the other sign")
	}
	return false
}

// intoAxes writes the columns of mc for its parts along other axes.
func (f *fit) intoAxes(axes [3]spatial.Vec) {
	for k := range f.blocks {
		for c := range 6 {
			a := &f.blocks[k].a[c]
			own := spatial.Vec{a[iMC], a[iMC+1], a[iMC+2]}
			for i := range 3 {
				a[iMC+i] = spatial.Dot(own, axes[i])
			}
		}
	}
}

// spreadOf returns the standard deviations of gravity less acceleration about its mean in each tare, ascending, with their axes.
func spreadOf(blocks []block) (spread [3]float64, axes [3]spatial.Vec) {
	sum := mat.NewSymDense(3, nil)
	total := 0.0
	for from := 0; from < len(blocks); {
		end := from
		mean, weight := spatial.Vec{}, 0.0
		for end < len(blocks) && blocks[end].tare == blocks[from].tare {
			mean = spatial.AddScaled(mean, blocks[end].length, blocks[end].f)
			weight += blocks[end].length
			end++
		}
		mean = spatial.Scale(1/weight, mean)
		for k := from; k < end; k++ {
			d := spatial.Sub(blocks[k].f, mean)
			for i := range 3 {
				for j := i; j < 3; j++ {
					sum.SetSym(i, j, sum.At(i, j)+blocks[k].length*d[i]*d[j])
				}
			}
		}
		total += weight
		from = end
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sum, true) {
		return spread, axes
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	for k, x := range eigen.Values(nil) {
		spread[k] = math.Sqrt(max(x, 0) / total)
		axes[k] = spatial.Vec{v.At(0, k), v.At(1, k), v.At(2, k)}
	}
	return spread, axes
}

// turns reports whether a track turns fast enough to tell an inertia.
func turns(t *Track, usable []bool) bool {
	_, _, dw := t.motion(true)
	sum, n := 0.0, 0.0
	for k := range dw {
		if usable[k] {
			sum += spatial.Dot(dw[k], dw[k])
			n++
		}
	}
	return n > 0 && math.Sqrt(sum/n) > 0.3
}

// take writes the values of a fit into the estimate.
func (e *Estimate) take(t *Track, f *fit, open int, axes [3]spatial.Vec) {
	m := f.x[0]
	cov := func(i, j int) float64 { return f.cov.At(i, j) }
	e.Mass = measured(m, cov(0, 0))
	var c spatial.Vec
	if open == 2 {
		axis := axes[2]
		e.Open = append(e.Open, Open{What: "centre", Direction: &axis, Why: "the poses move gravity along this axis only, and a centre that is moved along it gives the same torques: tilt the sensor about another axis, too"})
	} else {
		for i := range 3 {
			c[i] = f.x[1+i] / m
			// ∂c/∂m = −c/m, ∂c/∂(mc) = 1/m.
			e.Centre[i] = measured(c[i], (cov(1+i, 1+i)-2*c[i]*cov(0, 1+i)+c[i]*c[i]*cov(0, 0))/(m*m))
		}
	}
	e.inertial = robot.InertialFromCentral(m, c, [3][3]float64{})
	if len(f.columns) > 4 {
		e.inertia(f, m, c)
	}
	p := f.parameters()
	sign := 1.0
	if e.Turned {
		sign = -1
	}
	for tare := range f.tares {
		b := Bias{}
		if t.Tare != nil {
			first := slices.IndexFunc(f.blocks, func(b block) bool { return b.tare == tare })
			b.Tare = t.Tare[f.blocks[first].first]
		}
		for i := range 6 {
			b.Value[i], b.Sigma[i] = sign*f.x[p+6*tare+i], math.Sqrt(max(cov(p+6*tare+i, p+6*tare+i), 0))
		}
		e.Biases = append(e.Biases, b)
	}
	for i, name := range Names() {
		n := &f.noise[i]
		r := f.residual(i)
		for k := range r {
			r[k] -= f.x[p+6*f.blocks[k].tare+i]
		}
		at, _ := n.walked(f.blocks, r)
		e.Channels[i] = Channel{name, math.Sqrt(n.rest), math.Sqrt(60 * n.walk), -at}
	}
}

// inertia takes the moments about the centre of mass, if all are determined.
func (e *Estimate) inertia(f *fit, m float64, c spatial.Vec) {
	var about [6]float64
	copy(about[:], f.x[4:10])
	// I = Iₒ − m(|c|²·1 − c·cᵀ) with mc = l: Iₒ − (|l|²·1 − l·lᵀ)/m.
	l := spatial.Scale(m, c)
	ll := spatial.Dot(l, l)
	places := [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}
	value, variance := [6]float64{}, [6]float64{}
	size := 0.0
	for k, at := range places {
		i, j := at[0], at[1]
		d := make([]float64, len(f.columns)) // derivative by the parameters
		d[4+k] = 1
		shift := -l[i] * l[j]
		d[1+i] += l[j] / m
		d[1+j] += l[i] / m
		if i == j {
			shift += ll
			for n := range 3 {
				d[1+n] -= 2 * l[n] / m
			}
		}
		d[0] = shift / (m * m)
		value[k] = about[k] - shift/m
		for a := range d {
			for b := range d {
				variance[k] += d[a] * d[b] * f.cov.At(a, b)
			}
		}
		if i == j {
			size = max(size, value[k])
		}
	}
	var weak []string
	for k, at := range places {
		if !(math.Sqrt(variance[k]) <= 0.3*size) {
			weak = append(weak, "i"+string("xyz"[at[0]])+string("xyz"[at[1]]))
		}
	}
	if weak != nil {
		e.Open = append(e.Open, Open{What: "inertia", Why: fmt.Sprintf("the standard deviations of %v are above 30 %% of the largest moment: record faster turns", weak)})
		return
	}
	var central spatial.Mat
	for k, at := range places {
		e.Inertia[k] = measured(value[k], variance[k])
		central[at[0]][at[1]], central[at[1]][at[0]] = value[k], value[k]
	}
	e.inertial = robot.InertialFromCentral(m, c, central)
}
