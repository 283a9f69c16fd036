package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ident/identify/folder"
	"ident/internal/document"
	"ident/internal/finite"
	"ident/internal/textfile"
	"ident/mechanics/loads"
	"ident/robot"
	"ident/robot/format"
)

// largestResult bounds the bytes of a result's document: the covariance of a hundred parameters has a quarter of a million.
const largestResult = 64 << 20

// OpenFit reads the folder of a result.
func OpenFit(ctx context.Context, dir string, seals folder.Seals) (*Fit, error) {
	f, _, err := openSaved(ctx, dir, seals)
	return f, err
}

func openSaved(ctx context.Context, dir string, seals folder.Seals) (*Fit, *Result, error) {
	path := filepath.Join(dir, ResultFile)
	text, err := textfile.ReadDocument(path, largestResult)
	if err != nil {
		return nil, nil, err
	}
	d := &Result{}
	if err := json.Unmarshal([]byte(text), d); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if d.Schema != FitSchema {
		return nil, nil, fmt.Errorf("%s: it is %q, not %s", path, d.Schema, FitSchema)
	}
	broken, err := seals.Check(path, text)
	if err != nil {
		return nil, nil, err
	}
	if broken {
		d.Grade = folder.BrokenGrade(d.Grade)
	}
	r, err := format.Open(filepath.Join(dir, RobotFile), robot.ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	m, err := New(r)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, b := range d.Base {
		names = append(names, b.Name)
	}
	model, set, err := BaseOf(ctx, m, Terms{Cubic: d.Cubic, WindUp: d.Hysteresis}, names)
	if err != nil {
		return nil, nil, err
	}
	f := &Fit{Machine: m, Sensors: Sensors(d.Sensors), Model: model.Select(set.Base), Base: set, Covariance: d.Covariance, Cutoff: d.Cutoff}
	if l := d.TorqueDelay; l != nil {
		f.Late = &Late{Seconds: l.Value, Sigma: l.Sigma}
	}
	// Results of version 0.3.0 without encoders at the links keep the initial states of their logs behind the parameters.
	if n := set.Count(); len(d.Base) == n && len(d.Covariance) > n {
		d.Covariance = slices.Clone(d.Covariance[:n])
		for k, row := range d.Covariance {
			d.Covariance[k] = row[:min(n, len(row))]
		}
		f.Covariance = d.Covariance
	}
	if len(d.Base) != set.Count() || len(d.Covariance) != set.Count() {
		return nil, nil, fmt.Errorf("%s: %d parameters with a covariance of %d rows; the robot beside it has %d", path, len(d.Base), len(d.Covariance), set.Count())
	}
	if err := d.Valid(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for k, b := range d.Base {
		if b.Name != set.Name(k) {
			return nil, nil, fmt.Errorf("%s: parameter %q instead of %q: it was made by another version, or its robot file was changed", path, b.Name, set.Name(k))
		}
		freedom := b.Freedom
		f.Parameters = append(f.Parameters, Parameter{Name: b.Name, Owner: b.Owner, Unit: b.Unit, Value: b.Value, Sigma: b.Sigma, Freedom: freedom})
	}
	return f, d, nil
}

// Valid returns an error if the result contradicts itself: a number is not finite, the covariance is not that of the base
// parameters, or a standard deviation is negative.
func (d *Result) Valid() error {
	if err := finite.Check(d); err != nil {
		return fmt.Errorf("the result is invalid: %w", err)
	}
	if err := document.Covariance("covariance", d.Covariance, len(d.Base)); err != nil {
		return fmt.Errorf("the result is invalid: %w", err)
	}
	for i, b := range d.Base {
		if b.Sigma < 0 || b.Freedom <= 0 {
			return fmt.Errorf("the result is invalid: base_parameters[%d] (%s) has a negative standard deviation, or no degrees of freedom", i, b.Name)
		}
	}
	if d.Rate < 0 || d.Cutoff < 0 || d.Rows < 0 {
		return fmt.Errorf("the result is invalid: a negative rate_hz, cutoff_hz or rows")
	}
	return nil
}

// IsResult reports whether a path is the folder of a result.
func IsResult(path string) bool {
	info, err := os.Stat(filepath.Join(path, ResultFile))
	return err == nil && !info.IsDir()
}

// Vibrations returns a function that computes natural frequencies along a motion: of a result, with their standard
// standard deviations, or of a robot. It is nil for a robot without elastic joints. Missing numbers of a robot file are
// a note.
func Vibrations(ctx context.Context, path string, r *robot.Robot, seals folder.Seals) (func(t []float64, q [][]float64) ([]loads.Vibration, string, error), error) {
	if !HasElasticJoint(r) {
		return nil, nil
	}
	var fit *Fit
	if IsResult(path) {
		var err error
		if fit, err = OpenFit(ctx, path, seals); err != nil {
			return nil, err
		}
	}
	return func(t []float64, q [][]float64) ([]loads.Vibration, string, error) {
		found, err := vibrationsAlong(ctx, fit, r, t, q)
		var missing *MissingError
		if errors.As(err, &missing) {
			return nil, "no natural frequencies: " + err.Error(), nil
		}
		return found, "", err
	}, nil
}

// vibrationsAlong returns the natural frequencies along a motion of the links: the least and the largest of each, with its
// standard deviation, and when. fit is nil for a robot file, whose frequencies have no standard deviations.
func vibrationsAlong(ctx context.Context, fit *Fit, r *robot.Robot, t []float64, q [][]float64) ([]loads.Vibration, error) {
	if fit == nil {
		m, err := New(r)
		if err != nil {
			return nil, err
		}
		if fit, err = m.Described(ctx); err != nil {
			return nil, err
		}
	}
	var out []loads.Vibration
	const poses = 60
	for i := range min(poses, len(t)) {
		k := i * (len(t) - 1) / max(min(poses, len(t))-1, 1)
		x := make([]float64, len(q))
		for j := range q {
			x[j] = q[j][k]
		}
		at, err := fit.ModesWithin(x)
		if err != nil {
			return nil, err
		}
		n := 0
		for _, group := range []struct {
			kind string
			of   []Frequency
		}{{"resonance", at.Resonances}, {"anti-resonance", at.AntiResonances}} {
			for number, f := range group.of {
				if len(out) <= n {
					out = append(out, loads.Vibration{Kind: group.kind, Number: number + 1, Low: f.Value, LowSigma: f.Sigma, LowAt: t[k], High: f.Value, HighSigma: f.Sigma, HighAt: t[k]})
				}
				v := &out[n]
				if f.Value < v.Low {
					v.Low, v.LowSigma, v.LowAt = f.Value, f.Sigma, t[k]
				}
				if f.Value > v.High {
					v.High, v.HighSigma, v.HighAt = f.Value, f.Sigma, t[k]
				}
				n++
			}
		}
	}
	return out, nil
}
