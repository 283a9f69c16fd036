package estimate

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"ident/internal/triangle"
)

// ChosenMAP is MAP with the weight that ChooseWeight determines from the training rows; MAP's own Weight is ignored.
type ChosenMAP struct{ MAP }

// Estimate chooses the weight and estimates with it. Solution.Remarks names the weight.
func (m ChosenMAP) Estimate(ctx context.Context, p *Problem) (*Solution, error) {
	whole, err := p.Reduction.Solve(WLS, true)
	if err != nil {
		return nil, err
	}
	weights, _ := whole.independent() // parts of the rows tell less of their correlation
	choice, err := p.Reduction.ChooseWeight(ctx, WLS, WeightGrid(), func(rest *Reduction, _ *Solution) (func(float64) ([]float64, error), error) {
		var work triangle.Work
		rows := triangle.New(rest.columns)
		for k, mask := range rest.masks {
			rows.MergeColumns(rest.Joint(k, &work), mask, weights[k], &work)
		}
		return func(weight float64) ([]float64, error) {
			at := m.MAP
			at.Weight = weight
			prior, err := at.factor()
			if err != nil {
				return nil, err
			}
			f := rows.Clone()
			f.Merge(prior, &work)
			x := append([]float64(nil), f.Z...)
			blas64.Trsv(blas.NoTrans, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: f.N, Stride: max(f.N, 1), Data: f.R}, blas64.Vector{N: f.N, Inc: 1, Data: x})
			return x, nil
		}, nil
	})
	if err != nil {
		return nil, err
	}
	at := m.MAP
	at.Weight = choice.Weight
	s, err := at.Estimate(ctx, p)
	if err == nil {
		s.Remarks = append(s.Remarks, fmt.Sprintf("weight %.3g of the prior: %s", choice.Weight, choice.Explanation()))
	}
	return s, err
}
