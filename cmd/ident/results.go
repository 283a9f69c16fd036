package main

import (
	"encoding/json"
	"fmt"
	"ident/internal/output"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/identify"
	"ident/project"
	"ident/regressor"
	"ident/report"
	"ident/robot"
)

// Names within a result's folder.
const (
	resultFile    = "result.json"
	residualsFile = "residuals.parquet"
	reportFile    = "report.html"
	plotsFolder   = "plots"
)

// writeResult writes the folder of a result.
func writeResult(folder string, o *identify.Outcome, r *robot.Robot) error {
	return output.Folder(folder, resultFiles, resultFile, func(dir string) error {
		res := &o.Result
		if len(r.Source.Text) > 0 {
			res.Robot.File = "robot." + r.Source.Format
			if err := os.WriteFile(filepath.Join(dir, res.Robot.File), r.Source.Text, 0o644); err != nil {
				return fmt.Errorf("cannot write the result: %w", err)
			}
		}
		if err := writeResiduals(filepath.Join(dir, residualsFile), o.Residuals); err != nil {
			return err
		}
		if err := drawResult(dir, res, o.Residuals); err != nil {
			return err
		}
		var err error
		if res.Files, err = output.Files(dir); err != nil {
			return fmt.Errorf("cannot write %s: %w", folder, err)
		}
		res.Files = append(res.Files, resultFile)
		slices.Sort(res.Files)
		return output.Write(filepath.Join(dir, resultFile), func(w io.Writer) error { return writeJSON(w, res) })
	})
}

// drawResult writes the plots and the page of a result.
func drawResult(dir string, res *estimate.Result, runs []estimate.ResidualRun) error {
	opt := report.Options{Title: "Identification of " + res.Robot.Name, Formats: []string{"svg", "png"}}
	plots, err := report.Plots(res, runs, opt)
	if err != nil {
		return fmt.Errorf("drawing the result: %w", err)
	}
	folder := filepath.Join(dir, plotsFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cannot write %s: %w", folder, err)
	}
	for _, p := range plots {
		for ext, text := range map[string][]byte{".svg": p.SVG, ".png": p.PNG} {
			if len(text) == 0 {
				continue
			}
			if err := output.Write(filepath.Join(folder, p.Name+ext), func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
				return err
			}
		}
	}
	return output.Write(filepath.Join(dir, reportFile), func(w io.Writer) error { return report.HTML(w, res, plots, opt) })
}

// writeResiduals stores the runs below each other: run number, role, stride,
// time, and measured and predicted torque of each joint.
func writeResiduals(path string, runs []estimate.ResidualRun) error {
	if len(runs) == 0 {
		return nil
	}
	joints := 0
	for _, r := range runs {
		joints = max(joints, len(r.Measured))
	}
	channels := []datasets.Channel{{Name: "t", Unit: "s"}, {Name: "run"}, {Name: "validation"}, {Name: "stride"}}
	for k := range joints {
		channels = append(channels, datasets.Channel{Name: fmt.Sprintf("tau%d", k+1)}, datasets.Channel{Name: fmt.Sprintf("predicted%d", k+1)})
	}
	meta := map[string]string{}
	for i, r := range runs {
		meta[fmt.Sprintf("run%d", i)] = r.Log
	}
	return datasets.Write(path, channels, meta, func(w *datasets.Writer) error {
		for i, r := range runs {
			n := len(r.T)
			role := 0.0
			if r.Role != "train" {
				role = 1
			}
			cols := [][]float64{r.T, constant(float64(i), n), constant(role, n), constant(float64(r.Stride), n)}
			for k := range r.Measured {
				cols = append(cols, r.Measured[k], r.Predicted[k])
			}
			if n == 0 {
				continue
			}
			if err := w.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
}

func constant(v float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = v
	}
	return x
}

// readResult reads a folder's result.json.
func readResult(dir string) (*estimate.Result, error) {
	text, err := os.ReadFile(filepath.Join(dir, resultFile))
	if err != nil {
		return nil, fmt.Errorf("%s is not the folder of a result (ident fit makes one): %w", dir, err)
	}
	res := new(estimate.Result)
	if err := json.Unmarshal(text, res); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, resultFile), err)
	}
	if res.Schema != estimate.Schema {
		return nil, fmt.Errorf("%s: schema %q, this version reads %q", filepath.Join(dir, resultFile), res.Schema, estimate.Schema)
	}
	return res, nil
}

// readResiduals reads a folder's residuals back.
func readResiduals(dir string, res *estimate.Result) ([]estimate.ResidualRun, error) {
	path := filepath.Join(dir, residualsFile)
	if !fileExists(path) {
		return nil, nil
	}
	l, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	joints := len(res.Joints)
	names := []string{"run", "validation", "stride", "t"}
	for k := range joints {
		names = append(names, fmt.Sprintf("tau%d", k+1), fmt.Sprintf("predicted%d", k+1))
	}
	var runs []estimate.ResidualRun
	err = l.Scan(names, 8192, func(_ int, cols [][]float64) error {
		for i := range cols[0] {
			n := int(cols[0][i])
			if n < 0 || n > len(runs)+1000 {
				return fmt.Errorf("%s: run number %g", path, cols[0][i])
			}
			for n >= len(runs) {
				runs = append(runs, estimate.ResidualRun{Log: l.Meta()[fmt.Sprintf("run%d", len(runs))],
					Measured: make([][]float64, joints), Predicted: make([][]float64, joints)})
			}
			r := &runs[n]
			r.Role, r.Stride = "train", int(cols[2][i])
			if cols[1][i] != 0 {
				r.Role = "validate"
			}
			r.T = append(r.T, cols[3][i])
			for k := range joints {
				r.Measured[k] = append(r.Measured[k], cols[4+2*k][i])
				r.Predicted[k] = append(r.Predicted[k], cols[5+2*k][i])
			}
		}
		return nil
	})
	return runs, err
}

// fitted is a result with the robot and the model that it belongs to.
type fitted struct {
	res     *estimate.Result
	project *project.Settings
	source  *robot.Robot // as the file says, with settings, before locks
	robot   *robot.Robot // as fitted
	terms   []regressor.Term
	set     *baseparams.Set
	x       []float64 // base parameters
}

// openFitted reads a result's folder and rebuilds its model. The rebuilt base
// set must be the one of the result: a version that would choose another says
// so instead of mixing parameters up.
func openFitted(dir string) (*fitted, error) {
	res, err := readResult(dir)
	if err != nil {
		return nil, err
	}
	f := &fitted{res: res, project: new(project.Settings)}
	if len(res.Configuration) > 0 {
		if err := json.Unmarshal(res.Configuration, f.project); err != nil {
			return nil, fmt.Errorf("%s: configuration: %w", filepath.Join(dir, resultFile), err)
		}
	}
	if res.Robot.File == "" {
		return nil, fmt.Errorf("%s holds no robot file", dir)
	}
	f.project.Robot = filepath.Join(dir, filepath.Base(res.Robot.File))
	if f.source, err = project.FindRobot(f.project, true); err != nil {
		return nil, err
	}
	if f.robot, err = project.Lock(f.source, f.project.Lock); err != nil {
		return nil, err
	}
	if f.terms, err = project.ParseTerms(f.project, regressor.DefaultTerms()); err != nil {
		return nil, err
	}
	m, _, _, err := identify.ModelOf(f.robot, f.terms, f.project.Known)
	if err != nil {
		return nil, err
	}
	f.set = baseparams.QR(m, baseparams.Options{Seed: f.project.Seed, Still: project.LinksOf(f.robot, f.project.Still), Rows: project.MeasuredRows(f.robot, m, f.project.Carried)})
	if f.set.Count() != len(res.BaseParameters) {
		return nil, fmt.Errorf("%s: the result has %d base parameters, its robot %d: it was made by another version or its robot file was changed", dir, len(res.BaseParameters), f.set.Count())
	}
	for k, b := range res.BaseParameters {
		if b.Name != f.set.Name(k) {
			return nil, fmt.Errorf("%s: the result's base parameter %s is %s for its robot: it was made by another version or its robot file was changed", dir, b.Name, f.set.Name(k))
		}
		f.x = append(f.x, b.Value)
	}
	return f, nil
}

// present prints a result: as JSON, or as the summary with the place of the
// report.
func present(s streams, res *estimate.Result, asJSON bool, folder string) error {
	if asJSON {
		return writeJSON(s.out, res)
	}
	report.Text(s.out, res)
	if folder != "" {
		fmt.Fprintf(s.out, "\nresult  %s\nreport  %s\n", folder, filepath.Join(folder, reportFile))
	}
	return nil
}
