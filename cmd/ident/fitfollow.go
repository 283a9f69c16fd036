package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"ident/cmd/ident/internal/pipe"
	"ident/datasets"
	"ident/estimate"
	"ident/identify"
	"ident/observation"
	"ident/project"
)

// reportSeconds is how often, in time of the log, a running estimate is printed.
const reportSeconds = 5

// follow reads a growing CSV file, or standard input for "-", and prints the
// running estimate, until the input ends or the user does.
func follow(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions, asJSON bool) error {
	switch {
	case len(paths) != 1:
		return usagef("--follow reads one log, or - for standard input")
	case p.Estimator != "" && p.Estimator != "wls" && p.Estimator != "recursive":
		return usagef("--follow has an estimator of its own: leave out --estimator %s", p.Estimator)
	case len(p.Validate) > 0 || p.TrainFraction > 0 || p.Consistent == project.Yes || len(p.Rows) > 0 || several(p.Model) || p.Periodic != "":
		return usagef("--follow prints a running estimate: --validate, --train-fraction, --physically-consistent, --rows, --periodic and several models need the whole log")
	}
	p.Estimator = "recursive"
	if err := project.CheckFit(p); err != nil {
		return err
	}
	in, grows := s.in, false
	if paths[0] != "-" {
		f, err := os.Open(paths[0])
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
		defer f.Close()
		in, grows = f, true
	}
	r := &running{s: s, p: p, opt: opt, asJSON: asJSON, name: paths[0]}
	defer r.close()
	err := pipe.Tail(ctx, in, grows, func(text []byte, final bool) error { return r.take(ctx, text, final) })
	if err != nil {
		return err
	}
	return r.finish()
}

// running is a log that is followed.
type running struct {
	s      streams
	p      *project.Settings
	opt    fitOptions
	asJSON bool
	name   string

	header []byte // up to and with the line that names the channels
	named  bool   // that line has been read
	early  []byte // rows that have not been enough to begin with
	follow *identify.Online
	every  int // rows between reports
	rows   int
	file   *datasets.Log // the rows at hand
}

func (r *running) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// open makes a log of some rows, by the same reader that complete logs have.
func (r *running) open(rows []byte) (*datasets.Log, error) {
	r.close()
	r.file = nil
	text := append(slices.Clone(r.header), rows...)
	log, err := project.OpenReader(r.p, bytes.NewReader(text), int64(len(text)), followedName(r.name))
	if err != nil {
		return nil, fmt.Errorf("%s, after row %d: %w", r.name, r.rows, err)
	}
	r.file = log
	return log, nil
}

// followedName names the text of a followed log, which is CSV or TSV whatever its
// extension.
func followedName(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".csv", ext == ".tsv", ext == ".txt":
		return path
	case path == "-":
		return "stdin.csv"
	}
	return path + ".csv"
}

// take works on rows as they come.
func (r *running) take(ctx context.Context, text []byte, final bool) error {
	for !r.named {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			return nil // nothing but the beginning of the first line
		}
		r.header, r.named, text = append(r.header, text[:end]...), text[0] != '#', text[end:]
	}
	if r.follow == nil {
		r.early = append(r.early, text...)
		if len(r.early) == 0 {
			return nil
		}
		log, err := r.open(r.early)
		if err != nil {
			return err
		}
		if err := r.begin(ctx, log, final); err != nil || r.follow == nil {
			return err
		}
		r.early = nil
		return r.add(log)
	}
	if len(text) == 0 {
		return nil
	}
	log, err := r.open(text)
	if err != nil {
		return err
	}
	return r.add(log)
}

// begin opens the running estimate by the first rows, once they are enough.
func (r *running) begin(ctx context.Context, log *datasets.Log, final bool) error {
	ses, terms, err := project.OpenSession(ctx, r.p, r.opt.robotGiven, log)
	if err != nil {
		return err
	}
	head := ses.Runs[0]
	t, err := log.Column(head.Roles.T)
	if err != nil {
		return err
	}
	if !identify.Enough(t) {
		if final {
			return fmt.Errorf("%s: %d rows are too few to begin with", r.name, len(t))
		}
		return nil
	}
	kinds, err := project.Models(r.p)
	if err != nil {
		return err
	}
	cfg := project.ConfigOf(r.p, log, head.Roles.T)
	cfg.Model = kinds[0]
	head.Name = r.name
	if r.follow, err = identify.NewOnline(ctx, ses.Robot, terms, head, cfg, r.p.Memory); err != nil {
		return err
	}
	r.every = max(1, int(math.Round(reportSeconds*observation.Rate(log, head.Roles.T))))
	for _, w := range ses.Warnings {
		r.s.warn("%s", w)
	}
	r.s.note("the estimate is %.2g s behind the newest row", r.follow.Delay())
	return nil
}

// add hands rows on, and prints the estimate wherever it is due.
func (r *running) add(log *datasets.Log) error {
	for at := 0; at < log.Rows(); {
		end := min(log.Rows(), at+r.every-r.rows%r.every)
		if err := r.follow.Add(log.Slice(at, end)); err != nil {
			return err
		}
		r.rows += end - at
		at = end
		if r.rows%r.every == 0 {
			if err := r.print(); err != nil {
				return err
			}
		}
	}
	return nil
}

// followed is a line of --json.
type followed struct {
	Schema       string              `json:"schema"`
	T            float64             `json:"t"`
	Rows         float64             `json:"rows"` // remembered
	ErrorPercent float64             `json:"error_percent"`
	Parameters   []followedParameter `json:"parameters"`
}

type followedParameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// print writes a line on the present estimate.
func (r *running) print() error {
	now, err := r.follow.Estimate()
	var rank *estimate.RankError
	switch {
	case errors.As(err, &rank), errors.Is(err, estimate.ErrNoData):
		if !r.asJSON {
			fmt.Fprintf(r.s.out, "after %d rows: %v\n", r.rows, err)
		}
		return nil
	case err != nil:
		return err
	}
	if r.asJSON {
		doc := followed{Schema: "ident.follow/1", T: now.Time, Rows: now.Rows, ErrorPercent: now.Percent}
		for k, v := range now.X {
			doc.Parameters = append(doc.Parameters, followedParameter{r.follow.Set.Name(k), v, math.Sqrt(now.Covariance[k][k])})
		}
		return json.NewEncoder(r.s.data).Encode(doc)
	}
	known := 0
	for k, v := range now.X {
		if math.Sqrt(now.Covariance[k][k]) < 0.3*math.Abs(v) {
			known++
		}
	}
	_, err = fmt.Fprintf(r.s.out, "t = %.2f s: %.0f rows leave %.3g %%; %d of %d parameters are known to 30 %%\n", now.Time, now.Rows, now.Percent, known, len(now.X))
	return err
}

// finish reduces the end of the log and prints the last estimate whole.
func (r *running) finish() error {
	if r.follow == nil {
		return fmt.Errorf("%s: no rows", r.name)
	}
	if err := r.follow.Close(); err != nil {
		return err
	}
	if err := r.print(); err != nil || r.asJSON {
		return err
	}
	now, err := r.follow.Estimate()
	if err != nil {
		return explainFollowed(err, r.follow)
	}
	w := tabwriter.NewWriter(r.s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "link\tname\tvalue\tsigma\trel. %\tunit\t")
	for k, v := range now.X {
		col := r.follow.Set.Columns[r.follow.Set.Base[k]]
		sigma := math.Sqrt(now.Covariance[k][k])
		fmt.Fprintf(w, "%s\t%s\t%.5g\t%.2g\t%.3g\t%s\t\n", col.Owner, r.follow.Set.Name(k), v, sigma, 100*sigma/math.Abs(v), col.Unit)
	}
	return w.Flush()
}

// explainFollowed names the parameters that the rows have not determined.
func explainFollowed(err error, f *identify.Online) error {
	var rank *estimate.RankError
	if !errors.As(err, &rank) {
		return err
	}
	names := ""
	for i, c := range rank.Undetermined {
		if i > 0 {
			names += ", "
		}
		names += f.Set.Name(c)
	}
	return fmt.Errorf("%w; not determined alone: %s", err, names)
}
