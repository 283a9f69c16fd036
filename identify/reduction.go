package identify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"ident/datasets"
	"ident/estimate/summary"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/textfile"
	"ident/observation"
)

// ReduceOptions say how logs become a summary. The zero value chooses the signal path from the logs and bounds the
// number of time blocks.
type ReduceOptions struct {
	Like      *summary.Summary // summary whose signal path is used; summaries can be merged only if their signal paths are the same
	Start     float64          // time of the first row, seconds since 1970-01-01 UTC; only for a single log; 0 keeps the log's own clock and its date
	AllBlocks bool             // do not merge time blocks
	Force     bool             // reduce logs with errors too
	// Inspect, if not nil, may refuse the mapped logs. Refuse, if not nil, decides on their findings; otherwise errors
	// are refused.
	Inspect func(*project.Job) error
	Refuse  func([]project.Finding) error
}

// Number of fingerprints kept of a run: one in rowsPerPrint rows, by their hashes. Common samples of two runs are found
// if there are some three times as many.
const (
	rowsPerPrint = 64
	fewestPrints = 64
	maxPrints    = 16384
)

// Reduce checks the logs and reduces them to a summary: the factors of their time blocks, with their robot, model and
// signal path. If logs have errors and the reduction is not forced, the error is a [*project.FindingsError].
func (p *Project) Reduce(ctx context.Context, opt ReduceOptions) (*summary.Summary, error) {
	job, err := p.job(ctx, project.JobOptions{Force: opt.Force, TellApart: true, Inspect: opt.Inspect, Refuse: opt.Refuse})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	cfg := job.Config
	most := summary.FewestBlocks
	if opt.AllBlocks {
		most = 0
	}
	if opt.Like != nil {
		cfg.Fixed = regression.PathOf(opt.Like)
	}
	s, err := regression.Summarise(ctx, job.Session.Robot, job.Terms, job.Train, cfg, most)
	if err != nil {
		return nil, err
	}
	source := job.Session.Source.Source
	s.Robot = summary.Robot{Name: job.Session.Robot.Name, Format: source.Format, SHA256: source.SHA256, Text: string(source.Text)}
	if s.Settings, err = modelSettings(job); err != nil {
		return nil, err
	}
	sums, began := map[string]string{}, s.Runs[0].Start // the first in the order of names, of a log's parts that of time
	for i := range s.Runs {
		own := s.Runs[i].Start // of the log's clock
		if err := describe(ctx, job, &s.Runs[i], sums); err != nil {
			return nil, err
		}
		if opt.Start != 0 {
			s.Runs[i].Start, s.Runs[i].Absolute = opt.Start+own-began, true
		}
	}
	return summary.Merge(s) // in the order of keys that are complete now
}

// describe completes a run with data of its log.
func describe(ctx context.Context, job *project.Job, of *summary.Run, sums map[string]string) error {
	i := slices.IndexFunc(job.Train, func(r regression.Run) bool { return r.Name == of.Name && r.First == of.First })
	if i < 0 {
		return fmt.Errorf("the run %s is not one of the logs", of.Name)
	}
	run := &job.Train[i]
	if of.Absolute = datasets.Dated(of.Start); !of.Absolute {
		var origin float64
		if origin, of.Absolute = run.Log.Origin(run.Roles.T); of.Absolute {
			of.Start += origin
		}
	}
	path := run.Log.Path()
	if _, done := sums[path]; !done {
		sums[path] = fileSum(path)
	}
	of.SHA256 = sums[path]
	for _, f := range job.Findings {
		if f.Log == run.Name {
			of.Findings = append(of.Findings, summary.Finding{ID: f.ID, Severity: string(f.Severity), Joint: f.Joint, Why: f.Why, Fix: f.Advice()})
		}
	}
	rows := max(run.Log.Rows(), 1)
	keep := min(max(rows/rowsPerPrint, fewestPrints), maxPrints)
	bound := uint64(math.MaxUint64)
	if 2*keep < rows { // twice as many as are kept, since their number scatters
		bound = math.MaxUint64 / uint64(rows) * uint64(2*keep)
	}
	prints, err := observation.Fingerprints(ctx, run, bound)
	of.Prints = slices.Clone(prints[:min(len(prints), keep)])
	return err
}

// fileSum returns the hash of a log's file, "" for a pipe or a folder.
func fileSum(path string) string {
	if textfile.Regular(path) != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// modelKeys are the settings that define robot and model, by their keys in a result's configuration.
var modelKeys = []string{"joint_terms", "gravity", "set", "no_snap", "joints", "lock", "assembly", "loops", "still", "carried", "couplings", "known", "seed", "wrench", "contact"}

// modelSettings returns these settings of a job.
func modelSettings(job *project.Job) (json.RawMessage, error) {
	used := *job.Settings
	used.Lock = job.Session.Locked
	all, out := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(used.Record(), &all); err != nil {
		return nil, err
	}
	for _, key := range modelKeys {
		if v, ok := all[key]; ok {
			out[key] = v
		}
	}
	return json.Marshal(out)
}
