package observation

import (
	"context"
	"slices"

	"ident/internal/fingerprint"
)

// Fingerprints are the distinct fingerprints of a run that are not above the bound, in
// ascending order: hashes of positions and torques of some rows in succession.
func Fingerprints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	torques := run.Torques()
	joints := len(run.Roles.Q)
	sample := fingerprint.New(joints+len(torques), joints, run.Gains, bound)
	err := run.Log.Scan(slices.Concat(run.Roles.Q, torques), scanRows, func(_ int, cols [][]float64) error {
		sample.Add(cols)
		return ctx.Err()
	})
	return sample.Kept(), err
}
