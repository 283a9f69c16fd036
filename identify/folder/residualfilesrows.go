package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"ident/datasets"
	"ident/internal/textfile"
	"ident/result"
)

// writeResidualRows stores the runs below each other: run number, role, stride,
// time, and of each joint the measured and the predicted torque, with the torque as logged, the prediction of the
// robot file and the position where every run has them.
func writeResidualRows(ctx context.Context, path string, runs []result.ResidualRun) error {
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
	further := furtherColumns(runs)
	for _, f := range further {
		for k := range *f.of(&runs[0]) {
			channels = append(channels, datasets.Channel{Name: fmt.Sprintf("%s%d", f.name, k+1)})
		}
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
			same := func(x float64) []float64 { return slices.Repeat([]float64{x}, n) }
			cols := [][]float64{r.T, same(float64(i)), same(role), same(float64(r.Stride))}
			for k := range r.Measured {
				cols = append(cols, r.Measured[k], r.Predicted[k])
			}
			for _, f := range further {
				cols = append(cols, *f.of(&r)...)
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

// furtherCurves are columns that drawings alone need: older results lack them.
type furtherCurves struct {
	name string
	of   func(*result.ResidualRun) *[][]float64
}

func allFurtherCurves() []furtherCurves {
	return []furtherCurves{
		{"logged", func(r *result.ResidualRun) *[][]float64 { return &r.Logged }},
		{"file", func(r *result.ResidualRun) *[][]float64 { return &r.File }},
		{"position", func(r *result.ResidualRun) *[][]float64 { return &r.Position }},
	}
}

// furtherColumns returns those that every run has, with as many joints.
func furtherColumns(runs []result.ResidualRun) []furtherCurves {
	var out []furtherCurves
	for _, f := range allFurtherCurves() {
		n := len(*f.of(&runs[0]))
		same := n > 0
		for i := range runs {
			same = same && len(*f.of(&runs[i])) == n
		}
		if same {
			out = append(out, f)
		}
	}
	return out
}

// absentFile reports whether a file of a result is missing; anything but a regular file is an error, as a pipe would wait for
// a writer.
func absentFile(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, textfile.ErrNotRegular)
	}
	return false, err
}

// readResidualRows reads the rows back.
func readResidualRows(ctx context.Context, path string, joints int) ([]result.ResidualRun, error) {
	if missing, err := absentFile(path); missing || err != nil {
		return nil, err
	}
	l, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	names := []string{"run", "validation", "stride", "t"}
	for k := range joints {
		names = append(names, fmt.Sprintf("tau%d", k+1), fmt.Sprintf("predicted%d", k+1))
	}
	stored, width := []furtherCurves{}, []int{}
	for _, f := range allFurtherCurves() {
		n := 0
		for ; l.Has(fmt.Sprintf("%s%d", f.name, n+1)); n++ {
			names = append(names, fmt.Sprintf("%s%d", f.name, n+1))
		}
		stored, width = append(stored, f), append(width, n)
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
			at := 4 + 2*joints
			for m, f := range stored {
				table := f.of(r)
				if *table == nil && width[m] > 0 {
					*table = make([][]float64, width[m])
				}
				for k := range *table {
					(*table)[k] = append((*table)[k], cols[at][i])
					at++
				}
			}
		}
		return nil
	})
	return runs, err
}
