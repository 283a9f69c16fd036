package regression

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// kept is a change that changes nothing and keeps all rows.
type kept struct {
	mu     sync.Mutex
	memory int
	parts  []estimate.Batch
}

func (*kept) Masks(masks [][]int) [][]int { return masks }
func (k *kept) Memory() int               { return k.memory }
func (k *kept) Apply(s *estimate.Batch) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.parts = append(k.parts, *s)
}

// rows puts the parts together, and checks that the memory of a part equals the rows
// of its predecessors.
func (k *kept) rows(t *testing.T, columns int, masks [][]int, block int) *estimate.Rows {
	t.Helper()
	slices.SortFunc(k.parts, func(a, b estimate.Batch) int { return (a.At + a.Lead) - (b.At + b.Lead) })
	whole := estimate.NewRows(columns, masks, block)
	cols, y := make([][][]float64, len(masks)), make([][]float64, len(masks))
	for i, p := range k.parts {
		if want := min(p.At+p.Lead, k.memory); p.Lead != want || p.At+p.Lead != len(y[0]) {
			t.Fatalf("part %d: row %d after %d rows, with %d before it instead of %d", i, p.At+p.Lead, len(y[0]), p.Lead, want)
		}
		for j := range masks {
			if cols[j] == nil {
				cols[j] = make([][]float64, len(masks[j]))
			}
			for r := range p.Lead {
				if e := math.Abs(p.Y[j][r] - y[j][p.At+r]); !(e < 1e-9) {
					t.Fatalf("part %d: remembered row %d of joint %d is off by %g", i, p.At+r, j+1, e)
				}
			}
			y[j] = append(y[j], p.Y[j][p.Lead:]...)
			for c := range cols[j] {
				cols[j][c] = append(cols[j][c], p.Columns[j][c][p.Lead:]...)
			}
		}
	}
	whole.AddRun(cols, y)
	return whole
}

// looking is an Estimator that inspects the rows of a fit.
type looking struct {
	look func(context.Context, *estimate.Problem) error
}

func (looking) Name() string { return "looking" }

func (l looking) Estimate(ctx context.Context, p *estimate.Problem) (*estimate.Solution, error) {
	// Cross-validation estimates from parts of the reduction, which have no rows to read again.
	if p.Rows != nil {
		if err := l.look(ctx, p); err != nil {
			return nil, err
		}
	}
	return p.Reduction.Solve(estimate.WLS, false)
}

// Further passes hand out the rows of the first one, in chunks of any length and
// through every filter, and estimators that take them find the estimates of the
// rows in memory.
func TestFurtherPasses(t *testing.T) {
	r := arm(2)
	run := noisy(t, r, 100, 20, true)
	for name, cfg := range map[string]Config{
		"no filter": {Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}},
		"low-pass":  {Path: observation.Path{Cutoff: 8, MotionCutoff: NoFilter}},
		"decimated": {Path: observation.Path{Decimate: 5, MotionCutoff: NoFilter, Trim: 0.3}},
	} {
		if !long.Set() && name != "low-pass" {
			continue
		}
		for _, chunk := range []int{70, 1000}[:long.Of(2, 1)] {
			t.Run(name, func(t *testing.T) {
				cfg.chunk = chunk
				cfg.Estimator = func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error) {
					return looking{func(ctx context.Context, p *estimate.Problem) error {
						columns, masks := p.Reduction.Columns(), p.Reduction.Masks()
						k := &kept{memory: 7}
						again, err := p.Rows.Reduce(ctx, k)
						if err != nil {
							return err
						}
						memory := k.rows(t, columns, masks, 50).Problem()
						for j, n := range again.Rows() {
							if n != p.Reduction.Rows()[j] || n != memory.Reduction.Rows()[j] || len(again.Blocks()) != len(p.Reduction.Blocks()) {
								t.Errorf("%d rows, %d in memory, first %d", n, memory.Reduction.Rows()[j], p.Reduction.Rows()[j])
							}
						}
						want, err := p.Reduction.Solve(estimate.WLS, false)
						if err != nil {
							return err
						}
						got, err := again.Solve(estimate.WLS, false)
						if err != nil {
							return err
						}
						// Chunks that reach further back round otherwise.
						near(t, "the same rows", got, want, 1e-6)
						for _, e := range []estimate.Estimator{estimate.GLS{MaxOrder: 4}, estimate.Cross{}, estimate.IRLS{}} {
							if want, err = e.Estimate(ctx, memory); err != nil {
								return err
							}
							if got, err = e.Estimate(ctx, p); err != nil {
								return err
							}
							near(t, e.Name(), got, want, 1e-3)
						}
						return nil
					}}, nil
				}
				if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// near compares estimates, in deviations.
func near(t *testing.T, what string, got, want *estimate.Solution, tolerance float64) {
	t.Helper()
	for i := range want.X {
		if e := math.Abs(got.X[i]-want.X[i]) / math.Sqrt(want.Covariance[i][i]); !(e < tolerance) {
			t.Errorf("%s: parameter %d is off by %.3g deviations", what, i+1, e)
		}
	}
}
