package observation

import (
	"context"
	"slices"

	"ident/datasets"
)

// prints are the fingerprints of a run up to a bound, ascending, with what they were taken of.
type prints struct {
	log        *datasets.Log
	channels   []string // those of positions first
	gains      []float64
	bound      uint64
	successive []uint64 // of rows in succession
	single     []uint64 // of single rows
	compared   *printsCompared
}

// printsCompared are runs that were compared with each other. All of them point to it.
type printsCompared struct{ training, runs int }

// of reports whether p are the fingerprints of a run up to a bound.
func (p *prints) of(r *Run, bound uint64) bool {
	return p != nil && p.log == r.Log && p.bound == bound && slices.Equal(p.channels, r.printed()) && slices.Equal(p.gains, r.Gains)
}

// wereCompared reports whether the same runs were compared before, and found to have nothing in common.
func wereCompared(runs []Run, training int, bound uint64) bool {
	runs = byContent(runs, training)
	for i := range runs {
		p := runs[i].prints
		if !p.of(&runs[i], bound) || p.compared == nil || p.compared != runs[0].prints.compared || *p.compared != (printsCompared{training, len(runs)}) {
			return false
		}
	}
	return true
}

// printed returns the channels of which fingerprints are taken, those of positions first.
func (r *Run) printed() []string { return slices.Concat(r.Roles.Q, r.Torques()) }

// print takes the fingerprints of a run up to bound, unless the run has them.
func (r *Run) print(ctx context.Context, bound uint64) (err error) {
	if r.prints.of(r, bound) {
		return nil
	}
	p := &prints{log: r.Log, channels: r.printed(), gains: slices.Clone(r.Gains), bound: bound}
	successive := newCommonSample(len(p.channels), len(r.Roles.Q), p.gains, bound)
	single := &rowSample{positions: len(r.Roles.Q), gains: p.gains, bound: bound}
	err = r.Log.Scan(p.channels, scanRows, func(_ int, cols [][]float64) error {
		successive.Add(cols)
		single.add(cols)
		return ctx.Err()
	})
	p.successive, p.single = successive.Kept(), single.kept()
	if r.prints = p; err != nil {
		r.prints = nil
	}
	return err
}

// Fingerprints returns the distinct fingerprints of a run up to bound, ascending: hashes of positions and torques in
// some successive rows.
func Fingerprints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	own := *run
	if err := own.print(ctx, bound); err != nil {
		return nil, err
	}
	return own.prints.successive, nil
}

// RowPrints returns the distinct fingerprints of a run's single rows up to bound, ascending: hashes of positions and torques to five
// digits. They find a log whose rows are rows of another, thinned, cut, in another order, or printed with fewer digits, where no rows
// in succession are common. Single rows of coarse channels also agree by chance, so that [CommonPart] of them counts.
func RowPrints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	own := *run
	if err := own.print(ctx, bound); err != nil {
		return nil, err
	}
	return own.prints.single, nil
}
