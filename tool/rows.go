package tool

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/spatial"
)

// Track is what was measured, row by row, with the motion of the sensor's frame. Wrenches are those that the body exerts on the sensor, about
// the origin of the sensor's frame and along its axes.
type Track struct {
	// T is the clock, s, ascending. If it is nil each row is of a pose at rest.
	T      []float64
	Wrench [6][]float64    // forces, N, and torques, N·m
	Turn   [][3][3]float64 // orientation of the sensor's frame in the base
	// Place is the origin of the sensor's frame in the base, m; nil where only rows at rest are to be used.
	Place   [][3]float64
	Tare    []float64  // tare channel, whose values number the biases; nil if there is one bias
	Gravity [3]float64 // gravity in the base frame, m/s²

	posed bool // the clock is that of withClock, which tells no rests
}

// check returns why a track cannot be used.
func (t *Track) check() error {
	n := len(t.Turn)
	if n < 2 {
		return fmt.Errorf("%d rows; a tool needs some seconds of several poses", n)
	}
	if t.T != nil && len(t.T) != n || t.Place != nil && len(t.Place) != n || t.Tare != nil && len(t.Tare) != n {
		panic("tool: columns of different lengths")
	}
	for c := range t.Wrench {
		if len(t.Wrench[c]) != n {
			panic("tool: columns of different lengths")
		}
	}
	for k := 1; k < len(t.T); k++ {
		if !(t.T[k] > t.T[k-1]) {
			return fmt.Errorf("the clock does not ascend at row %d: %g s after %g s", k+1, t.T[k], t.T[k-1])
		}
	}
	if !(spatial.Norm(t.Gravity) > 0) {
		return fmt.Errorf("gravity is zero: a tool is weighed by its weight")
	}
	return nil
}

// constant returns the channels of the wrench with one value in all usable rows.
func (t *Track) constant(usable []bool) (names []string) {
	for c, name := range Names() {
		var values []float64
		for k, y := range t.Wrench[c] {
			if usable[k] {
				values = append(values, y)
			}
		}
		if slices.Min(values) == slices.Max(values) {
			names = append(names, name)
		}
	}
	return names
}

// Columns of the body's parameters in a row.
const (
	iM    = 0
	iMC   = 1 // three
	iI    = 4 // six: xx, xy, xz, yy, yz, zz
	nBody = 10
)

// block is the mean of some rows: six rows of the model.
type block struct {
	t, length float64 // time of the middle, s; number of rows
	rest      int     // number of its rest, -1 in motion
	tare      int
	first     int         // row
	last      int         // row
	f         spatial.Vec // gravity less acceleration, in the sensor's frame
	turn      spatial.Mat // orientation of the sensor's frame in the base, of the first row
	y         [6]float64
	a         [6][nBody]float64
}

// regress adds a row's coefficients of the ten parameters.
func regress(a *[6][nBody]float64, f, w, dw spatial.Vec) {
	// F = m·f − dw×mc − w×(w×mc) = m·f − (S(dw) + S(w)²)·mc.
	turn := spatial.AddMat(spatial.Skew(dw), spatial.Mul(spatial.Skew(w), spatial.Skew(w)))
	across := spatial.Skew(f)
	for i := range 3 {
		a[i][iM] += f[i]
		for k := range 3 {
			a[i][iMC+k] -= turn[i][k]
			a[3+i][iMC+k] -= across[i][k] // mc×f = −S(f)·mc
		}
	}
	// I·dw + w×(I·w) with I by its six numbers.
	for k, at := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		var e spatial.Mat
		e[at[0]][at[1]], e[at[1]][at[0]] = 1, 1
		moment := spatial.Add(spatial.MulVec(e, dw), spatial.Cross(w, spatial.MulVec(e, w)))
		for i := range 3 {
			a[3+i][iI+k] -= moment[i]
		}
	}
}

// Lengths of blocks, s.
const (
	restBlock   = 0.5
	motionBlock = 0.05
)

// Limits of a rest.
const (
	stillTurn  = 0.02 // rad/s
	stillPlace = 0.01 // m/s
	settling   = 0.3  // s left out at the begin of a rest: the arm swings, the sensor's filter follows
	shortRest  = 0.5  // s
)

// speeds returns the angular and linear speed of each row over a tenth of a second.
func (t *Track) speeds() (turn, place []float64) {
	n := len(t.T)
	turn, place = make([]float64, n), make([]float64, n)
	a, b := 0, 0
	for k := range n {
		for a < k && t.T[k]-t.T[a] > 0.05 {
			a++
		}
		for b < n-1 && t.T[b]-t.T[k] < 0.05 {
			b++
		}
		from, to := min(a, max(k-1, 0)), max(b, min(k+1, n-1))
		dt := t.T[to] - t.T[from]
		if !(dt > 0) {
			continue
		}
		turn[k] = spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(t.Turn[from]), t.Turn[to]))) / dt
		if t.Place != nil {
			place[k] = spatial.Norm(spatial.Sub(t.Place[to], t.Place[from])) / dt
		}
	}
	return turn, place
}

// rests numbers the rests: for each row the rest that it belongs to, or -1. tares are numbers of biases.
func (t *Track) rests(usable []bool, tares []int) (of []int, count int) {
	if t.posed {
		return t.poses(usable)
	}
	turn, place := t.speeds()
	n := len(t.T)
	of = make([]int, n)
	gap := 20 * (t.T[n-1] - t.T[0]) / float64(n-1)
	for k := 0; k < n; {
		of[k] = -1
		if turn[k] > stillTurn || place[k] > stillPlace {
			k++
			continue
		}
		end := k + 1
		for end < n && turn[end] <= stillTurn && place[end] <= stillPlace && tares[end] == tares[k] && t.T[end]-t.T[end-1] < max(gap, 0.1) {
			end++
		}
		begin := t.T[k]
		if k > 0 {
			begin += settling
		}
		long := t.T[end-1]-begin >= shortRest
		for i := k; i < end; i++ {
			of[i] = -1
			if long && t.T[i] >= begin && usable[i] {
				of[i] = count
			}
		}
		if long {
			count++
		}
		k = end
	}
	if count == 0 && t.table(usable) {
		return t.poses(usable)
	}
	return of, count
}

// Rows of a table of poses.
const (
	leastJump = 5 * math.Pi / 180 // turn from one pose to the next, rad
	samePose  = 0.1 * math.Pi / 180
	mostSpeed = 10.0 // rad/s, beyond which no arm turns a sensor from row to row
	tablePose = 5.0  // s from one row to the next, if there is no clock
)

// turned returns the turn from the row before to each row, rad.
func (t *Track) turned() []float64 {
	out := make([]float64, len(t.Turn))
	for k := 1; k < len(out); k++ {
		out[k] = spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(t.Turn[k-1]), t.Turn[k])))
	}
	return out
}

// table reports whether each row is the mean of a pose: most rows that differ from the row before jump, and the clock, if there is
// one, has at least shortRest between rows or counts them.
func (t *Track) table(usable []bool) bool {
	var jumps, steps, speeds []float64
	for k, a := range t.turned() {
		if k == 0 || !usable[k] {
			continue
		}
		if t.T != nil {
			steps, speeds = append(steps, t.T[k]-t.T[k-1]), append(speeds, a/(t.T[k]-t.T[k-1]))
		}
		if a > samePose {
			jumps = append(jumps, a)
		}
	}
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	return len(jumps) > 0 && median(jumps) > leastJump && (t.T == nil || median(steps) >= shortRest || median(speeds) > mostSpeed)
}

// poses numbers the poses of a table: rows that follow each other in one pose are one rest.
func (t *Track) poses(usable []bool) (of []int, count int) {
	of = make([]int, len(t.Turn))
	for k, a := range t.turned() {
		if k > 0 && a > samePose {
			count++
		}
		if of[k] = count; !usable[k] {
			of[k] = -1
		}
	}
	return of, count + 1
}

// withClock returns a table of poses with a clock, by which its rows are tablePose apart.
func (t *Track) withClock() *Track {
	out := *t
	out.posed = true
	out.T = make([]float64, len(t.Turn))
	for k := range out.T {
		out.T[k] = tablePose * float64(k)
	}
	return &out
}

// tares numbers the biases from zero.
func (t *Track) tares() []int {
	out := make([]int, len(t.Turn))
	if t.Tare == nil {
		return out
	}
	for k := 1; k < len(out); k++ {
		out[k] = out[k-1]
		if t.Tare[k] != t.Tare[k-1] {
			out[k]++
		}
	}
	return out
}

// motion returns, for each row, gravity less acceleration, rate and its derivative in the sensor's frame: of rows at rest gravity alone, of others by
// differences of second order over a window.
func (t *Track) motion(moving bool) (f, w, dw []spatial.Vec) {
	n := len(t.T)
	f, w, dw = make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Vec, n)
	for k := range n {
		f[k] = spatial.MulTVec(t.Turn[k], t.Gravity)
	}
	if !moving {
		return f, w, dw
	}
	for k := 1; k < n-1; k++ {
		h, g := t.T[k]-t.T[k-1], t.T[k+1]-t.T[k]
		before := spatial.RotationVector(spatial.Mul(spatial.Transpose(t.Turn[k-1]), t.Turn[k])) // in the sensor's frame
		after := spatial.RotationVector(spatial.Mul(spatial.Transpose(t.Turn[k]), t.Turn[k+1]))
		a := spatial.Vec{}
		for i := range 3 {
			va, vb := before[i]/h, after[i]/g
			w[k][i] = (va*g + vb*h) / (g + h)
			dw[k][i] = 2 * (vb - va) / (g + h)
			a[i] = 2 * ((t.Place[k+1][i]-t.Place[k][i])/g - (t.Place[k][i]-t.Place[k-1][i])/h) / (g + h)
		}
		f[k] = spatial.Sub(f[k], spatial.MulTVec(t.Turn[k], a))
	}
	return f, w, dw
}

// blocks averages rows: rests in blocks of restBlock, rows in motion, if they are to be used, in those of motionBlock.
func (t *Track) blocks(usable []bool, moving bool) (blocks []block, rests int) {
	tares := t.tares()
	of, rests := t.rests(usable, tares)
	f, w, dw := t.motion(moving)
	n := len(t.T)
	for k := 0; k < n; {
		inside := of[k] >= 0
		if !usable[k] || !inside && (!moving || k == 0 || k == n-1) {
			k++
			continue
		}
		length := restBlock
		if !inside {
			length = motionBlock
		}
		b := block{turn: t.Turn[k], rest: of[k], tare: tares[k], first: k}
		end := k
		for end < n && usable[end] && of[end] == of[k] && tares[end] == tares[k] && (end == k || t.T[end]-t.T[k] < length-1e-9) && (inside || end < n-1) {
			b.t += t.T[end]
			for c := range b.y {
				b.y[c] += t.Wrench[c][end]
			}
			if inside {
				regress(&b.a, spatial.MulTVec(t.Turn[end], t.Gravity), spatial.Vec{}, spatial.Vec{})
				b.f = spatial.Add(b.f, spatial.MulTVec(t.Turn[end], t.Gravity))
			} else {
				regress(&b.a, f[end], w[end], dw[end])
				b.f = spatial.Add(b.f, f[end])
			}
			b.length++
			end++
		}
		b.last = end - 1
		k = end
		b.t /= b.length
		b.f = spatial.Scale(1/b.length, b.f)
		for c := range b.y {
			b.y[c] /= b.length
			for i := range b.a[c] {
				b.a[c][i] /= b.length
			}
		}
		blocks = append(blocks, b)
	}
	return blocks, rests
}

// finite tells the rows whose numbers all are.
func (t *Track) finite() []bool {
	ok := make([]bool, len(t.Turn))
	for k := range ok {
		sum := 0.0
		for c := range t.Wrench {
			sum += t.Wrench[c][k]
		}
		for i := range 3 {
			for j := range 3 {
				sum += t.Turn[k][i][j]
			}
			if t.Place != nil {
				sum += t.Place[k][i]
			}
		}
		ok[k] = !math.IsNaN(sum) && !math.IsInf(sum, 0)
	}
	return ok
}
