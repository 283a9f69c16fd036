package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ident/doctor"
	"ident/identify"
	"ident/identify/project"
	"ident/internal/finite"
	"ident/watch"
)

func newWatch(s streams) *cobra.Command {
	f := s.flags()
	opt := identify.WatchOptions{}
	var alarms string
	v := watchView{s: s}
	c := &cobra.Command{
		Use:   "watch RESULT [LOG|-]",
		Short: "watch a robot by a result: contacts, payloads, drift, faults of sensors",
		Long: `Watch a robot by the model of a result. A log of any format is read to its end; standard
input (-, the default) and, with --follow, a growing file are CSV, taken as their rows come.
A momentum observer estimates the external torque of each joint without accelerations; its
deviation in each row follows from the covariance of the parameters and from the noise at
that speed. Events are contact, collision, payload (mass, centre), load-or-contact (a force
downwards that may yet be a load), drift (friction, offset), sensor, blind (for a time no
row is watched) and end. The external torque is the whole one; what a payload that is
certain leaves of it is the field unexplained.

Where a log has contacts, payloads or drift, the checks name what may have changed, beside the
bodies of the result: a load, a zero, a torque's factor, the mount (as ident validate does).

A row with what no robot can do is left out, and a line of a stream that is no row too; each is a
sensor event, told when it begins and, if it lasts, when it is over. A file that is rotated is
followed. If no row was watched at all the exit code is 3.

Thresholds follow from the rate of false alarms that you state with --false-alarms, and from quiet
logs: without contacts, payloads and faults, at the rate of the robot that is watched. They are
the logs that trained the result, where these lie beside its folder or in the current one, or those
of --quiet-log. With ten minutes of them the rate is about the stated one, with less at most that.

With --json every row is a line; --every SECONDS prints fewer, but always rows with an event.`,
		Example: `  ident watch log.ident other.csv
  cat other.csv | ident watch log.ident - --quiet-log log.csv --json --every 0.1
  ident watch log.ident other.csv --false-alarms 1/24h --html events.html`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if opt.FalseAlarms, err = alarmRate(alarms); err != nil {
				return usagef("--false-alarms: %w", err)
			}
			saved, err := identify.OpenResult(args[0], s.inUse.seals)
			if err != nil {
				return err
			}
			if err := f.apply(saved.Settings); err != nil {
				return err
			}
			v.alarms = opt.FalseAlarms
			v.json, v.everyRow = f.json, !c.Flags().Changed("every")
			path := "-"
			if len(args) > 1 {
				path = args[1]
			}
			if err := saved.Settings.CheckReadings(append(opt.Quiet, path)...); err != nil {
				return err
			}
			return watchLog(c.Context(), saved, path, opt, &v)
		},
	}
	f.settings(c, project.Logs)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&alarms, "false-alarms", "1/h", "rate of false alarms on a quiet robot: 1/h, 2/d, 1/24h")
	fl.StringSliceVar(&opt.Quiet, quietLogFlag, nil, "quiet logs, from which the noise is measured (default: those that trained the result)")
	addNumber(fl, &v.every, "every", "SECONDS", 1, 0, 1e6, "seconds of the log from line to line (default 1; with --json every row)")
	addNumber(fl, &opt.Latest, "latest", "SECONDS", 0, 0, 1e6, "if rows have piled up, take only the latest, of this many seconds, and count the others (default 0: take all)")
	addNumber(fl, &opt.Bandwidth, "bandwidth", "rad/s", 0, 0, 1e4, "bandwidth of the observer, rad/s (default 100, or the rate of the rows in Hz where that is less)")
	fl.StringVar(&v.html, "html", "", "page to write at the end: the events and the external torques")
	fl.BoolVar(&v.follow, "follow", false, "go on as the file grows, a CSV log, until you stop it")
	return c
}

// alarmRate reads a rate of events in events an hour: 1/h, 2/d, 1/24h.
func alarmRate(text string) (float64, error) {
	count, per, ok := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(count, 64)
	if per == "h" || per == "d" || per == "min" {
		per = "1" + per
	}
	per = strings.Replace(per, "min", "m", 1)
	seconds, bad := windowSeconds(per)
	if !ok || err != nil || bad != nil || !(n > 0) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("%q is not a rate like 1/h, 2/d or 1/24h", text)
	}
	return n * 3600 / seconds, nil
}

// watchLog watches along a log.
func watchLog(ctx context.Context, saved *identify.Saved, path string, opt identify.WatchOptions, v *watchView) error {
	var w *identify.Watching
	if err := v.s.during("measuring the noise on quiet logs", func() (err error) {
		w, err = saved.Watch(ctx, path, opt, v.row)
		return err
	}); err != nil {
		return err
	}
	defer w.Close()
	if n := w.Noise.LeftOut; n > 0 {
		v.s.warn("%d rows of the quiet logs are left out: they hold what no robot can do", n)
	}
	if w.Disturbed != "" {
		v.s.warn("%s", w.Disturbed)
	}
	v.head(w)
	v.lines, v.next = bufio.NewWriter(v.s.data), math.Inf(-1)
	var err error
	if path == "-" || v.follow {
		err = tail(ctx, v.s, path, time.Duration(v.gather()*float64(time.Second)), writtenAtOnce{w, v.lines})
	} else {
		err = w.Log(ctx, path)
	}
	if err == nil && path != "-" && !v.follow && v.differs() {
		v.found, err = w.Changed(ctx, path)
		// What is unexplained without a payload is not so beside it.
		v.found = slices.DeleteFunc(v.found, func(f project.Finding) bool {
			byLoad := v.counts[watch.Payload] > 0 && len(f.Nearest) > 0 && f.Nearest[0].ID == doctor.Payload
			return f.ID == doctor.Unexplained && (byLoad || v.weighed())
		})
	}
	if err != nil {
		v.lines.Flush() // the rows before are as good as ever
		return err
	}
	return v.end(w)
}

// gather returns for how many seconds rows of a stream are collected before they are processed together. It is zero if each
// row has its line, because a program may act on it.
func (v *watchView) gather() float64 {
	if v.json && v.everyRow {
		return 0
	}
	return min(v.every, 0.02)
}

// writtenAtOnce writes the lines of each piece of a stream before the next piece is waited for.
type writtenAtOnce struct {
	*identify.Watching
	lines *bufio.Writer
}

// Take takes a piece of the stream and writes the lines that it gave.
func (w writtenAtOnce) Take(ctx context.Context, text []byte, final bool) error {
	err := w.Watching.Take(ctx, text, final)
	if bad := w.lines.Flush(); err == nil {
		err = bad
	}
	return err
}

// watchView prints what is watched.
type watchView struct {
	s        streams
	json     bool
	alarms   float64       // stated, an hour
	begun    bool          // a line is written
	lines    *bufio.Writer // of JSON
	everyRow bool
	follow   bool
	html     string
	page     identify.WatchPage
	every    float64
	next     float64
	rows     int
	counts   map[watch.Kind]int
	found    []project.Finding // of a log whose robot differs from the result's
}

// differs reports whether events say that the robot is not the one that was identified, or that something touches it.
func (v *watchView) differs() bool {
	for _, k := range []watch.Kind{watch.Drift, watch.Contact, watch.Collision, watch.LoadOrContact, watch.Payload} {
		if v.counts[k] > 0 {
			return true
		}
	}
	return false
}

// weighed reports whether each contact turned out to be a payload that was picked up, changed or put down.
func (v *watchView) weighed() bool {
	return v.counts[watch.Payload] > 0 && v.counts[watch.Contact]+v.counts[watch.Collision] <= v.counts[watch.Payload] && v.counts[watch.Drift] == 0
}

// watchLine is a line of --json. Numbers that are not known are null.
type watchLine struct {
	Schema   string     `json:"schema"`
	T        *float64   `json:"t"`
	Residual []*float64 `json:"residual"`
	Sigma    []*float64 `json:"sigma"`
	Observer []*float64 `json:"observer"`
	// Unexplained is what a confirmed payload and changes of friction that were told leave of the external torques.
	Unexplained []*float64 `json:"unexplained"`
	Wrench      []float64  `json:"wrench,omitempty"`
	// Condition is the condition number of the wrench's directions at the pose; above 1000 there is no wrench.
	Condition *float64      `json:"wrench_condition,omitempty"`
	Payload   *watch.Body   `json:"payload,omitempty"`
	Events    []watch.Event `json:"events"`
	// FalseAlarms is in the first line: the rate on a quiet robot for which the thresholds are.
	FalseAlarms *alarmsLine `json:"false_alarms,omitempty"`
	// Findings, in a last line without a row, name causes of a complete log beside the bodies of the result.
	Findings []project.Finding `json:"findings,omitempty"`
}

// alarmsLine is a rate of false alarms.
type alarmsLine struct {
	PerHour float64 `json:"per_hour"`
	// AtMost says that the rate is a bound, as the quiet logs are shorter than ten minutes.
	AtMost bool `json:"at_most"`
}

func (v *watchView) head(w *identify.Watching) {
	if v.json {
		return
	}
	alarms := "about the stated rate of false alarms"
	if w.Noise.AtMost() {
		alarms = "at most the stated rate of false alarms, as the quiet logs are shorter than ten minutes"
	}
	fmt.Fprintf(v.s.out, "noise of %.3g s of quiet logs at %.4g Hz; observer of %.3g rad/s; %s\n", w.Noise.Seconds, w.Noise.RateHz, w.Noise.Bandwidth, alarms)
	for _, t := range w.Noise.Tests {
		if t.Unfit != "" {
			v.s.warn("%s: slow changes are not watched", t.Unfit)
			break
		}
	}
}

// row prints what a row says.
func (v *watchView) row(w *identify.Watching, row *watch.Row) error {
	if !row.Extra {
		v.rows++
	}
	if v.html != "" {
		v.page.Add(w, row)
	}
	for _, e := range row.Events {
		if v.counts == nil {
			v.counts = map[watch.Kind]int{}
		}
		if !e.Over {
			v.counts[e.Type]++
		}
	}
	due := (row.T >= v.next || row.T < v.next-v.every) && (v.json || !math.IsNaN(row.Observer[0])) // a clock may go back
	if due {
		v.next = row.T + v.every
	}
	if v.json {
		if !v.everyRow && !due && len(row.Events) == 0 {
			return nil
		}
		line := lineOf(w, row)
		if !v.begun {
			v.begun, line.FalseAlarms = true, &alarmsLine{v.alarms, w.Noise.AtMost()}
		}
		return json.NewEncoder(v.lines).Encode(line)
	}
	for _, e := range row.Events {
		if _, err := fmt.Fprintf(v.s.out, "t = %.3f s  %s\n", e.T, e.Text); err != nil {
			return err
		}
	}
	if !due {
		return nil
	}
	text := fmt.Sprintf("t = %.2f s  external torque", row.T)
	for j, x := range row.Observer {
		text += fmt.Sprintf(" %.2g±%.1g", x, row.Sigma[j])
	}
	if row.Payload != nil {
		text += fmt.Sprintf("  payload %.3g ± %.2g kg", row.Payload.Mass, row.Payload.Sigma)
	}
	_, err := fmt.Fprintln(v.s.out, text)
	return err
}

// lineOf returns the line of a row. JSON holds no NaN and no infinity: such numbers are null, or left out.
func lineOf(w *identify.Watching, row *watch.Row) watchLine {
	line := watchLine{Schema: "ident.watch/1", T: finite.OrNil(row.T), Residual: numbers(row.Residual), Sigma: numbers(row.Sigma), Observer: numbers(row.Observer), Unexplained: numbers(row.Unexplained), Events: []watch.Event{}}
	if b := row.Payload; b != nil && known(b.Mass, b.Sigma, b.Centre[0], b.Centre[1], b.Centre[2]) {
		line.Payload = b
	}
	for _, e := range row.Events {
		for _, x := range []*float64{&e.T, &e.Z, &e.Limit, &e.Force, &e.Sigma, &e.Since, &e.Until} {
			if !known(*x) {
				*x = 0
			}
		}
		if e.Mass != nil && !known(*e.Mass) {
			e.Mass = nil
		}
		if c := e.Centre; c != nil && !known(c[0], c[1], c[2]) {
			e.Centre = nil
		}
		line.Events = append(line.Events, e)
	}
	wrench, condition, ok := w.Wrench()
	if ok && known(wrench[:]...) {
		line.Wrench = wrench[:]
	}
	line.Condition = finite.OrNil(condition)
	return line
}

// known reports whether numbers are neither NaN nor infinite.
func known(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// numbers are values for JSON, which has no NaN.
func numbers(x []float64) []*float64 {
	out := make([]*float64, len(x))
	for i := range x {
		if known(x[i]) {
			out[i] = &x[i]
		}
	}
	return out
}

// end writes the page and prints the counts of events.
func (v *watchView) end(w *identify.Watching) error {
	if v.html != "" {
		if err := v.page.Write(v.html, v.s.command, w); err != nil {
			return err
		}
	}
	var verdict error
	if w.Watched() == 0 {
		v.s.warn("no row was watched: %d came", v.rows)
		verdict = errVerdict
	}
	if v.json {
		var err error
		if len(v.found) > 0 {
			err = json.NewEncoder(v.lines).Encode(watchLine{Schema: "ident.watch/1", Residual: []*float64{}, Sigma: []*float64{}, Observer: []*float64{}, Unexplained: []*float64{}, Events: []watch.Event{}, Findings: v.found})
		}
		return errors.Join(err, v.lines.Flush(), verdict)
	}
	printFindings(v.s, v.found, 1)
	text := fmt.Sprintf("%d rows", v.rows)
	for _, k := range slices.Sorted(maps.Keys(v.counts)) {
		text += fmt.Sprintf(", %d %s", v.counts[k], k)
	}
	if len(v.counts) == 0 {
		text += ", no events"
	}
	_, err := fmt.Fprintln(v.s.out, text)
	return errors.Join(err, verdict)
}
