package report

import (
	"errors"
	"fmt"
	"slices"

	"ident/report/scene"
	"ident/result"
)

// WeakPercent is the relative standard deviation, in percent, above which a
// parameter is marked as weakly determined.
const WeakPercent = result.WeakPercent

// ErrShape is wrapped by errors about residual runs that do not belong to the
// result they came with.
var ErrShape = errors.New("residual run does not match the result")

// ErrFormat is wrapped by errors about a plot format that cannot be drawn.
var ErrFormat = errors.New("unknown plot format")

// Options of the figures. The zero value draws SVG and PNG.
type Options struct {
	// Title heads the page. Empty means the robot's name.
	Title string

	// Formats lists "svg" and "png"; nil means both. The page needs "svg" and otherwise falls back on "png".
	Formats []string

	// Date and Version are printed on the page unchanged; no clock is read. An empty Version means the one in the
	// result.
	Date    string
	Version string

	// Command is the command line that made the result, printed unchanged; empty if unknown.
	Command string

	// Scene is the robot to be drawn on the page in three dimensions with the runs' motion; nil for none.
	// [scene.Scene.Identify] adds the result's bodies.
	Scene *scene.Scene

	// Compared compares the result with other models or candidates on the same logs; nil for none.
	Compared *result.Comparison

	// Sections are additional ones for the page, placed below the bodies.
	Sections []Section

	// DPI is the resolution of PNG files; zero means 144.
	DPI int
}

// Plot is one drawing. SVG or PNG is nil if the options do not ask for it.
type Plot struct {
	Name    string // file name without extension, unique within a result
	Group   string // one of the Group constants
	Title   string
	Caption string // the drawn quantities, with units, filter and samples
	SVG     []byte
	PNG     []byte
}

// Groups of plots, in the order in which a page shows them.
const (
	GroupTorque    = "torque"    // measured, predicted and residual over time
	GroupResidual  = "residual"  // histogram and autocorrelation
	GroupParameter = "parameter" // values with intervals, relative standard deviations
)

// title returns the heading of a page.
func (o Options) title(res *result.Result) string {
	switch {
	case o.Title != "":
		return o.Title
	case res.Robot.Name != "":
		return "Identification of " + res.Robot.Name
	}
	return "Identification result"
}

// version returns the version to print.
func (o Options) version(res *result.Result) string {
	if o.Version != "" {
		return o.Version
	}
	return res.Version
}

// formats tells which formats are wanted.
func (o Options) formats() (svg, png bool, err error) {
	if o.Formats == nil {
		return true, true, nil
	}
	for _, f := range o.Formats {
		if f != "svg" && f != "png" {
			return false, false, fmt.Errorf("report: %w %q: use svg or png", ErrFormat, f)
		}
	}
	return slices.Contains(o.Formats, "svg"), slices.Contains(o.Formats, "png"), nil
}

// checkRuns refuses runs whose shape contradicts the result.
func checkRuns(res *result.Result, runs []result.ResidualRun) error {
	for i, run := range runs {
		for _, further := range []struct {
			name   string
			joints int
			table  [][]float64
		}{{"logged", len(res.Joints), run.Logged}, {"file", len(res.Joints), run.File}, {"position", len(run.Position), run.Position}} {
			if further.table == nil {
				continue
			}
			for _, column := range further.table {
				if len(further.table) != further.joints || len(column) != len(run.T) {
					return fmt.Errorf("report: residual run %d (log %q): %w: %d %s columns of %d samples, want %d of %d",
						i+1, run.Log, ErrShape, len(further.table), further.name, len(column), further.joints, len(run.T))
				}
			}
		}
		where := fmt.Sprintf("report: residual run %d (log %q)", i+1, run.Log)
		for _, side := range []struct {
			name   string
			torque [][]float64
		}{{"measured", run.Measured}, {"predicted", run.Predicted}} {
			if len(side.torque) != len(res.Joints) {
				return fmt.Errorf("%s: %w: %d %s joints, the result has %d: read residuals and result from the same folder",
					where, ErrShape, len(side.torque), side.name, len(res.Joints))
			}
			for j, tau := range side.torque {
				if len(tau) != len(run.T) {
					return fmt.Errorf("%s, joint %q: %w: %d %s samples at %d times",
						where, res.Joints[j], ErrShape, len(tau), side.name, len(run.T))
				}
			}
		}
	}
	return nil
}
