package project

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"ident/baseparams"
	"ident/identify/folder"
	"ident/identify/regression"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Fitted is a result together with its robot and model.
type Fitted struct {
	Result   *result.Result
	Settings *Settings
	Source   *robot.Robot // the robot of the file, with the settings applied and no joint locked
	Robot    *robot.Robot // the robot as fitted
	Terms    []regressor.Term
	Set      *baseparams.Set
	X        []float64 // base parameters
}

// robotOfResult reads the robot from a result's folder under the settings of the result, before locking.
func robotOfResult(dir string, res *result.Result) (*Settings, *robot.Robot, error) {
	s := new(Settings)
	if len(res.Configuration) > 0 {
		if err := json.Unmarshal(res.Configuration, s); err != nil {
			return nil, nil, fmt.Errorf("%s: configuration: %w", filepath.Join(dir, folder.ResultFile), err)
		}
	}
	if res.Robot.File == "" {
		return nil, nil, fmt.Errorf("%s holds no robot file", dir)
	}
	given := *s
	s.Robot = filepath.Join(dir, filepath.Base(res.Robot.File))
	s.Args, s.Packages = nil, nil // of the file that became the one in the folder
	s.trained = trainedBy(s, res.Logs)
	r, err := FindRobot(s, true)
	if err == nil && given.Robot != "" {
		r.Source.Files = filesBeside(r, &given)
	}
	return s, r, err
}

// filesBeside returns what opens the files that a robot names: those beside its own, or those beside the file of given settings
// while that has the same text. The folder of a result has no meshes.
func filesBeside(r *robot.Robot, given *Settings) func(name string) ([]byte, error) {
	own := r.Source.Files
	first := sync.OnceValue(func() *robot.Robot {
		if g, err := FindRobot(given, true); err == nil && g.Source.Files != nil && bytes.Equal(g.Source.Text, r.Source.Text) {
			return g
		}
		return nil
	})
	return func(name string) ([]byte, error) {
		text, err := own(name)
		if err == nil {
			return text, nil
		}
		if g := first(); g != nil {
			if text, err := g.Source.Files(name); err == nil {
				return text, nil
			}
		}
		return nil, err
	}
}

// Redraw draws the page and plots of the result in folder from into folder to: see [folder.Redraw].
func Redraw(ctx context.Context, from, to string, overwrite bool, seals folder.Seals) error {
	return folder.Redraw(ctx, from, to, overwrite, seals, func(dir string, res *result.Result) (*robot.Robot, error) {
		_, r, err := robotOfResult(dir, res)
		return r, err
	})
}

// OpenFitted reads a result's folder and rebuilds its model. If this version would choose other base parameters than the
// result has, it returns an error instead of mixing them up.
func OpenFitted(dir string, seals folder.Seals) (*Fitted, error) {
	res, err := folder.ReadResult(dir, seals)
	if err != nil {
		return nil, err
	}
	if err := seals.CheckRobot(dir, res); err != nil {
		return nil, err
	}
	f := &Fitted{Result: res}
	if f.Settings, f.Source, err = robotOfResult(dir, res); err != nil {
		return nil, err
	}
	if f.Robot, err = Lock(f.Source, f.Settings.Lock); err != nil {
		return nil, err
	}
	if f.Terms, err = ParseTerms(f.Settings, regressor.DefaultTerms()); err != nil {
		return nil, err
	}
	values, _ := f.Settings.KnownValues()
	m, _, _, err := regression.ModelOf(f.Robot, f.Terms, values)
	if err != nil {
		return nil, err
	}
	if stance := f.Settings.Stance; stance != nil {
		if f.Set, err = baseparams.QRStanding(context.Background(), f.Robot, f.Terms, *stance, baseparams.Options{Seed: f.Settings.Seed}); err != nil {
			return nil, err
		}
	} else {
		f.Set = baseparams.QR(m, baseparams.Options{Seed: f.Settings.Seed, Immobile: LinksOf(f.Robot, f.Settings.Immobile), Rows: MeasuredRows(f.Robot, m, f.Settings.Unactuated)})
	}
	if f.Set.Count() != len(res.BaseParameters) {
		return nil, fmt.Errorf("%s: the result has %d base parameters, its robot %d: it was made by another version or its robot file was changed", dir, len(res.BaseParameters), f.Set.Count())
	}
	for k, b := range res.BaseParameters {
		if b.Name != f.Set.Name(k) {
			return nil, fmt.Errorf("%s: the result's base parameter %s is %s for its robot: it was made by another version or its robot file was changed", dir, b.Name, f.Set.Name(k))
		}
		f.X = append(f.X, b.Value)
	}
	return f, nil
}

// Identified returns the robot with the fitted parameters: those of its bodies, if the result has bodies.
func (f *Fitted) Identified() *result.Identified {
	id := result.NewIdentified(f.Source, f.Robot, f.Set, f.X)
	if n := len(f.Set.Columns); (f.Result.Bodies != nil || f.Result.Consistency != nil) && len(f.Result.StandardParameters) >= n {
		standard := make([]float64, n)
		for i, p := range f.Result.StandardParameters[:n] {
			standard[i] = p.Value
		}
		x := f.X
		if f.Result.Bodies != nil {
			x = f.Set.FromStandard(standard)
		}
		id = result.NewIdentifiedFrom(f.Source, f.Robot, f.Set, x, standard)
	}
	id.Robot.Name = f.Result.Robot.Name
	return id
}
