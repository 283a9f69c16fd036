package summaries

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/identify"
	"ident/observation"
	"ident/project"
	"ident/summary"
)

// Options of a reduction.
type Options struct {
	RobotGiven bool             // the setting robot wins over a robot in a log
	Like       *summary.Summary // the signal path is its; nil for that of the logs
	Start      float64          // of the log's first row, in seconds since 1970-01-01 UTC, of one log; 0 leaves its own clock
	AllBlocks  bool             // time blocks are not merged
	Force      bool             // logs with errors are reduced too
	Progress   func(stage string, done, total int)
}

// Fingerprints that are kept of a run: one in rowsPerPrint rows, by their hashes. Common samples of two runs are found where there
// are some three times as many.
const (
	rowsPerPrint = 64
	fewestPrints = 64
	mostPrints   = 16384
)

// Of opens logs, has them checked and reduces them. Logs with errors are a *project.FindingsError. The settings may change by
// the findings of the check.
func Of(ctx context.Context, s *project.Settings, paths []string, opt Options) (*summary.Summary, error) {
	if err := project.CheckPaths(paths); err != nil {
		return nil, err
	}
	job, err := project.OpenFit(ctx, s, paths, opt.RobotGiven)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	tellApart(job.Train)
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	found, err := job.Examine(ctx, opt.Progress)
	if err != nil {
		return nil, err
	}
	if refused := project.Refused(s, found); len(refused) > 0 && !opt.Force {
		return nil, &project.FindingsError{Findings: refused}
	}
	s.AdviseCutoff(found)
	return Reduce(ctx, job, opt)
}

// Reduce summarises the training logs of a job that was examined.
func Reduce(ctx context.Context, job *project.Job, opt Options) (*summary.Summary, error) {
	cfg, err := job.Config()
	if err != nil {
		return nil, err
	}
	if opt.Progress != nil {
		cfg.Progress = opt.Progress
	}
	if err := job.ChooseCoupling(ctx, cfg); err != nil {
		return nil, err
	}
	most := summary.FewestBlocks
	if opt.AllBlocks {
		most = 0
	}
	if opt.Like != nil {
		cfg.Path = identify.PathOf(opt.Like)
	}
	s, err := identify.Summarise(ctx, job.Session.Robot, job.Terms, job.Train, cfg, most)
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
		if err := describe(ctx, job, &s.Runs[i], sums); err != nil {
			return nil, err
		}
		if opt.Start != 0 {
			s.Runs[i].Start, s.Runs[i].Absolute = opt.Start+s.Runs[i].Start-began, true
		}
	}
	return summary.Merge(s) // in the order of keys that are complete now
}

// calendar is the least time of a clock that is taken for seconds since 1970-01-01: a day in 2001. No log that counts from its own
// begin is thirty years long.
const calendar = 1e9

// describe completes a run by its log.
func describe(ctx context.Context, job *project.Job, of *summary.Run, sums map[string]string) error {
	i := slices.IndexFunc(job.Train, func(r identify.Run) bool { return r.Name == of.Name && r.First == of.First })
	if i < 0 {
		return fmt.Errorf("the run %s is none of the logs", of.Name)
	}
	run := &job.Train[i]
	of.Absolute = of.Start > calendar && of.Start < 100*calendar
	path := run.Log.Path()
	if _, done := sums[path]; !done {
		sums[path] = fileSum(path)
	}
	of.SHA256 = sums[path]
	for _, f := range job.Findings {
		if f.Log == run.Name {
			of.Findings = append(of.Findings, summary.Finding{ID: f.ID, Severity: string(f.Severity), Joint: f.Joint, Why: f.Why, Fix: f.Fix})
		}
	}
	rows := max(run.Log.Rows(), 1)
	keep := min(max(rows/rowsPerPrint, fewestPrints), mostPrints)
	bound := uint64(math.MaxUint64)
	if 2*keep < rows { // twice as many as are kept, since their number scatters
		bound = math.MaxUint64 / uint64(rows) * uint64(2*keep)
	}
	prints, err := observation.Fingerprints(ctx, run, bound)
	of.Prints = slices.Clone(prints[:min(len(prints), keep)])
	return err
}

// tellApart gives logs of several folders that have one name those of their folders too, as many as it takes: findings and runs are
// told apart by names.
func tellApart(runs []identify.Run) {
	for depth := 2; ; depth++ {
		paths, deeper := map[string]string{}, map[string]bool{} // path by name; names of several paths
		for i := range runs {
			name, path := runs[i].Name, runs[i].Log.Path()
			if other, taken := paths[name]; taken && other != path {
				deeper[name] = true
			}
			paths[name] = path
		}
		changed := false
		for i := range runs {
			if deeper[runs[i].Name] {
				parts := strings.Split(filepath.ToSlash(filepath.Clean(runs[i].Log.Path())), "/")
				name := strings.Join(parts[max(0, len(parts)-depth):], "/")
				changed, runs[i].Name = changed || name != runs[i].Name, name
			}
		}
		if !changed {
			return
		}
	}
}

// fileSum is the hash of a log's file, "" of a pipe or a folder.
func fileSum(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// modelKeys are the settings, by their keys in a result's configuration, that robot and model are made with.
var modelKeys = []string{"joint_terms", "gravity", "set", "no_snap", "joints", "lock", "assembly", "loops", "still", "carried", "couplings", "known", "seed", "wrench", "contact"}

// modelSettings are those of a job.
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
