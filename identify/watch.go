package identify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ident/datasets"
	"ident/identify/project"
	"ident/internal/hint"
	"ident/observation"
	"ident/watch"
)

// WatchOptions say how a robot is watched by a result.
type WatchOptions struct {
	watch.Options
	// Quiet are logs without contacts, payloads and faults, from which the noise is measured. Without any, the training
	// logs are used if they lie beside the result's folder or in the current one.
	Quiet []string
	// Bandwidth of the observer in rad/s; 0 means watch.DefaultBandwidth.
	Bandwidth float64
	// Latest bounds the rows that arrive at once, in seconds: only the latest are used, and a note says so. 0 uses all.
	Latest float64
}

// Watching supervises a robot while a log grows. The caller must pass lines to [Watching.Take] as they come.
type Watching struct {
	*watch.Watcher
	Noise *watch.Noise
	Model watch.Model
	// Disturbed says that a quiet log has a stretch that is not quiet, "" if none has one.
	Disturbed string

	saved  *Saved
	opt    WatchOptions
	speeds bool // velocities are those of the logs, not differences of positions
	each   func(w *Watching, row *watch.Row) error
	stream
	run    *observation.Run // nil before the first rows
	under  []byte           // the names of the channels that run is for
	rates  rates
	latest float64
	q      []float64 // positions of the newest row
	heard  time.Time // when rows came last
	silent bool      // that none come was told
}

// WatchModel returns the model of a result with its covariance, for package watch.
func (s *Saved) WatchModel() (watch.Model, error) {
	var m watch.Model
	if s.Elastic() {
		return m, ErrElastic
	}
	res := s.Fitted.Result
	if len(res.Gains) > 0 {
		return m, fmt.Errorf("%s: the result has estimated drive gains: give them as the setting gains and their deviations as gain-sigma, fit again, and watch with that result", s.Folder)
	}
	e, err := evaluatorOf(s.Fitted)
	if err != nil {
		return m, err
	}
	m.Robot = s.Fitted.Robot
	if m.Torques, m.Values, err = e.Torques(); err != nil {
		return m, err
	}
	place := map[string]int{}
	for k, c := range s.Fitted.Set.Base {
		place[s.Fitted.Set.Columns[c].Name] = k
	}
	covariance := res.PredictionCovariance()
	for _, a := range m.Torques.Names() {
		row := make([]float64, len(m.Values))
		for j, b := range m.Torques.Names() {
			p, known := place[a]
			q, both := place[b]
			if known && both && len(covariance) > 0 {
				row[j] = covariance[p][q]
			}
		}
		m.Covariance = append(m.Covariance, row)
	}
	return m, nil
}

// Watch starts to watch. It calls each with the outcome of every row.
func (s *Saved) Watch(ctx context.Context, name string, opt WatchOptions, each func(w *Watching, row *watch.Row) error) (*Watching, error) {
	w := &Watching{saved: s, opt: opt, speeds: true, each: each, stream: stream{settings: s.Settings, name: name}, latest: opt.Latest}
	var err error
	if w.Model, err = s.WatchModel(); err != nil {
		return nil, err
	}
	if w.settings, err = w.calibrate(ctx); err != nil {
		return nil, err
	}
	w.settings = w.settings.OfStream(name)
	w.heard = time.Now()
	return w, nil
}

// calibrate measures the noise of the quiet logs, with their velocities if all of them have some and the log is not known to lack them, and
// begins to watch by it. It returns the settings that read the log.
func (w *Watching) calibrate(ctx context.Context) (*project.Settings, error) {
	q, err := w.saved.quiet(ctx, &w.Model, w.opt, w.speeds)
	if err != nil {
		return nil, err
	}
	w.Noise, w.speeds, w.Disturbed = q.noise, q.speeds, q.disturbed
	w.Watcher, err = watch.New(w.Model, w.Noise, w.opt.Options)
	w.rates.most = w.Noise.Bounds.Rate
	return q.settings, err
}

// Noise measures the noise of a robot on quiet logs.
func (s *Saved) Noise(ctx context.Context, m watch.Model, opt WatchOptions) (*watch.Noise, error) {
	q, err := s.quiet(ctx, &m, opt, true)
	if err != nil {
		return nil, err
	}
	return q.noise, nil
}

// quiet is what quiet logs say.
type quiet struct {
	noise     *watch.Noise
	settings  *project.Settings // that read the log to be watched: declarations that name channels of given quiet logs need not have theirs in it
	speeds    bool              // the noise is that with measured velocities
	disturbed string            // the log, joint and stretch that is not quiet
}

// quiet measures the noise of quiet logs, with measured velocities if they are asked for and all quiet logs have them. It completes the model
// by how well the gains of the quiet logs are known.
func (s *Saved) quiet(ctx context.Context, m *watch.Model, opt WatchOptions, speeds bool) (out quiet, err error) {
	logs, fitted, others := opt.Quiet, *s.Fitted, s.Settings
	if len(logs) == 0 {
		var missing []string
		if logs, missing = s.trained(); len(missing) > 0 {
			return out, hint.New("%s: the noise is measured on the logs that trained the result, but %s is neither beside it nor here: name a log of the quiet robot by {quiet-log} LOG", s.Folder, missing[0])
		}
		fitted.Settings = fitted.Settings.ForItsLogs()
	} else {
		fitted.Settings = fitted.Settings.BeforeOthers()
	}
	ses, done, err := fitted.Sessions(ctx, logs)
	if err != nil {
		return out, err
	}
	defer done()
	if len(opt.Quiet) > 0 {
		var tables []*datasets.Log
		for i := range ses.Runs {
			tables = append(tables, ses.Runs[i].Log)
		}
		others = others.BehindOthers(tables...)
	}
	for i := range ses.Runs {
		speeds = speeds && ses.Runs[i].HasVelocities()
	}
	c, left := watch.NewCalibrator(*m, opt.Bandwidth), 0
	var of []int                                                     // the run of each piece
	squares, rows := make([]float64, len(s.Fitted.Result.Joints)), 0 // of the torques
	for i := range ses.Runs {
		run := &ses.Runs[i]
		log := run.Log
		if log.Rows() > mostQuietRows {
			log = log.Slice(0, mostQuietRows)
		}
		var r rates
		cols, err := columnsOf(run, log, &r, speeds)
		if err != nil {
			return out, err
		}
		m.GainSigma = gainSigma(run)
		sound, out := pieces(cols, *m)
		for _, piece := range sound {
			c.Add(piece)
			of = append(of, i)
			rows += len(piece.T)
			for j, x := range piece.Tau {
				for _, v := range x {
					squares[j] += v * v
				}
			}
		}
		left += out
	}
	n, err := c.Noise()
	if err != nil {
		return out, fmt.Errorf("%s: %w", logs[0], err)
	}
	n.LeftOut = left
	var all, noise float64 // squares over all joints
	for j, f := range n.Floor {
		size, usual := math.Sqrt(squares[j]/float64(rows)), slices.Sorted(slices.Values(f))[len(f)/2]
		if usual > unexplainedJoint*size {
			unit := "" // results of earlier versions have none
			if j < len(s.Fitted.Result.JointUnits) {
				unit = " " + s.Fitted.Result.JointUnits[j]
			}
			return out, fmt.Errorf("%s: the result leaves %.3g%s of the torque of joint %s unexplained, of %.3g in all: the quiet log is of another robot, or in other units or signs",
				logs[0], usual, unit, s.Fitted.Result.Joints[j], size)
		}
		all, noise = all+size*size, noise+usual*usual
	}
	if share := math.Sqrt(noise / all); share > watch.LeastUnexplained {
		return out, fmt.Errorf("%s: the result does not explain %.0f %% of all torques: the quiet log is of another robot, or in other units or signs", logs[0], 100*share)
	}
	out = quiet{noise: n, settings: others, speeds: speeds}
	if d := n.Disturbed; d != nil {
		run := &ses.Runs[of[d.Piece]]
		begin, err := run.Log.Column(run.Roles.T)
		if err != nil {
			return out, err
		}
		out.disturbed = fmt.Sprintf("%s: from %.4g to %.4g s the external torque of joint %s is up to %.0f times as large as usual, so contacts may be missed: take a quiet log in which nothing touches the robot",
			run.Name, d.From-begin[0], d.To-begin[0], s.Fitted.Result.Joints[d.Joint], d.Times)
	}
	return out, nil
}

// undeclaredGain is the relative deviation of gains for which none is stated. The tolerance of torque constants in data sheets is a tenth, and the
// logarithms of two published sets of gains of the UR10e's joints are 0.19 apart (root mean square of the five joints with neither on a bound): 0.14 each.
const undeclaredGain = 0.14

// gainSigma returns how well the factors are known that make the torques of a run; nil if these are taken as exact.
func gainSigma(run *observation.Run) []float64 {
	if run.GainSigma != nil || run.Gains == nil {
		return run.GainSigma
	}
	return slices.Repeat([]float64{undeclaredGain}, len(run.Gains))
}

// unexplainedJoint is the ratio of the usual noise of a joint, that of the middle bin of speeds, to its torque in the quiet logs, above which the result
// does not explain these logs: a model that explains nothing leaves the torques themselves, and noisy velocities add to that of joints with small
// torques. Of all joints together it is [watch.LeastUnexplained].
const unexplainedJoint = 3

// mostQuietRows is the largest number of rows read from a quiet log: half an hour at 1 kHz.
const mostQuietRows = 2_000_000

// trained returns the training logs found beside the result's folder or in the current one, and the names of missing
// ones.
func (s *Saved) trained() (found, missing []string) {
	for _, l := range s.Fitted.Result.Logs {
		if l.Role != "train" {
			continue
		}
		at := slices.IndexFunc([]string{filepath.Dir(s.Folder), "."}, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, l.File))
			return err == nil && l.File != ""
		})
		switch path := filepath.Join([]string{filepath.Dir(s.Folder), "."}[max(at, 0)], l.File); {
		case at < 0:
			missing = append(missing, l.Name)
		case !slices.Contains(found, path):
			found = append(found, path)
		}
	}
	return found, missing
}

// rates differences positions where a log has no velocities: by a low-pass of a quarter of the sampling rate, rad/s, causally, because
// a stream has no rows yet for the filters of observation.
type rates struct {
	begun   bool
	t       float64
	last, v []float64
	jumped  []int     // rows since a position that no joint reaches
	most    []float64 // by joint: a larger rate is none; nil for no bound
}

// columnsOf converts the rows of a log for package watch; gains convert currents to torques. Velocities are those of the log if it has them and
// they are asked for, otherwise differences of the positions.
func columnsOf(run *observation.Run, l *datasets.Log, r *rates, speeds bool) (watch.Columns, error) {
	joints := len(run.Roles.Q)
	names := slices.Concat([]string{run.Roles.T}, run.Roles.Q, run.Torques())
	speeds = speeds && run.HasVelocities()
	if speeds {
		names = append(names, run.Roles.DQ...)
	}
	cols, err := l.Columns(names...)
	if err != nil {
		return watch.Columns{}, err
	}
	for i := range cols {
		cols[i] = slices.Clone(cols[i])
	}
	c := watch.Columns{T: cols[0], Q: cols[1 : 1+joints], Tau: cols[1+joints : 1+2*joints]}
	if speeds {
		c.DQ = cols[1+2*joints:]
	} else {
		c.DQ = r.of(c.T, c.Q)
	}
	for j := range c.Tau {
		run.Torque(c.Tau[j], j, c.Tau[j], c.DQ[j])
	}
	return c, nil
}

// of returns the velocities of positions. Values and times that are no numbers, and steps that no joint makes, change no velocity; a position that
// stays where it has jumped to counts behind ten rows.
func (r *rates) of(t []float64, q [][]float64) [][]float64 {
	if !r.begun && len(t) > 0 {
		r.begun, r.t = true, t[0]
		r.last, r.v, r.jumped = make([]float64, len(q)), make([]float64, len(q)), make([]int, len(q))
		for j := range q {
			r.last[j] = q[j][0]
		}
	}
	out := make([][]float64, len(q))
	for j := range q {
		out[j] = make([]float64, len(t))
	}
	for k := range t {
		dt := t[k] - r.t
		for j := range q {
			switch v := (q[j][k] - r.last[j]) / dt; {
			case math.IsNaN(q[j][k]) || math.IsInf(q[j][k], 0):
			case math.IsNaN(r.last[j]) || math.IsInf(r.last[j], 0):
				r.last[j] = q[j][k] // the first number
			case !(dt > 0):
				r.last[j] = q[j][k]
			case math.Abs(v) <= math.MaxFloat64 && (r.most == nil || math.Abs(v) <= r.most[j]):
				r.v[j] += 0.25 * (v - r.v[j])
				r.last[j], r.jumped[j] = q[j][k], 0
			default:
				if r.jumped[j]++; r.jumped[j] > 10 {
					r.last[j], r.v[j], r.jumped[j] = q[j][k], 0, 0
				}
			}
			out[j][k] = r.v[j]
		}
		if dt > 0 && dt <= math.MaxFloat64 || dt < 0 {
			r.t = t[k]
		}
	}
	return out
}

// pieces cuts columns where rows are missing or not sound, and counts the rows left out: the noise is measured in rows that a stream
// is judged by, which those of observation.Segments are not.
func pieces(c watch.Columns, m watch.Model) (list []watch.Columns, out int) {
	var steps []float64
	for k := 1; k < len(c.T); k++ {
		if step := c.T[k] - c.T[k-1]; step > 0 && step <= math.MaxFloat64 {
			steps = append(steps, step)
		}
	}
	if len(steps) == 0 {
		return nil, len(c.T)
	}
	slices.Sort(steps)
	median := steps[len(steps)/2]
	bounds := watch.BoundsOf(m.Linear(), 1/median, c)
	from := 0
	for k := 0; k <= len(c.T); k++ {
		end := k == len(c.T) || !bounds.Sound(&c, k)
		if !end && (k == from || c.T[k] > c.T[k-1] && c.T[k]-c.T[k-1] < 10*median) {
			continue
		}
		if k > from {
			list = append(list, c.Slice(from, k))
		}
		if from = k; end {
			from = k + 1
			if k < len(c.T) {
				out++
			}
		}
	}
	return list, out
}

// Log processes a complete log of any format.
func (w *Watching) Log(ctx context.Context, path string) error {
	fitted := *w.saved.Fitted
	fitted.Settings = w.settings
	ses, done, err := fitted.Sessions(ctx, []string{path})
	if err != nil {
		return err
	}
	defer done()
	for i := range ses.Runs {
		run := &ses.Runs[i]
		if err := w.take(ctx, ses, run); err != nil {
			return err
		}
		for at := 0; at < run.Log.Rows(); at += logRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.Rows(ctx, run.Log.Slice(at, min(at+logRows, run.Log.Rows()))); err != nil {
				return err
			}
		}
	}
	return w.Finish(w.tell)
}

// logRows is how many rows of a complete log are read at a time.
const logRows = 4096

// take starts with a run, whose joints must be those of the result. If the first run has no velocities, the noise is measured without them.
func (w *Watching) take(ctx context.Context, ses *project.Session, run *observation.Run) error {
	if got, want := project.JointNames(ses.Robot), w.saved.Fitted.Result.Joints; !slices.Equal(got, want) {
		return fmt.Errorf("%s has the joints %v, the result %v: map its channels with {map}", run.Name, got, want)
	}
	w.run = run
	if w.rows == 0 && w.speeds && !run.HasVelocities() { // differences of positions have other noise than measured velocities
		w.speeds = false
		_, err := w.calibrate(ctx)
		return err
	}
	return nil
}

// Take processes lines as they come; final says that there will be no more. No lines before that are a stream that has
// stopped: an event. Lines that are no rows are left out, and are an event too.
func (w *Watching) Take(ctx context.Context, text []byte, final bool) error {
	if len(text) == 0 && !final {
		return w.Stopped(w.tell)
	}
	err := w.sections(text, func(p section) error { return w.section(ctx, p) })
	if err == nil && len(text) > 0 && !final && !w.silent && time.Since(w.heard) > time.Second {
		w.silent = true
		err = w.Stopped(w.tell)
	}
	if err != nil || !final {
		return err
	}
	return w.Finish(w.tell)
}

// Again expects that the next text begins with the names of the channels: the file was rotated.
func (w *Watching) Again() { w.again() }

// tell hands on a row.
func (w *Watching) tell(row *watch.Row) error { return w.each(w, row) }

// section processes lines under one line of names.
func (w *Watching) section(ctx context.Context, p section) error {
	if most := int(w.latest * w.Noise.RateHz); most > 0 {
		if rows := bytes.Count(p.text, []byte{'\n'}); rows > most {
			for range rows - most {
				p.text = p.text[bytes.IndexByte(p.text, '\n')+1:]
			}
			p.first += rows - most
			w.rows += rows - most
			w.Lost(rows-most, false, fmt.Sprintf("%d rows are left out: they came faster than they were read", rows-most))
		}
	}
	log, lost, err := w.log(p)
	if err != nil {
		return err
	}
	if log == nil {
		for i := range lost {
			w.Lost(lost[i].lines, true, lost[i].text())
		}
		return w.Told(w.tell)
	}
	return w.with(ctx, log, lost)
}

// Rows processes rows of a log, which must follow the previous ones.
func (w *Watching) Rows(ctx context.Context, log *datasets.Log) error { return w.with(ctx, log, nil) }

// with processes rows of a log and the lines that were no rows among them.
func (w *Watching) with(ctx context.Context, log *datasets.Log, lost []lost) error {
	if log.Rows() == 0 {
		return nil
	}
	if w.run == nil || !bytes.Equal(w.under, w.names) {
		f := w.saved.Fitted
		ses, err := project.Prepare(ctx, w.settings, f.Source, []*datasets.Log{log}, project.UseOf(f.Terms))
		if err == nil {
			err = w.take(ctx, ses, &ses.Runs[0])
		}
		switch {
		case err != nil && w.rows == 0:
			return err
		case err != nil: // a logger that has begun again with other channels
			w.Lost(log.Rows(), true, fmt.Sprintf("the channels that line %d names cannot be watched: %v", w.line, err))
			return w.Told(w.tell)
		}
		w.under = w.names
	}
	cols, err := columnsOf(w.run, log, &w.rates, w.speeds)
	if err != nil {
		return fmt.Errorf("%s, after row %d: %w", w.name, w.rows, err)
	}
	w.rows += len(cols.T)
	defer func() { w.heard, w.silent = time.Now(), false }()
	k := 0
	each := func(row *watch.Row) error {
		w.q = w.q[:0]
		for j := range cols.Q {
			w.q = append(w.q, cols.Q[j][k])
		}
		k++
		return w.each(w, row)
	}
	at := 0
	for i := range lost {
		if after := lost[i].after; after > at {
			if err := w.add(cols.Slice(at, after), each); err != nil {
				return err
			}
			at = after
		}
		w.Lost(lost[i].lines, true, lost[i].text())
	}
	if at < len(cols.T) {
		if at > 0 {
			return w.add(cols.Slice(at, len(cols.T)), each)
		}
		return w.add(cols, each)
	}
	return w.Told(w.tell)
}

// add takes in rows. Where their units are others, the error names the log and the setting.
func (w *Watching) add(c watch.Columns, each func(*watch.Row) error) error {
	err := w.Add(c, each)
	if unit := watch.UnitError(""); errors.As(err, &unit) {
		return hint.New("%s: %w with {units}", w.name, err)
	}
	return err
}

// Wrench returns the external wrench at the newest row: see watch.Watcher.Wrench.
func (w *Watching) Wrench() ([6]float64, float64, bool) { return w.Watcher.Wrench(w.q) }

// Close releases the current rows.
func (w *Watching) Close() { w.close() }
