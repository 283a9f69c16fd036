package watch

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/mechanics/kinematics"
	"ident/robot"
)

// Options say how a robot is watched. Zero values take the defaults.
type Options struct {
	FalseAlarms float64 // events an hour on a quiet robot; default 1
	// EndSeconds is how long the tests must stay below half their thresholds for an episode to end; default 0.1. Tests whose windows are longer than
	// that of its alarm do not count, and a row beyond takes back two that were below.
	EndSeconds float64
}

// Kind is what an event is.
type Kind string

// The kinds of events.
const (
	Contact   Kind = "contact"   // an external torque that rose slowly, or is small
	Collision Kind = "collision" // an external torque that rose within milliseconds
	Payload   Kind = "payload"   // a body was picked up, changed, or put down (mass 0)
	// LoadOrContact is what presses down at a point that a load could have: at rest, and in slow motions, nothing tells a load from a hand.
	LoadOrContact Kind = "load-or-contact"
	Drift         Kind = "drift"  // friction or an offset of a joint has changed
	Sensor        Kind = "sensor" // the channels show what no robot can do
	Blind         Kind = "blind"  // no row is watched, or was for a time
	End           Kind = "end"    // the torque of the last contact or collision is gone
)

// Event is something that a quiet robot does not do.
type Event struct {
	Type Kind    `json:"type"`
	T    float64 `json:"t"`
	// Or is what else the event may be, as nothing tells the two apart yet: [Drift] of a [Contact] that one joint alone feels.
	Or    Kind    `json:"or,omitempty"`
	Joint string  `json:"joint,omitempty"` // outermost joint that feels the event; for drift, the joint that drifts
	Z     float64 `json:"z,omitempty"`     // value of the test, in standard deviations
	Limit float64 `json:"limit,omitempty"` // its threshold
	// Force is the force at the tip that explains the torques best, N, with Sigma; for drift it is the change of the
	// friction.
	Force float64 `json:"force,omitempty"`
	// Mass is the mass of the payload, kg, with Sigma, and Centre its centre of mass in the frame of the tip's link, m.
	Mass   *float64    `json:"mass,omitempty"`
	Centre *[3]float64 `json:"centre,omitempty"`
	Sigma  float64     `json:"sigma,omitempty"`
	// Link is the link on which the force of a contact that has ended acted, and Point where on it, in its frame, m, if these can be told.
	Link  string      `json:"link,omitempty"`
	Point *[3]float64 `json:"point,omitempty"`
	Since float64     `json:"since,omitempty"` // time at which the event began
	// Until is the time of the last row of a fault that lasted, and Rows the number of its rows.
	Until float64 `json:"until,omitempty"`
	Rows  int     `json:"rows,omitempty"`
	// Over says that the event was told before, when it began: this is its end.
	Over bool   `json:"over,omitempty"`
	Text string `json:"text"`
}

// Row is what one row of a log says. It is the watcher's own and valid until the next. Residual and Observer are not a
// number in bad rows, and for five of the observer's time constants behind a start or a gap, where they depend on the
// motion before.
type Row struct {
	T        float64
	Residual []float64 // measured − model, through the observer's filter, N·m or N
	Sigma    []float64 // standard deviation of Residual on a quiet robot, from noise and the covariance of the parameters
	Observer []float64 // external torque: of everything that the model does not hold
	// Unexplained is what a confirmed payload and changes of friction that were found leave of Observer. The tests are of it.
	Unexplained []float64
	Payload     *Body // confirmed payload; nil if none
	Events      []Event
	Extra       bool // the row is none of the log: it holds events alone
}

// Body is a payload.
type Body struct {
	Mass   float64    `json:"mass"` // kg
	Sigma  float64    `json:"sigma"`
	Centre [3]float64 `json:"centre"` // centre of mass in the frame of the tip's link, m
}

// Watcher supervises one robot. One goroutine uses it at a time.
type Watcher struct {
	o     *observer
	noise *Noise
	bank  *bank
	limit []float64 // by test, in the order of noise.Tests; +Inf where unfit
	// silent is, by test, what a value must exceed to say anything: an event ends below it.
	silent []float64
	most   []float64 // by test, how many times its threshold its value may be
	opt    Options
	names  []string

	row     Row
	body    Body
	rows    int
	episode episode
	load    *load // nil where the robot's tip carries nothing that could be weighed
	slip    []friction
	stuck   []repeats
	pace    pace
	clocked bool // o.t is the time of the row before
	gapped  bool // the newest row came late

	runs    []faultRun
	unseen  darkness
	lost    []loss
	seen    int     // rows that were watched
	seenAt  float64 // time of the last of them
	seeing  bool    // seenAt is on the clock of the rows
	held    int     // rows since the last that the filters took in: their state is kept
	far     fault   // of the row at hand, whose torque is beyond its bound
	isFar   bool
	first   beginning
	opening opening
	told    int  // events
	placed  bool // last and speed hold the positions and velocities of the last row that the filters took in
	last    []float64
	speed   []float64

	tree *kinematics.Tree // nil of closed robots
	pose *kinematics.Pose
	jac  kinematics.Jacobian
	tip  kinematics.Point
	at   []float64 // positions of a row
}

// New begins to watch a robot by a model and the noise that a [Calibrator] measured with it.
func New(m Model, n *Noise, opt Options) (*Watcher, error) {
	o, err := newObserver(m, n.Bandwidth)
	if err != nil {
		return nil, err
	}
	if len(n.RestRate) != o.joints || len(n.Inertial.Share) != o.joints || len(n.Density) != o.joints || len(n.Jolt) != o.joints || len(n.Step) != o.joints || len(n.Tests) != len(windows)*o.joints ||
		len(n.Bounds.Rate) != o.joints || len(n.Bounds.Step) != o.joints || len(n.Bounds.Torque) != o.joints {
		return nil, fmt.Errorf("the noise is that of a robot with %d joints; the model has %d", len(n.RestRate), o.joints)
	}
	if opt.FalseAlarms == 0 {
		opt.FalseAlarms = 1
	}
	if opt.EndSeconds == 0 {
		opt.EndSeconds = 0.1
	}
	o.restRate, o.jolt.limit, o.torqueStep, o.torqueBound = n.RestRate, n.Jolt, n.Step, n.Bounds.Torque
	o.pose.Inertial, o.pose.every = n.Inertial, n.poseRows()
	w := &Watcher{o: o, noise: n, bank: newBank(n), opt: opt,
		slip: make([]friction, o.joints), stuck: make([]repeats, o.joints), last: make([]float64, o.joints), speed: make([]float64, o.joints)}
	w.opening.most = int(darkSeconds*n.RateHz + 0.5)
	w.limit, w.silent = n.limits(opt.FalseAlarms / 3600)
	for i, level := range w.limit {
		w.most = append(w.most, n.Tests[i].heldRatio(level))
	}
	for _, l := range m.Torques.JointLinks() {
		w.names = append(w.names, m.Robot.Links[l].Joint.Name)
	}
	w.row = Row{Residual: make([]float64, o.joints), Sigma: make([]float64, o.joints), Observer: make([]float64, o.joints), Unexplained: make([]float64, o.joints)}
	if !m.Robot.Closed() {
		if w.tree, err = kinematics.New(m.Robot); err != nil {
			return nil, err
		}
		w.pose, w.tip = w.tree.NewPose(), kinematics.Point{Link: w.tree.Tip()}
		w.jac = make(kinematics.Jacobian, w.tree.DOF())
		if w.load, err = newLoad(m, w); err != nil {
			return nil, err
		}
		o.pose.load = w.load
	}
	return w, nil
}

// Joints names the joints of the rows.
func (w *Watcher) Joints() []string { return append([]string(nil), w.names...) }

// Limits returns the thresholds, in the order of the noise's tests.
func (w *Watcher) Limits() []float64 { return append([]float64(nil), w.limit...) }

// Limit returns the external torque of joint j, beside what [Row.Unexplained] leaves out, beyond which the newest row alone is an alarm, N·m or N.
func (w *Watcher) Limit(j int) float64 {
	t := &w.noise.Tests[j] // of the observer's own window
	m := w.o.M[j]
	floor := max(0, w.row.Sigma[j]*w.row.Sigma[j]-m)
	if w.load != nil {
		m += w.load.doubt[j]
	}
	return w.o.bound[j] + w.limit[j]*math.Sqrt(t.Gain*t.Gain*floor+m)
}

// Reset forgets the rows before, as after a gap. What was found of payload and drift stays.
func (w *Watcher) Reset() {
	w.restart()
	w.clocked, w.seeing, w.unseen = false, false, darkness{}
}

// restart begins the observer, the tests and the episodes again at the next row.
func (w *Watcher) restart() {
	w.o.reset()
	w.forget()
	for j := range w.stuck {
		w.stuck[j].begin()
	}
	w.pace.begun, w.pace.n = false, 0
	w.placed, w.held = false, 0
}

// forget begins the tests and the episodes again, as if the observer had to settle.
func (w *Watcher) forget() {
	w.bank.reset()
	w.episode = episode{}
	if w.load != nil {
		w.load.begin()
	}
	w.rows, w.unseen.reset = 0, true
}

// Add takes in rows that follow those before, and calls each with what every row says. A row that is not sound is a [Sensor] event, told once for
// all rows of a fault; see [Bounds]. One with a value that is no number, or that the robot cannot have, is left out, and the observer goes on behind
// it as behind a row that is missing; a torque beyond its bound counts as the bound, because a blow may be larger. Behind ten rows' time without a row
// that it can take in, or a clock that goes back, the observer begins again. It settles within five of its time constants, and a [Blind] event says so.
// It returns a [UnitError] behind a second that the model explains in other units alone, if none before it was right as it is.
func (w *Watcher) Add(c Columns, each func(*Row) error) error {
	for !w.opening.done && len(c.T) > 0 {
		n, told := w.opening.take(&c), w.told
		if err := w.rowsOf(c.Slice(0, n), each); err != nil {
			return err
		}
		w.opening.told = w.opening.told || w.told > told
		if err := w.otherUnits(); err != nil {
			return err
		}
		c = c.Slice(n, len(c.T))
	}
	return w.rowsOf(c, each)
}

// rowsOf works on rows, and leaves out those that are not sound.
func (w *Watcher) rowsOf(c Columns, each func(*Row) error) error {
	for at := 0; at < len(c.T); {
		end, f := w.sound(&c, at)
		if end > at {
			part := c
			if at > 0 || end < len(c.T) {
				part = c.Slice(at, end)
			}
			if err := w.add(part, each); err != nil {
				return err
			}
		}
		at = end
		if f.kind == sound {
			continue
		}
		if f.kind == farTorque {
			w.far, w.isFar = f, true
			if err := w.add(c.Slice(at, at+1), each); err != nil {
				return err
			}
		} else if err := w.leaveOut(&c, at, f, each); err != nil {
			return err
		}
		at++
	}
	return nil
}

// leaveOut calls each with a row that cannot be used.
func (w *Watcher) leaveOut(c *Columns, k int, f fault, each func(*Row) error) error {
	t := c.T[k]
	switch {
	case f.kind == clockBack || f.kind == gap:
		w.restart()
		w.o.t, w.clocked = t, true
	case f.kind == badTime:
		t = w.o.t
	case !w.clocked:
		w.o.t, w.clocked = t, true
	}
	w.held++
	w.row.T, w.row.Events, w.row.Extra = t, w.row.Events[:0], false
	w.losses()
	if f.kind == gap {
		w.late(f.size)
	} else {
		w.found(f, t, w.noise.Bounds.text(f, w.names), 1)
	}
	w.aged()
	w.unknown()
	w.dark(1)
	return each(&w.row)
}

// unknown leaves a row without torques.
func (w *Watcher) unknown() {
	for j := range w.row.Residual {
		w.row.Residual[j], w.row.Observer[j], w.row.Unexplained[j] = math.NaN(), math.NaN(), math.NaN()
	}
}

// sound returns the end of the rows from one on that can be computed with, and what is wrong with the row there, nothing behind the last.
func (w *Watcher) sound(c *Columns, at int) (end int, f fault) {
	last, first := w.o.t, !w.clocked
	b, rate := &w.noise.Bounds, w.noise.RateHz
	for k := at; k < len(c.T); k++ {
		t := c.T[k]
		step := t - last
		switch {
		case !clockTime(t, rate):
			return k, fault{badTime, -1, t}
		case first:
			step = 0
		case step == 0:
			return k, fault{clockSame, -1, 0}
		case step < 0:
			return k, fault{clockBack, -1, -step}
		case step > lateRows/rate && k == at && step*rate <= lateRows+2*float64(w.held):
			// Rows came, but none that the filters could take in.
			w.restart()
			w.o.t, step = t, 0
		case step > lateRows/rate:
			return k, fault{gap, -1, step}
		}
		past := before{rows: max(1, step*rate), seconds: step}
		if w.placed {
			past.q, past.v = w.last, w.speed
		}
		f := b.judge(c, k, &past)
		if f.kind == sound || f.kind == farTorque {
			first, last, w.gapped, w.clocked, w.placed, w.held = false, t, false, true, true, 0
			for j := range w.last {
				w.last[j], w.speed[j] = c.Q[j][k], c.DQ[j][k]
			}
		}
		if f.kind != sound {
			return k, f
		}
	}
	return len(c.T), fault{}
}

// lateRows is how many rows' time without a row is a gap: the filters cannot bridge it.
const lateRows = 10

// late tells a gap before a row. Two gaps in succession mean another rate, which is told once.
func (w *Watcher) late(step float64) {
	before := w.gapped
	w.gapped = true
	f := fault{gap, -1, step}
	w.found(f, w.row.T, w.noise.Bounds.text(f, w.names), 1)
	switch {
	case !before:
		w.pace.told = false
	case !w.pace.told:
		w.pace.told = true
		w.found(fault{kind: otherRate, joint: -1}, w.row.T, wrongRate(1/step, w.noise.RateHz), 1)
	}
}

// pace measures the rate of the rows, and how even it is.
type pace struct {
	begun, told bool
	uneven      bool // the stamps are farther off an even rate than those of the quiet logs
	last        float64
	steps       [100]float64
	n           int
}

// rateLimit is the largest ratio of two rates at which the thresholds of one serve the other: white noise of the
// torques, the kind that depends most on the rate, then has a standard deviation larger by 10 % at most.
const rateLimit = 1.2

// add takes in the time of a row. It returns what is wrong with the rate, or with the stamps beside those of the quiet logs, where that begins,
// else "".
func (p *pace) add(t, rate, jitter float64) string {
	if p.begun {
		p.steps[p.n] = t - p.last
		p.n++
	}
	p.begun, p.last = true, t
	if p.n < len(p.steps) {
		return ""
	}
	p.n = 0
	step, off := steady(p.steps[:])
	now := 1 / step
	wrong, uneven := now > rateLimit*rate || now*rateLimit < rate, off > jitter+rateLimit-1
	began := uneven && !p.uneven
	p.uneven = uneven
	if wrong != p.told {
		if p.told = wrong; wrong {
			return wrongRate(now, rate)
		}
	}
	if began && !wrong {
		return fmt.Sprintf("a tenth of these stamps are %.3f ms or more off an even rate, over the whole quiet log %.3f ms: the thresholds do not hold here; take a quiet log with such stamps, or the controller's own",
			1e3*off*step, 1e3*jitter/rate)
	}
	return ""
}

// steady returns the median of steps between rows, and the part of it by which a tenth of the steps are off it, of that at least. It sorts the steps.
func steady(steps []float64) (step, off float64) {
	slices.Sort(steps)
	step = steps[len(steps)/2]
	away := make([]float64, len(steps))
	for k, s := range steps {
		away[k] = math.Abs(s - step)
	}
	slices.Sort(away)
	return step, away[len(away)*9/10] / step
}

// wrongRate says that rows come at another rate than those of the quiet logs.
func wrongRate(now, rate float64) string {
	for by, unit := range map[float64]string{1e3: "ms", 1e6: "µs", 1e9: "ns"} {
		if ratio := rate / now / by; ratio < rateLimit && ratio*rateLimit > 1 {
			return fmt.Sprintf("rows come at %.3g Hz, those of the quiet log at %.3g Hz: the stamps are in %s; declare the unit of the clock", now, rate, unit)
		}
	}
	return fmt.Sprintf("rows come at %.3g Hz, those of the quiet log at %.3g Hz: the thresholds do not hold; take a quiet log of this rate", now, rate)
}

// Slice returns the rows [from, to), in the same memory.
func (c Columns) Slice(from, to int) Columns {
	part := Columns{T: c.T[from:to]}
	for j := range c.Q {
		part.Q, part.DQ, part.Tau = append(part.Q, c.Q[j][from:to]), append(part.DQ, c.DQ[j][from:to]), append(part.Tau, c.Tau[j][from:to])
	}
	return part
}

// add works on sound rows.
func (w *Watcher) add(c Columns, each func(*Row) error) error {
	var failed error
	err := w.o.add(c.T, c.Q, c.DQ, c.Tau, func(k int) {
		if failed == nil {
			w.step(c, k)
			failed = each(&w.row)
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// step works on one row, behind the observer's.
func (w *Watcher) step(c Columns, k int) {
	row := &w.row
	row.T, row.Events, row.Extra = c.T[k], row.Events[:0], false
	w.losses()
	if w.isFar {
		w.isFar = false
		w.found(w.far, row.T, w.noise.Bounds.text(w.far, w.names), 1)
	}
	if text := w.pace.add(row.T, w.noise.RateHz, w.noise.Jitter); text != "" {
		w.found(fault{kind: otherRate, joint: -1}, row.T, text, 1)
	}
	w.aged()
	state, finite := w.o.state(stateFactor)
	if !finite {
		w.overflown(state)
		w.unknown()
		w.dark(1)
		return
	}
	if w.dead(stuckPosition, -1) || w.dead(stuckVelocity, -1) {
		w.forget() // a wrong motion of one joint shows in all
	}
	w.rows++
	if w.load != nil {
		w.load.step(w, c, k)
	}
	for j := range row.Observer {
		v := c.DQ[j][k]
		f := w.noise.floorAt(j, v) * w.o.pose.factor[j]
		row.Residual[j] = -w.o.R[j]
		row.Sigma[j] = math.Sqrt(f*f + w.o.M[j])
		m := w.o.M[j]
		r := w.o.R[j] - w.slip[j].known(v, w.noise.RestRate[j])
		if w.load != nil {
			r -= w.load.torque(j)
			m += w.load.doubt[j]
		}
		row.Observer[j], row.Unexplained[j] = w.o.R[j], r
		if w.dead(stuckTorque, j) {
			r = 0
		}
		if w.rows > w.noise.settling() {
			w.bank.add(j, r, w.o.bound[j], f, m, v, w.episode.told)
		}
		w.frozen(j, c, k)
	}
	still := w.still()
	w.test(c, k)
	w.compare(c, k)
	switch {
	case w.rows <= w.noise.settling():
		w.unknown()
		w.dark(1)
	case still:
		w.dark(1)
	default:
		w.light()
	}
	if state >= 0 {
		w.overflown(state) // behind the tests, which may have told a blow
	}
	row.Payload = nil
	if d := w.load; d != nil && d.carried[massAt] != 0 {
		row.Payload = &w.body
		w.body = Body{d.carried[massAt], d.sigma(), *d.centre()}
	}
}

// overflown begins again behind a state of the observer that is beyond what can be watched.
func (w *Watcher) overflown(joint int) {
	f := fault{farState, joint, w.o.R[joint]}
	w.found(f, w.row.T, w.noise.Bounds.text(f, w.names), 1)
	w.restart()
}

// repeats counts how many times in a row the position, the velocity and the torque of a joint have repeated their values while it moved: by its
// velocity, and for the velocity itself by its positions.
type repeats struct {
	begun bool
	last  [3]float64
	n     [3]int
	all   int     // how many times in a row all three have, moving or not
	q, t  float64 // the position and the time at which the velocity was new
}

func (r *repeats) begin() { r.begun, r.n, r.all = false, [3]int{}, 0 }

// add takes in a row. A velocity is repeated wrongly if the positions meanwhile went further from where it leads than rest, a speed, explains.
func (r *repeats) add(q, v, tau, t, rest float64) {
	row := [3]float64{q, v, tau}
	for g, x := range row {
		if !r.begun || x != r.last[g] {
			r.n[g] = 0
			if g == 1 {
				r.q, r.t = q, t
			}
			continue
		}
		moves := math.Abs(v) >= rest
		if g == 1 {
			moves = math.Abs(q-r.q-v*(t-r.t)) >= rest*(t-r.t)
		}
		if r.n[g]++; !moves {
			r.n[g] = 0
		}
	}
	if r.all++; !r.begun || row != r.last {
		r.all = 0
	}
	r.begun, r.last = true, row
}

// stuckRows is how many times in a row a channel of a moving joint repeats its value where its sensor is stuck.
const stuckRows = 100

// suspect returns how many times in a row a channel of a moving joint repeats its value where its sensor is stuck, if the joint also shows what its
// model does not: one more than twice the most of the quiet rows. If that most is expected once in n rows, twice as many are expected once in n² rows.
// Where none of n quiet rows repeats, one repetition may yet come once in n rows: a joint that turns back passes the same count twice.
func (w *Watcher) suspect(group, j int) int {
	if j >= len(w.noise.Held[group]) {
		return stuckRows
	}
	return min(stuckRows, 2*max(w.noise.Held[group][j], 1)+1)
}

// frozen tells a joint that moves while one of its channels repeats one value.
func (w *Watcher) frozen(j int, c Columns, k int) {
	r := &w.stuck[j]
	r.add(c.Q[j][k], c.DQ[j][k], c.Tau[j][k], c.T[k], w.noise.RestRate[j])
	for g, n := range r.n {
		if n > 0 && (n >= stuckRows || n >= w.suspect(g, j) && w.felt(j, g < 2)) {
			f := fault{stuckPosition + faultKind(g), j, r.last[g]}
			w.found(f, w.row.T, fmt.Sprintf("the %s of joint %s stands at %.4g while the joint moves", groups[g], w.names[j], f.size), 1)
		}
	}
}

// felt reports whether a test of a contact on a joint, or any, says anything: a wrong motion of one joint shows in all.
func (w *Watcher) felt(joint int, any bool) bool {
	joints := len(w.names)
	for i := range contactWindows() * joints {
		if j := i % joints; (any || j == joint) && w.speaks(i) {
			return true
		}
	}
	return false
}

// value returns the value of a test, 0 of one that is not used.
func (w *Watcher) value(test int) float64 {
	t := &w.noise.Tests[test]
	if t.Unfit != "" {
		return 0
	}
	return w.bank.z(test/len(w.names), t.Joint, t.Gain)
}

// speaks reports whether the value of a test says anything.
func (w *Watcher) speaks(test int) bool { return math.Abs(w.value(test)) > w.silent[test] }

// still reports whether every channel has repeated its value for a second, and for more than twice as long as in the quiet logs: of a logger that has
// stuck, or of drives that are off. Nothing can be watched then.
func (w *Watcher) still() bool {
	n := math.MaxInt
	for j := range w.stuck {
		n = min(n, w.stuck[j].all)
	}
	if n < max(int(darkSeconds*w.noise.RateHz), 2*w.noise.Still+1) {
		return false
	}
	w.found(fault{kind: stuckAll, joint: -1}, w.row.T, "every channel repeats its value: the logger has stuck, or the drives are off", 1)
	return true
}

// dead reports whether a channel of a kind has been stuck for stuckRows rows, of a joint or of any (-1). What tests show is that channel then, until it
// has been alive for a second.
func (w *Watcher) dead(kind faultKind, joint int) bool {
	return slices.ContainsFunc(w.runs, func(r faultRun) bool {
		return r.kind == kind && r.rows >= stuckRows && (joint < 0 || r.joint == joint)
	})
}

// deaf reports whether a channel is stuck.
func (w *Watcher) deaf() bool {
	return slices.ContainsFunc(w.runs, func(r faultRun) bool { return r.kind >= stuckPosition && r.kind <= stuckTorque })
}

// worst returns the test that is nearest to its threshold, or furthest beyond it, and whether no test says anything; all tells to take the tests of
// drift in.
func (w *Watcher) worst(all bool) (at int, ratio, z float64, silent bool) {
	joints := len(w.names)
	silent = true
	largest := 0.0 // square of the ratio
	for i := range w.noise.Tests {
		t := &w.noise.Tests[i]
		if t.Unfit != "" || t.Drift && !all {
			continue
		}
		s, j := i/joints, t.Joint
		e := w.bank.E[s][j]
		square, variance := e*e, t.Gain*t.Gain+w.bank.V[s][j]
		silent = silent && square <= w.silent[i]*w.silent[i]*variance
		r := square / (w.limit[i] * w.limit[i] * variance)
		if r > largest {
			at, largest, z = i, r, e/math.Sqrt(variance)
		}
		if most := w.most[i]; r > most*most {
			w.bank.E[s][j] *= most / math.Sqrt(r)
		}
	}
	return at, math.Sqrt(largest), z, silent
}

// feel returns the joint furthest from the base of which a test says something, and whether no other joint has such a test.
func (w *Watcher) feel() (outermost int, alone bool) {
	first := len(w.names)
	for i := range w.noise.Tests {
		if t := &w.noise.Tests[i]; !t.Drift && w.speaks(i) {
			outermost, first = max(outermost, t.Joint), min(first, t.Joint)
		}
	}
	return outermost, first == outermost
}

// Wrench returns the force and moment on the tip in the axes of the base which explain the external torques of the
// newest row best, each joint by its standard deviation, with the condition number of the directions. q are the row's
// positions, nil before the first. Robots with fewer than six joints, closed robots, rows without torques and poses whose condition number is
// above 1000 have none.
func (w *Watcher) Wrench(q []float64) (wrench [6]float64, condition float64, ok bool) {
	if w.tree == nil || w.tree.DOF() < 6 || w.tree.DOF() != len(w.names) || len(q) != len(w.names) {
		return wrench, math.Inf(1), false
	}
	w.pose.Place(q)
	w.pose.Jacobian(w.jac, w.tip)
	a, right := mat.NewSymDense(6, nil), [6]float64{}
	scale := [6]float64{1, 1, 1, w.tree.Reach(), w.tree.Reach(), w.tree.Reach()} // moments count in units of a force at arm's length
	for j := range w.names {
		weight := 1 / (w.row.Sigma[j] * w.row.Sigma[j])
		column := [6]float64{}
		copy(column[:3], w.jac[j].Linear[:])
		copy(column[3:], w.jac[j].Angular[:])
		for r := range 6 {
			column[r] /= scale[r]
			for s := range r + 1 {
				a.SetSym(r, s, a.At(r, s)+weight*column[r]*column[s])
			}
			right[r] += weight * column[r] * w.row.Unexplained[j]
		}
	}
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		return wrench, math.Inf(1), false
	}
	values := e.Values(nil) // ascending
	condition = math.Sqrt(values[5] / max(values[0], 1e-300))
	if !(condition <= 1000) || math.IsNaN(right[0]) {
		return wrench, condition, false
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	for k, v := range values {
		dot := 0.0
		for r := range 6 {
			dot += vectors.At(r, k) * right[r]
		}
		for r := range 6 {
			wrench[r] += vectors.At(r, k) * dot / v / scale[r]
		}
	}
	return wrench, condition, true
}

// tipLink returns the moving link that carries the tip.
func tipLink(r *robot.Robot, tip int) int {
	for tip >= 0 && r.Links[tip].Joint.Kind == robot.Fixed {
		tip = r.Links[tip].Antecedent
	}
	return tip
}
