package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/result"
)

// writeResiduals stores the runs below each other: run number, role, stride,
// time, and measured and predicted torque of each joint.
func writeResiduals(ctx context.Context, path string, runs []result.ResidualRun) error {
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
			cols := [][]float64{r.T, fill(float64(i), n), fill(role, n), fill(float64(r.Stride), n)}
			for k := range r.Measured {
				cols = append(cols, r.Measured[k], r.Predicted[k])
			}
			if n == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
}

// readResiduals reads a folder's residuals back.
func readResiduals(ctx context.Context, dir string, res *result.Result) ([]result.ResidualRun, error) {
	path := filepath.Join(dir, residualsFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	l, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	joints := len(res.Joints)
	names := []string{"run", "validation", "stride", "t"}
	for k := range joints {
		names = append(names, fmt.Sprintf("tau%d", k+1), fmt.Sprintf("predicted%d", k+1))
	}
	var runs []result.ResidualRun
	err = l.Scan(names, 8192, func(_ int, cols [][]float64) error {
		for i := range cols[0] {
			n := int(cols[0][i])
			if n < 0 || n > len(runs)+1000 {
				return fmt.Errorf("%s: run number %g", path, cols[0][i])
			}
			for n >= len(runs) {
				runs = append(runs, result.ResidualRun{Log: l.Meta()[fmt.Sprintf("run%d", len(runs))],
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
