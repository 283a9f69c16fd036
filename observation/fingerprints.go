package observation

import "context"

// Fingerprints returns the distinct fingerprints of a run up to bound, ascending: hashes of positions and torques in
// some successive rows.
func Fingerprints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	p := newPrints(run, bound)
	err := run.Log.Scan(p.channels, scanRows, func(_ int, cols [][]float64) error {
		p.sample.Add(cols)
		return ctx.Err()
	})
	return p.sample.Kept(), err
}
