// Package feet finds the motion of a robot's base from feet that stick to level ground, and from it what an inertial
// measurement unit on the base is worth: how it is mounted, its biases, and whether it agrees.
//
// # Motion
//
// With u_B = (v, ω) the twist of the base in its own axes, each foot that sticks gives three equations (six of a sole)
//
//	J_B·u_B + J_q·q̇ = 0
//
// and three round feet, or one sole, determine u_B (least squares). Accelerations follow in the same way
// from those of the points of contact, which feel gravity alone: with f the acceleration of the base's origin less
// gravity, ν the normal of the ground and b the part of rates,
//
//	J_B·(f, ω̇) + J_q·q̈ + b = g·ν
//
// So no signal of the sensor is differentiated, and its noise is not in the regressor.
//
// # Sensor
//
// The turn M of the sensor against the base is the rotation nearest to the gyroscope's signal (Kabsch 1976; Wahba 1965).
// With R the attitude of the base, integrated from ω, and a the acceleration of its origin,
//
//	R·(Mᵀ·f_sensor − lever − a) = g₀ + R·b
//
// is linear in gravity g₀ and in the bias b of the accelerometer: one least-squares problem of six unknowns. The length
// of g₀ must be that of gravity: it tests the geometry, the radius of the feet, the scale of the accelerometer and
// whether the feet have stuck, all at once.
package feet

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/regressor"
)

// Log holds samples at a steady rate. All signals must have gone through the same low-pass.
type Log struct {
	DT         float64     // s
	Q, DQ, DDQ [][]float64 // of the joints behind the base
	Gyro       [3][]float64
	Force      [3][]float64 // of the accelerometer: specific force, m/s²
	Sticks     [][]bool     // by foot: whether it sticks; nil for a foot that always does
	RateNoise  []float64    // by joint: standard deviation of DQ by the noise of the positions; nil if it is not known
	Edge       int          // samples at both ends, the transients of the low-pass, that say nothing of slips
}

// Sensor places an inertial measurement unit on the base: its origin, and the turn from its axes to the axes of the base.
type Sensor struct {
	Turn [3][3]float64
	At   [3]float64
}

// Motion is the motion of a base that stands on its feet, with an entry per sample.
type Motion struct {
	Base regressor.BaseMotion
	Up   [3][]float64 // normal of the ground in the axes of the base
	// Slip holds, by foot, how fast the point of contact moves against the others, m/s; NaN where the foot is in the air, of a sole that
	// stands alone, which may turn or tilt but has no other to slip against, and at the edges of the log.
	Slip [][]float64
	// slipNoise is, by foot, the root mean square of the slip that the noise of the positions makes alone; nil if that is not known.
	slipNoise []float64
	// Twist holds, by foot, how fast a sole turns against the other feet, or against the gyroscope if there is no other,
	// rad/s; NaN where it is in the air, nil for a foot that is no sole.
	Twist [][]float64
	// Mount is the rotation vector, rad, by which the sensor is turned against the pose that was given, in the axes of the
	// base. MountSeen is false if the base did not turn about two axes, so that the given pose was used.
	Mount     [3]float64
	MountSeen bool
	// GyroBias and ForceBias are in the axes of the sensor, rad/s and m/s². Gravity is the length of gravity as the sensor
	// and the feet find it together, m/s².
	GyroBias, ForceBias [3]float64
	Gravity             float64
	// ForceSize is the mean length of the accelerometer's signal, m/s².
	ForceSize float64
	// GyroRest is the root mean square, rad/s, of what the feet leave of the gyroscope's signal, GyroSize that of the
	// signal less its mean, and GyroScale the factor that brings it nearest to the rates by the feet.
	GyroRest, GyroSize, GyroScale float64
}

// ErrNotStanding is returned if there are too few samples at which the feet determine the motion of the base.
var ErrNotStanding = errors.New("the feet do not determine the motion of the base")

const (
	// rounds is how often the normal of the ground and the motion are computed in turn. The normal moves the point of
	// contact by ρ times its error, so the second round changes a millimetre by some micrometres.
	rounds = 3
	// turning is the least rate, rad/s rms about the second axis, with which a mount is found: a gyroscope's noise of a
	// tenth of it leaves 0.1° after ten seconds at 100 Hz.
	turning = 0.03
	// drift is half the time, s, over which the tilt is averaged: much longer than a sway, much shorter than the drift of
	// an attitude that is integrated from encoders.
	drift = 4.0
)

// Follow returns the motion of a base. gravity is its length, m/s². Samples at which the feet do not determine the motion
// take it from the sensor.
func Follow(base regressor.FloatingBase, sticking *regressor.Sticking, log *Log, sensor Sensor, gravity float64) (*Motion, error) {
	n := len(log.Q[0])
	f := &follower{base: base, sticking: sticking, log: log, sensor: sensor, gravity: gravity, n: n, joints: len(log.Q), turn: sensor.Turn,
		contacts: sticking.NewContacts(n), ws: sticking.NewWorkspace(), feet: sticking.Feet(), known: make([]bool, n)}
	f.out = &Motion{}
	for _, v := range []*[3][]float64{&f.out.Base.Rate, &f.out.Base.Acceleration, &f.out.Base.SpecificForce, &f.out.Up} {
		*v = vector(n)
	}
	for i := range f.feet {
		f.out.Slip, f.out.Twist = append(f.out.Slip, make([]float64, n)), append(f.out.Twist, nil)
		if f.feet[i].Sole {
			f.out.Twist[i] = make([]float64, n)
		}
	}
	f.in = regressor.Batch{Q: signals(f.joints+6, n), DQ: signals(f.joints+6, n), DDQ: signals(f.joints+6, n)}
	copy(f.in.Q[6:], log.Q)
	copy(f.in.DQ[6:], log.DQ)
	copy(f.in.DDQ[6:], log.DDQ)
	f.level()
	for i := range n {
		f.out.ForceSize += spatial.Norm(at(&log.Force, i)) / float64(n)
	}
	for range rounds {
		if err := f.move(); err != nil {
			return nil, err
		}
		f.mount()
		if err := f.tilt(); err != nil {
			return nil, err
		}
	}
	if err := f.move(); err != nil {
		return nil, err
	}
	f.without()
	if log.RateNoise != nil {
		f.out.slipNoise = f.slipNoise()
	}
	for _, x := range f.out.Slip {
		for i := range min(log.Edge, n) {
			x[i], x[n-1-i] = math.NaN(), math.NaN()
		}
	}
	return f.out, nil
}

// follower is a motion on its way.
type follower struct {
	base     regressor.FloatingBase
	sticking *regressor.Sticking
	feet     []regressor.Foot
	log      *Log
	sensor   Sensor
	gravity  float64
	n        int
	joints   int
	turn     spatial.Mat // from the axes of the sensor to those of the base
	in       regressor.Batch
	contacts *regressor.Contacts
	ws       *regressor.Workspace
	known    []bool // the feet determine the motion
	out      *Motion
}

// at returns a sample of a vector's signals.
func at(x *[3][]float64, i int) spatial.Vec { return spatial.Vec{x[0][i], x[1][i], x[2][i]} }

// put sets a sample of a vector's signals.
func put(x *[3][]float64, i int, v spatial.Vec) {
	for k := range v {
		x[k][i] = v[k]
	}
}

func vector(n int) [3][]float64 { return [3][]float64(signals(3, n)) }

func signals(count, n int) [][]float64 {
	out := make([][]float64, count)
	for k := range out {
		out[k] = make([]float64, n)
	}
	return out
}

// level takes the specific force for the normal of the ground, a first guess.
func (f *follower) level() {
	for i := range f.n {
		v := spatial.MulVec(f.turn, at(&f.log.Force, i))
		size := spatial.Norm(v)
		if size == 0 {
			v, size = spatial.Vec{0, 0, 1}, 1
		}
		put(&f.out.Up, i, spatial.Scale(1/size, v))
	}
}

// sticks reports whether a foot sticks at a sample.
func (f *follower) sticks(foot, i int) bool {
	return f.log.Sticks == nil || f.log.Sticks[foot] == nil || f.log.Sticks[foot][i]
}

// move finds twist and acceleration of the base by the feet.
func (f *follower) move() error {
	zero := vector(f.n)
	still := regressor.BaseMotion{Rate: zero, Acceleration: zero, SpecificForce: zero}
	f.base.Fill(&f.in, &still)
	f.sticking.Eval(f.contacts, f.in, f.out.Up, f.ws)
	rates := vector(f.n)
	var fits leastSquares
	known := 0
	for i := range f.n {
		u, ok := f.twist(i, &fits)
		if f.known[i] = ok; ok {
			known++
			put(&rates, i, spatial.Vec{u[3], u[4], u[5]})
		} else {
			put(&rates, i, f.rateBySensor(i))
		}
		for foot := range f.feet {
			f.slip(foot, i, u, &fits, ok)
		}
	}
	if known < f.n/20 || known < 20 {
		return fmt.Errorf("%w: three round feet that stick, or one sole, are needed; they stick at %d of %d samples", ErrNotStanding, known, f.n)
	}
	f.out.Base.Rate = rates
	still.Rate = rates
	f.base.Fill(&f.in, &still)
	f.sticking.Eval(f.contacts, f.in, f.out.Up, f.ws)
	for i := range f.n {
		if !f.known[i] {
			continue
		}
		fits.reset()
		up := at(&f.out.Up, i)
		for foot := range f.feet {
			if !f.sticks(foot, i) {
				continue
			}
			for k := range f.feet[foot].Forces() {
				row, _ := f.equation(foot, k, i)
				wanted := -f.contacts.Motion[f.contacts.First[foot]+k][i]
				if k < 3 {
					wanted += f.gravity * up[k]
				}
				fits.add(row, wanted)
			}
		}
		a, _ := fits.solve()
		put(&f.out.Base.SpecificForce, i, spatial.Vec{a[0], a[1], a[2]})
		put(&f.out.Base.Acceleration, i, spatial.Vec{a[3], a[4], a[5]})
	}
	return nil
}

// twist returns the twist of the base at a sample by the feet that stick, and leaves their equations in fits.
func (f *follower) twist(i int, fits *leastSquares) (u [6]float64, ok bool) {
	fits.reset()
	for foot := range f.feet {
		if !f.sticks(foot, i) {
			continue
		}
		for k := range f.feet[foot].Forces() {
			fits.add(f.equation(foot, k, i))
		}
	}
	return fits.solve()
}

// noiseSamples is the number of samples that stand for all: levers of legs change by a tenth in a sway, and their mean by less.
const noiseSamples = 50

// slipNoise returns, by foot, the root mean square of the slip that errors of the joints' velocities make alone: of each joint in turn.
func (f *follower) slipNoise() []float64 {
	out, count := make([]float64, len(f.feet)), make([]float64, len(f.feet))
	g, last := *f, Motion{Slip: signals(len(f.feet), f.n), Twist: signals(len(f.feet), f.n)}
	g.log, g.out = &Log{DQ: signals(f.joints, f.n), Gyro: vector(f.n), Sticks: f.log.Sticks}, &last
	var fits leastSquares
	for i := 0; i < f.n; i += max(1, f.n/noiseSamples) {
		for k, sigma := range f.log.RateNoise {
			g.log.DQ[k][i] = sigma
			u, ok := g.twist(i, &fits)
			for foot := range out {
				if g.slip(foot, i, u, &fits, ok); !math.IsNaN(last.Slip[foot][i]) {
					out[foot] += sq(last.Slip[foot][i])
					count[foot] += 1 / float64(len(f.log.RateNoise))
				}
			}
			g.log.DQ[k][i] = 0
		}
	}
	for foot := range out {
		out[foot] = math.Sqrt(out[foot] / max(count[foot], 1))
	}
	return out
}

// slip finds the speed of a foot's point of contact at a sample if the base has the twist u: against the other feet if
// these determine u without it, otherwise, if it is round, against the compromise of all; and how fast a sole turns. all has the equations
// of every foot.
func (f *follower) slip(foot, i int, u [6]float64, all *leastSquares, known bool) {
	if !known || !f.sticks(foot, i) {
		f.out.Slip[foot][i] = math.NaN()
		if f.feet[foot].Sole {
			f.out.Twist[foot][i] = math.NaN()
		}
		return
	}
	others := *all
	var rows [6][6]float64
	var left [6]float64
	forces := f.feet[foot].Forces()
	for k := range forces {
		rows[k], left[k] = f.equation(foot, k, i)
		others.remove(rows[k], left[k])
	}
	if twist, ok := others.solveWell(); ok {
		u = twist
	} else if w := f.rateBySensor(i); f.feet[foot].Sole {
		u[3], u[4], u[5] = w[0], w[1], w[2]
		left[0] = math.NaN()
	}
	for k := range forces {
		for b, x := range rows[k] {
			left[k] -= x * u[b]
		}
	}
	f.out.Slip[foot][i] = spatial.Norm(spatial.Vec(left[:3]))
	if f.feet[foot].Sole {
		f.out.Twist[foot][i] = spatial.Norm(spatial.Vec(left[3:]))
	}
}

// equation returns the row of J_B and the value of −J_q·q̇ of an entry of a foot at a sample.
func (f *follower) equation(foot, k, i int) (row [6]float64, y float64) {
	j := f.contacts.Jacobian[f.contacts.First[foot]+k]
	for b, at := range f.base.Rows() {
		row[b] = j[at][i]
	}
	for q := range f.joints {
		y -= j[6+q][i] * f.log.DQ[q][i]
	}
	return row, y
}

// rateBySensor returns the angular velocity that the gyroscope measures, in the axes of the base.
func (f *follower) rateBySensor(i int) spatial.Vec {
	return spatial.MulVec(f.turn, spatial.Sub(at(&f.log.Gyro, i), f.out.GyroBias))
}

// mount finds the turn and the bias of the gyroscope.
func (f *follower) mount() {
	var mean, sensed spatial.Vec
	count := 0.0
	for i := range f.n {
		if f.known[i] {
			mean, sensed = spatial.Add(mean, at(&f.out.Base.Rate, i)), spatial.Add(sensed, at(&f.log.Gyro, i))
			count++
		}
	}
	mean, sensed = spatial.Scale(1/count, mean), spatial.Scale(1/count, sensed)
	var product, power spatial.Mat
	for i := range f.n {
		if f.known[i] {
			w := spatial.Sub(at(&f.out.Base.Rate, i), mean)
			product = spatial.AddMat(product, spatial.Outer(w, spatial.Sub(at(&f.log.Gyro, i), sensed)))
			power = spatial.AddMat(power, spatial.Outer(w, w))
		}
	}
	var own mat.SVD
	own.Factorize(dense(power), mat.SVDNone)
	if f.out.MountSeen = math.Sqrt(own.Values(nil)[1]/count) > turning; f.out.MountSeen {
		if turn, ok := nearestRotation(product); ok {
			f.turn = turn
			f.out.Mount = spatial.RotationVector(spatial.Mul(turn, spatial.Transpose(f.sensor.Turn)))
		}
	}
	f.out.GyroBias = spatial.Sub(sensed, spatial.MulTVec(f.turn, mean))
	var rest, size, along float64
	for i := range f.n {
		if f.known[i] {
			w, seen := spatial.Sub(at(&f.out.Base.Rate, i), mean), spatial.Sub(f.rateBySensor(i), mean)
			d := spatial.Sub(w, seen)
			rest, size, along = rest+spatial.Dot(d, d), size+spatial.Dot(seen, seen), along+spatial.Dot(w, seen)
		}
	}
	f.out.GyroRest, f.out.GyroSize, f.out.GyroScale = math.Sqrt(rest/(3*count)), math.Sqrt(size/(3*count)), along/max(size, math.SmallestNonzeroFloat64)
}

// nearestRotation returns the rotation T that maximises the trace of Tᵀ·product, the sum of w·(T·s) for product = Σ w·sᵀ.
func nearestRotation(product spatial.Mat) (spatial.Mat, bool) {
	var svd mat.SVD
	if !svd.Factorize(dense(product), mat.SVDFull) {
		return spatial.Mat{}, false
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	if mat.Det(&u)*mat.Det(&v) < 0 {
		for k := range 3 {
			u.Set(k, 2, -u.At(k, 2))
		}
	}
	var t mat.Dense
	t.Mul(&u, v.T())
	var out spatial.Mat
	for i := range 3 {
		for j := range 3 {
			out[i][j] = t.At(i, j)
		}
	}
	return out, true
}

func dense(m spatial.Mat) *mat.Dense {
	d := mat.NewDense(3, 3, nil)
	for i := range 3 {
		for j := range 3 {
			d.Set(i, j, m[i][j])
		}
	}
	return d
}

// lever returns what the specific force at the sensor has more than at the base's origin, in the axes of the base.
func (f *follower) lever(i int) spatial.Vec {
	w, dw := at(&f.out.Base.Rate, i), at(&f.out.Base.Acceleration, i)
	return spatial.Add(spatial.Cross(dw, f.sensor.At), spatial.Cross(w, spatial.Cross(w, f.sensor.At)))
}

// tilt finds gravity, the bias of the accelerometer and the normal of the ground.
func (f *follower) tilt() error {
	attitude := spatial.Eye()
	attitudes := make([]spatial.Mat, f.n)
	for i := range f.n {
		if i > 0 {
			w := spatial.Scale(0.5*f.log.DT, spatial.Add(at(&f.out.Base.Rate, i-1), at(&f.out.Base.Rate, i)))
			attitude = spatial.Mul(attitude, rotation(w))
		}
		attitudes[i] = attitude
	}
	// R·y = g₀ + R·b: normal equations of the unknowns (g₀, b), whose blocks are the identity and R.
	var fits leastSquares
	fits.reset()
	sensed := make([]spatial.Vec, f.n)
	for i := range f.n {
		if !f.known[i] {
			continue
		}
		a := spatial.Sub(at(&f.out.Base.SpecificForce, i), spatial.Scale(f.gravity, at(&f.out.Up, i)))
		y := spatial.Sub(spatial.Sub(spatial.MulVec(f.turn, at(&f.log.Force, i)), f.lever(i)), a)
		sensed[i] = y
		world := spatial.MulVec(attitudes[i], y)
		for k := range 3 {
			var row [6]float64
			row[k] = 1
			copy(row[3:], attitudes[i][k][:])
			fits.add(row, world[k])
		}
	}
	x, ok := fits.solve()
	if !ok {
		// Without turns a bias cannot be told from gravity.
		x = [6]float64{}
		count := 0.0
		for i := range f.n {
			if f.known[i] {
				world := spatial.MulVec(attitudes[i], sensed[i])
				for k := range 3 {
					x[k] += world[k]
				}
				count++
			}
		}
		for k := range 3 {
			x[k] /= count
		}
	}
	g0, bias := spatial.Vec{x[0], x[1], x[2]}, spatial.Vec{x[3], x[4], x[5]}
	f.out.Gravity, f.out.ForceBias = spatial.Norm(g0), spatial.MulTVec(f.turn, bias)
	if f.out.Gravity == 0 {
		return fmt.Errorf("%w: the accelerometer measures no gravity", ErrNotStanding)
	}
	// The attitude drifts slowly: what is left, averaged over some seconds, turns the normal back.
	left := vector(f.n)
	for i := range f.n {
		if f.known[i] {
			put(&left, i, spatial.Sub(spatial.MulVec(attitudes[i], spatial.Sub(sensed[i], bias)), g0))
		}
	}
	half := int(drift / f.log.DT)
	for k := range left {
		left[k] = runningMean(left[k], f.known, half)
	}
	for i := range f.n {
		v := spatial.MulTVec(attitudes[i], spatial.Add(g0, at(&left, i)))
		put(&f.out.Up, i, spatial.Scale(1/spatial.Norm(v), v))
	}
	return nil
}

// without fills in the samples at which the feet do not determine the motion, from the sensor.
func (f *follower) without() {
	for i := range f.n {
		if f.known[i] {
			continue
		}
		for k := range 3 {
			before, after := max(i-1, 0), min(i+1, f.n-1)
			f.out.Base.Acceleration[k][i] = (f.out.Base.Rate[k][after] - f.out.Base.Rate[k][before]) / (float64(after-before) * f.log.DT)
		}
		sensed := spatial.MulVec(f.turn, spatial.Sub(at(&f.log.Force, i), f.out.ForceBias))
		put(&f.out.Base.SpecificForce, i, spatial.Sub(sensed, f.lever(i)))
	}
}

// rotation returns the rotation matrix of a rotation vector (Rodrigues).
func rotation(v spatial.Vec) spatial.Mat {
	angle := spatial.Norm(v)
	s, c := 1.0, 0.5
	if angle > 1e-8 {
		s, c = math.Sin(angle)/angle, (1-math.Cos(angle))/(angle*angle)
	}
	k := spatial.Skew(v)
	return spatial.AddMat(spatial.AddMat(spatial.Eye(), spatial.ScaleMat(s, k)), spatial.ScaleMat(c, spatial.Mul(k, k)))
}

// runningMean returns the mean of the known samples within half on either side, or zero if there are none.
func runningMean(x []float64, known []bool, half int) []float64 {
	sum, count := make([]float64, len(x)+1), make([]int, len(x)+1)
	for i, v := range x {
		sum[i+1], count[i+1] = sum[i], count[i]
		if known[i] {
			sum[i+1] += v
			count[i+1]++
		}
	}
	out := make([]float64, len(x))
	for i := range out {
		lo, hi := max(0, i-half), min(len(x), i+half+1)
		if n := count[hi] - count[lo]; n > 0 {
			out[i] = (sum[hi] - sum[lo]) / float64(n)
		}
	}
	return out
}

// leastSquares solves for six unknowns by normal equations.
type leastSquares struct {
	a [6][6]float64
	b [6]float64
}

func (l *leastSquares) reset() { *l = leastSquares{} }

func (l *leastSquares) add(row [6]float64, y float64) {
	for i, r := range row {
		if r == 0 {
			continue
		}
		for j := range i + 1 {
			l.a[i][j] += r * row[j]
		}
		l.b[i] += r * y
	}
}

// remove takes out an equation that was added.
func (l *leastSquares) remove(row [6]float64, y float64) {
	for i, r := range row {
		for j := range i + 1 {
			l.a[i][j] -= r * row[j]
		}
		l.b[i] -= r * y
	}
}

const (
	// determined is the least part of a diagonal entry that a pivot must keep: below it the unknown is a combination of the
	// others but for rounding.
	determined = 1e-9
	// wellDetermined is the same for an answer that must not amplify noise by more than its root, a factor of 10.
	wellDetermined = 1e-2
)

// solve returns the solution, and false if an unknown is not determined.
func (l *leastSquares) solve() ([6]float64, bool) { return l.solveAbove(determined) }

// solveWell returns the solution, and false if an unknown is not determined well.
func (l *leastSquares) solveWell() ([6]float64, bool) { return l.solveAbove(wellDetermined) }

// solveAbove solves by Cholesky's method; least is the part of its diagonal entry that each pivot must keep.
func (l *leastSquares) solveAbove(least float64) ([6]float64, bool) {
	var c [6][6]float64
	x := l.b
	for i := range 6 {
		for j := range i + 1 {
			sum := l.a[i][j]
			for k := range j {
				sum -= c[i][k] * c[j][k]
			}
			if i != j {
				c[i][j] = sum / c[j][j]
				continue
			}
			if !(sum > least*l.a[i][i]) {
				return x, false
			}
			c[i][i] = math.Sqrt(sum)
		}
		for k := range i {
			x[i] -= c[i][k] * x[k]
		}
		x[i] /= c[i][i]
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			x[i] -= c[k][i] * x[k]
		}
		x[i] /= c[i][i]
	}
	return x, true
}
