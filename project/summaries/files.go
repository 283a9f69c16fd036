package summaries

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"ident/internal/output"
	"ident/project"
	"ident/summary"
)

// Open reads the file of a summary. A file of another kind is an error that wraps summary.ErrDamaged.
func Open(path string) (*summary.Summary, error) {
	var s *summary.Summary
	err := withFile(path, func(r io.ReaderAt, size int64) (err error) {
		s, err = summary.Decode(r, size)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Is tells whether a file holds a summary.
func Is(path string) bool {
	found := false
	err := withFile(path, func(r io.ReaderAt, size int64) error {
		found = summary.Is(r, size)
		return nil
	})
	return err == nil && found
}

func withFile(path string, read func(io.ReaderAt, int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: no file of its own", summary.ErrDamaged)
	}
	return read(f, info.Size())
}

// Write writes the file of a summary beside its place and moves it there.
func Write(path string, s *summary.Summary) error {
	return output.Write(path, func(w io.Writer) error { return summary.Encode(w, s) })
}

// Gather merges the summaries among some files with those of the logs among them, which are reduced by the signal path
// of the first summary.
func Gather(ctx context.Context, s *project.Settings, paths []string, opt Options) (*summary.Summary, error) {
	if err := project.CheckPaths(paths); err != nil {
		return nil, err
	}
	var parts []*summary.Summary
	var logs []string
	for _, path := range paths {
		if !Is(path) {
			logs = append(logs, path)
			continue
		}
		part, err := Open(path)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("none of the files is a summary")
	}
	if len(logs) > 0 {
		if opt.Like == nil {
			opt.Like = parts[0]
		}
		own := *s
		own.Terms = opt.Like.Model.Terms
		if !opt.RobotGiven { // the summary's own, where no robot was named
			dir, err := os.MkdirTemp("", "ident-robot")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(dir)
			own.Robot, opt.RobotGiven = dir+"/robot."+opt.Like.Robot.Format, true
			if err := os.WriteFile(own.Robot, []byte(opt.Like.Robot.Text), 0o600); err != nil {
				return nil, err
			}
			if err := settingsOf(opt.Like, &own); err != nil {
				return nil, err
			}
		}
		part, err := Of(ctx, &own, logs, opt)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return summary.Merge(parts...)
}

// FitFiles is Fit of the files that Gather merges.
func FitFiles(ctx context.Context, s *project.Settings, paths []string, opt Options) (*Fitted, error) {
	all, err := Gather(ctx, s, paths, opt)
	if err != nil {
		return nil, err
	}
	return Fit(ctx, all, s)
}

// Schema is the version of Document.
const Schema = "ident.summary/1"

// Document tells of a summary, without its factors.
type Document struct {
	Schema     string             `json:"schema"`
	Robot      DocumentRobot      `json:"robot"`
	Terms      []string           `json:"terms"`
	Base       int                `json:"base_parameters"` // their number
	Columns    int                `json:"columns"`         // of the rows, those that the choice of terms selects from included
	Processing summary.Processing `json:"processing"`
	Rows       int                `json:"rows"`   // of the equation that has the most
	Blocks     int                `json:"blocks"` // of time, of all runs
	Bytes      int64              `json:"bytes"`  // of the file; 0 where none was written
	Runs       []DocumentRun      `json:"runs"`
}

// DocumentRobot is the robot of a summary.
type DocumentRobot struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of its file
}

// DocumentRun is a run of a summary.
type DocumentRun struct {
	summary.Run
	Blocks int `json:"blocks"` // of time
}

// Describe is the document of a summary and its file, "" for none.
func Describe(s *summary.Summary, path string) *Document {
	d := &Document{Schema: Schema, Robot: DocumentRobot{s.Robot.Name, s.Robot.SHA256}, Terms: s.Model.Terms, Base: s.Model.Base, Columns: len(s.Model.Columns), Processing: s.Processing, Rows: s.Rows(), Runs: []DocumentRun{}}
	for _, r := range s.Runs {
		d.Runs = append(d.Runs, DocumentRun{r, len(r.Blocks)})
		d.Blocks += len(r.Blocks)
	}
	if info, err := os.Stat(path); err == nil {
		d.Bytes = info.Size()
	}
	return d
}

// Print writes a document as text.
func (d *Document) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d base parameters of %v, %d columns\n%d rows in %d time blocks of %d runs, %d bytes\n", d.Robot.Name, d.Base, d.Terms, d.Columns, d.Rows, d.Blocks, len(d.Runs), d.Bytes)
	for _, r := range d.Runs {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %-24s %9d rows  %8.1f s  %4d blocks  %d findings\n", r.Name, r.Last-r.First, r.Seconds, r.Blocks, len(r.Findings))
		}
	}
	return err
}
