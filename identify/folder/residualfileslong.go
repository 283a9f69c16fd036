package folder

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/internal/rowlist"
	"ident/result"
)

// curveBounds are the curves of buckets by their names in the file, with those of a stretch at full rate, nil for curves
// that follow from others.
type curveBounds struct {
	name string
	of   func(*result.Curves) *[][]float64
	rows func(*result.ResidualRun) *[][]float64
}

func allCurveBounds() []curveBounds {
	return []curveBounds{
		{"tau", func(c *result.Curves) *[][]float64 { return &c.Measured }, func(r *result.ResidualRun) *[][]float64 { return &r.Measured }},
		{"predicted", func(c *result.Curves) *[][]float64 { return &c.Predicted }, func(r *result.ResidualRun) *[][]float64 { return &r.Predicted }},
		{"logged", func(c *result.Curves) *[][]float64 { return &c.Logged }, func(r *result.ResidualRun) *[][]float64 { return &r.Logged }},
		{"file", func(c *result.Curves) *[][]float64 { return &c.File }, func(r *result.ResidualRun) *[][]float64 { return &r.File }},
		{"residual", func(c *result.Curves) *[][]float64 { return &c.Residual }, nil},
		{"file_residual", func(c *result.Curves) *[][]float64 { return &c.FileResidual }, nil},
	}
}

// longHeads are the columns in front of the curves: of a bucket its run, a stretch of -1, the times of its first and last
// row and the rows of a bucket; of a sample its run, the number of its stretch, and its time twice.
var longHeads = [...]string{"run", "stretch", "t", "until", "rows"}

// writeLongRuns stores the buckets and stretches of long runs; nothing where no run is long.
func writeLongRuns(ctx context.Context, path string, runs []result.ResidualRun) error {
	first := -1
	for i := range runs {
		if runs[i].Long != nil && first < 0 {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	var channels []datasets.Channel
	for _, h := range longHeads {
		channels = append(channels, datasets.Channel{Name: h})
	}
	var kept []curveBounds
	for _, b := range allCurveBounds() {
		joints := len(*b.of(&runs[first].Long.Low))
		for i := range runs {
			if l := runs[i].Long; l != nil && len(*b.of(&l.Low)) != joints {
				joints = 0
			}
		}
		if joints == 0 {
			continue
		}
		kept = append(kept, b)
		for k := range joints {
			channels = append(channels, datasets.Channel{Name: fmt.Sprintf("%s_low%d", b.name, k+1)}, datasets.Channel{Name: fmt.Sprintf("%s_high%d", b.name, k+1)})
		}
	}
	return datasets.Write(path, channels, nil, func(w *datasets.Writer) error {
		for i := range runs {
			l := runs[i].Long
			if l == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			n := len(l.From)
			cols := [][]float64{repeated(float64(i), n), repeated(-1, n), l.From, l.To, repeated(float64(l.Rows), n)}
			for _, b := range kept {
				low, high := *b.of(&l.Low), *b.of(&l.High)
				for k := range low {
					cols = append(cols, low[k], high[k])
				}
			}
			if err := w.Append(cols); err != nil {
				return err
			}
			for s := range l.Blocks {
				block := &l.Blocks[s]
				n := len(block.T)
				cols := [][]float64{repeated(float64(i), n), repeated(float64(s), n), block.T, block.T, repeated(1, n)}
				for _, b := range kept {
					for k := range *b.of(&l.Low) {
						values := repeated(0, n)
						if b.rows != nil {
							values = (*b.rows(block))[k]
						}
						cols = append(cols, values, values)
					}
				}
				if err := w.Append(cols); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// readLongRuns gives the runs their buckets and stretches back.
func readLongRuns(ctx context.Context, path string, runs []result.ResidualRun, joints int) error {
	if missing, err := absentFile(path); missing || err != nil {
		return err
	}
	log, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return err
	}
	defer log.Close()
	names := append([]string(nil), longHeads[:]...)
	var kept []curveBounds
	for _, b := range allCurveBounds() {
		if !log.Has(b.name + "_low1") {
			continue
		}
		kept = append(kept, b)
		for k := range joints {
			names = append(names, fmt.Sprintf("%s_low%d", b.name, k+1), fmt.Sprintf("%s_high%d", b.name, k+1))
		}
	}
	return log.Scan(names, 8192, func(_ int, cols [][]float64) error {
		for i := range cols[0] {
			n, stretch := int(cols[0][i]), int(cols[1][i])
			if n < 0 || n >= len(runs) {
				return fmt.Errorf("%s names run %g, but the result has %s", path, cols[0][i], rowlist.Plural(len(runs), "run"))
			}
			run := &runs[n]
			if run.Long == nil {
				run.Long = &result.LongRun{Rows: int(cols[4][i])}
			}
			l := run.Long
			if stretch > len(l.Blocks) || stretch < -1 {
				return fmt.Errorf("%s: stretch number %g follows only %d stretches", path, cols[1][i], len(l.Blocks))
			}
			if stretch == len(l.Blocks) {
				l.Blocks = append(l.Blocks, result.ResidualRun{Log: run.Log, Role: run.Role, Stride: 1})
			}
			if stretch < 0 {
				l.From, l.To = append(l.From, cols[2][i]), append(l.To, cols[3][i])
			} else {
				l.Blocks[stretch].T = append(l.Blocks[stretch].T, cols[2][i])
			}
			at := len(longHeads)
			for _, b := range kept {
				switch {
				case stretch < 0:
					extendCurves(b.of(&l.Low), cols[at:at+2*joints], i)
					extendCurves(b.of(&l.High), cols[at+1:at+2*joints], i)
				case b.rows != nil:
					extendCurves(b.rows(&l.Blocks[stretch]), cols[at:at+2*joints], i)
				}
				at += 2 * joints
			}
		}
		return nil
	})
}

// extendCurves appends value i of every second column to the joints of a table.
func extendCurves(table *[][]float64, cols [][]float64, i int) {
	if *table == nil {
		*table = make([][]float64, (len(cols)+1)/2)
	}
	for k := range *table {
		(*table)[k] = append((*table)[k], cols[2*k][i])
	}
}
