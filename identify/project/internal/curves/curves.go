package curves

import (
	"context"
	"path/filepath"
	"slices"

	"ident/result"
)

// Names within a result's folder.
const (
	rowsFile = "residuals.parquet"
	longFile = "long.parquet"
)

// Files lists the names within a result's folder.
func Files() []string { return []string{rowsFile, longFile} }

// Write stores the runs in a folder.
func Write(ctx context.Context, dir string, runs []result.ResidualRun) error {
	if err := writeRows(ctx, filepath.Join(dir, rowsFile), runs); err != nil {
		return err
	}
	return writeLong(ctx, filepath.Join(dir, longFile), runs)
}

// Read reads the runs of a folder back, for as many joints; nil where the folder has none.
func Read(ctx context.Context, dir string, joints int) ([]result.ResidualRun, error) {
	runs, err := readRows(ctx, filepath.Join(dir, rowsFile), joints)
	if err != nil {
		return nil, err
	}
	return runs, readLong(ctx, filepath.Join(dir, longFile), runs, joints)
}

// repeat returns a column of n like values.
func repeat(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }
