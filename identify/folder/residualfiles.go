package folder

import (
	"context"
	"path/filepath"
	"slices"

	"ident/result"
)

// Names within a result's folder of the torques that its page and plots are drawn from again.
//
// residuals.parquet has the rows of all runs below each other: of a long run one row in as many as its stride says.
// long.parquet has the rest of long runs: the least and the largest value of each curve in buckets of rows, and the
// stretches at full rate about the largest residuals. A result without long runs has no such file, and results before
// version 0.3 have none at all.
const (
	residualsFile = "residuals.parquet"
	longRunsFile  = "long.parquet"
)

// residualFiles lists the names within a result's folder.
func residualFiles() []string { return []string{residualsFile, longRunsFile} }

// writeResiduals stores the runs in a folder.
func writeResiduals(ctx context.Context, dir string, runs []result.ResidualRun) error {
	if err := writeResidualRows(ctx, filepath.Join(dir, residualsFile), runs); err != nil {
		return err
	}
	return writeLongRuns(ctx, filepath.Join(dir, longRunsFile), runs)
}

// readResiduals reads the runs of a folder back, for as many joints; nil where the folder has none.
func readResiduals(ctx context.Context, dir string, joints int) ([]result.ResidualRun, error) {
	runs, err := readResidualRows(ctx, filepath.Join(dir, residualsFile), joints)
	if err != nil {
		return nil, err
	}
	return runs, readLongRuns(ctx, filepath.Join(dir, longRunsFile), runs, joints)
}

// repeated returns a column of n like values.
func repeated(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }
