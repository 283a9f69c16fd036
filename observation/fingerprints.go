package observation

import "context"

// Fingerprints are the distinct fingerprints of a run that are not above the bound, in
// ascending order: hashes of positions and torques of some rows in succession.
func Fingerprints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	p := newPrints(run, bound)
	err := run.Log.Scan(p.channels, scanRows, func(_ int, cols [][]float64) error {
		p.sample.Add(cols)
		return ctx.Err()
	})
	return p.sample.Kept(), err
}
