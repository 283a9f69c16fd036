package identify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/result"
	"ident/robot"
)

// compared is one side of a comparison: a result's folder, or a robot file.
type compared struct {
	side   result.Side
	fitted *project.Fitted // nil for a robot file
}

// CompareOptions say which logs the sides of a comparison predict.
type CompareOptions struct {
	Logs     []string                            // further logs that every side predicts, through the filter of the reference
	Readings map[string]project.Reading          // by file: how to read a log whose channels differ from those of the results
	Progress func(stage string, done, total int) // called during the predictions; may be nil
	Seals    folder.Seals                        // what happens with results that have no seal, or a broken one
}

// Compare compares results and robot files: see [result.Compare]. paths name folders of results, folders with one result
// for each model, and robot files; the first result is the reference. Without opt.Logs it compares the validation runs
// that the results share. The results of one folder that are not of one robot are listed: see [result.List].
func Compare(ctx context.Context, paths []string, opt CompareOptions) (*result.Comparison, error) {
	sides, err := openSides(paths, opt.Seals)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(sides, func(s compared) bool { return s.fitted != nil })
	if first < 0 {
		return nil, fmt.Errorf("%w: none of the files is the folder of a result (ident fit makes one)", result.ErrNotComparable)
	}
	sides = slices.Concat(sides[first:first+1], sides[:first], sides[first+1:])
	ref := sides[0].fitted
	var values []result.Side
	for i := range sides {
		if sides[i].fitted == nil {
			if err := sides[i].openFile(ref); err != nil {
				return nil, err
			}
		}
		values = append(values, sides[i].side)
	}
	c, err := result.Compare(values)
	if errors.Is(err, result.ErrNotComparable) && len(paths) == 1 && len(values) > 1 && len(opt.Logs) == 0 {
		c = result.List(values)
		c.Warnings = []string{"parameters are not compared: " + strings.TrimPrefix(err.Error(), result.ErrNotComparable.Error()+": ")}
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for _, s := range sides[1:] {
		if s.fitted != nil {
			c.Warnings = append(c.Warnings, otherKnown(sides[0], s)...)
		}
	}
	if len(opt.Logs) == 0 {
		return c, nil
	}
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	var held []*result.Validation
	for i := range sides {
		p, err := sides[i].predict(ctx, ref, sides, opt)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sides[i].side.Name, err)
		}
		held = append(held, p.Validation)
		for _, w := range p.Warnings {
			if w = sides[i].side.Name + ": " + w; !slices.Contains(c.Warnings, w) {
				c.Warnings = append(c.Warnings, w)
			}
		}
	}
	c.Hold(held)
	return c, nil
}

// otherKnown says which values one of two results takes as known and the other has otherwise: base parameters of one name then differ
// by them, whatever the logs say.
func otherKnown(a, b compared) (out []string) {
	x, y := a.fitted.Settings.Known, b.fitted.Settings.Known
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if v, both := y[name]; both && v.Value != x[name].Value {
			out = append(out, fmt.Sprintf("%s takes %s = %.6g as known and %s takes %.6g: where they differ in parameters, that may be why", a.side.Name, name, x[name].Value, b.side.Name, v.Value))
		}
	}
	for _, s := range [][2]compared{{a, b}, {b, a}} {
		for _, name := range slices.Sorted(maps.Keys(s[0].fitted.Settings.Known)) {
			if _, both := s[1].fitted.Settings.Known[name]; !both {
				out = append(out, fmt.Sprintf("%s takes %s = %.6g as known and %s estimates it: parameters that %s is regrouped onto are not compared", s[0].side.Name, name, s[0].fitted.Settings.Known[name].Value, s[1].side.Name, name))
			}
		}
	}
	return out
}

// openSides opens the folders of results. Robot files are only recorded until the reference says how to read them.
func openSides(paths []string, seals folder.Seals) ([]compared, error) {
	var out []compared
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s is neither the folder of a result nor a robot file: %w", path, err)
		}
		if !info.IsDir() {
			out = append(out, compared{side: result.Side{Name: path}})
			continue
		}
		folders := []string{path}
		if _, err := os.Stat(filepath.Join(path, folder.ResultFile)); err != nil {
			inside, err := filepath.Glob(filepath.Join(path, "*", folder.ResultFile))
			if err != nil || len(inside) == 0 {
				return nil, result.NotFolder(path, nil)
			}
			folders = nil
			for _, f := range inside {
				folders = append(folders, filepath.Dir(f))
			}
		}
		for _, f := range folders {
			ft, err := project.OpenFitted(f, seals)
			if err != nil {
				return nil, err
			}
			out = append(out, compared{fitted: ft, side: result.Side{Name: filepath.Clean(f), Result: ft.Result, Set: ft.Set, Robot: ft.Robot}})
		}
	}
	return out, nil
}

// openFile reads a robot file under the settings of the reference, with its locked joints.
func (s *compared) openFile(ref *project.Fitted) error {
	settings := *ref.Settings
	settings.Robot = s.side.Name
	r, err := project.FindRobot(&settings, true)
	if err != nil {
		return err
	}
	if err := project.RequireNumeric(r); err != nil {
		return err
	}
	s.side.Robot, err = project.Lock(r, settings.Lock)
	return err
}

// predict predicts logs by one side, through the filter of the reference.
func (s *compared) predict(ctx context.Context, ref *project.Fitted, sides []compared, opt CompareOptions) (*project.Prediction, error) {
	ft := s.fitted
	if ft == nil {
		file := *ref
		file.X = result.FileParameters(s.side.Robot, ref.Set)
		ft = &file
	}
	own := *ft
	settings := *ft.Settings
	for i := range sides {
		if other := sides[i].fitted; other != nil && other != ft {
			settings = *settings.Knowing(other.Settings)
		}
	}
	settings.ForOtherLogs()
	settings.Readings = maps.Clone(opt.Readings)
	done, want := ft.Result.Processing, ref.Result.Processing
	other := done.Cutoff != want.Cutoff || done.Decimate != want.Decimate || done.Order != want.Order
	if other {
		settings.Cutoff, settings.Decimate, settings.FilterOrder = &want.Cutoff, want.Decimate, want.Order
	}
	own.Settings = &settings
	p, err := own.Predict(ctx, opt.Logs, other, opt.Progress)
	if err != nil {
		return nil, err
	}
	if s.fitted == nil {
		p.Warnings = nil // about the reference
		if lacks := lacking(s.side.Robot, ref.Set); lacks > 0 {
			p.Warnings = []string{fmt.Sprintf("%d parameters of the model are not in the file and count as zero in its torques", lacks)}
		}
	}
	return p, nil
}

// lacking counts the columns of a set for which a robot file gives no value.
func lacking(r *robot.Robot, set *baseparams.Set) int {
	n := 0
	for _, known := range result.Given(r, set) {
		if !known {
			n++
		}
	}
	return n
}

// WriteComparePage writes a comparison as an HTML page to path. The page shows command unchanged, nothing for "".
func WriteComparePage(path string, c *result.Comparison, command string) error {
	opt := report.Options{Date: folder.Today().Format("2 Jan 2006"), Version: project.Version, Command: command}
	return output.Write(path, func(w io.Writer) error { return report.CompareHTML(w, c, opt) })
}
