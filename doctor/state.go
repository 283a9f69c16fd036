package doctor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/datasets"
	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// carried returns the load of the rows that the torque checks take, and the other rows. A run that picks up and puts down is
// examined in the state that most of its rows have: in the others its equations are different ones.
func carried(ctx context.Context, s *observation.State, l *datasets.Log) (load *observation.Load, others []int, err error) {
	if s.Payload.Channel == "" {
		return s.Carries, nil, nil
	}
	var flags []float64
	rows := map[float64]int{}
	if err := l.Scan([]string{s.Payload.Channel}, 0, func(_ int, cols [][]float64) error {
		for _, v := range cols[0] {
			if math.IsNaN(v) {
				v = -1
			}
			flags = append(flags, v)
			rows[v]++
		}
		return ctx.Err()
	}); err != nil {
		return nil, nil, err
	}
	most := 0.0
	for v, n := range rows {
		if n > rows[most] || n == rows[most] && v < most {
			most = v
		}
	}
	for k, v := range flags {
		if v != most {
			others = append(others, k)
		}
	}
	return s.At(most), others, nil
}

// loadParameters are the parameters of one load.
const loadParameters = len(robot.InertialNames)

// loadColumns returns, by parameter of a body on the link, the torques of all joints at the rows for a parameter of one. They
// are combinations of the rows' own columns: a load moves with its link. An entry is nil where the parameter has no effect.
func (rec *recording) loadColumns(tr *trialfit.Rows, link int) (out [loadParameters][][]float64) {
	columns := rec.models.Full().Columns()
	for c, col := range columns {
		if col.Term != regressor.Links || col.Link != link {
			continue
		}
		x := make([]float64, len(columns))
		x[c] = 1
		base := rec.models.Set().FromStandard(x)
		joints := make([][]float64, len(rec.joints))
		for j := range joints {
			if tr.W[j] == nil {
				continue
			}
			joints[j] = make([]float64, len(tr.T))
			for i, b := range tr.Model.Mask(j) {
				if base[b] == 0 {
					continue
				}
				for k, v := range tr.W[j][i] {
					joints[j][k] += base[b] * v
				}
			}
		}
		out[col.Param] = joints
	}
	return out
}

// weigh estimates the load that the run carries as what the bodies of the robot file leave of the torques, beside the friction,
// rotor inertia and offset of each joint. The tests by the file's bodies then know a load that the file does not. Without a
// load, or without bodies in the file, it does nothing.
func (rec *recording) weigh(t *trialfit.Stacked) {
	x := rec.fileValues()
	if rec.carries == nil || x == nil || t == nil {
		return
	}
	tr := t.Equations
	m, own := rec.models.Predicting(x)
	predicted := trialfit.Predict(m, own, tr.Q, tr.FDQ, tr.FDDQ)
	unit := rec.loadColumns(tr, rec.carries.Link)
	var columns []int
	for p := range unit {
		if unit[p] != nil {
			columns = append(columns, p)
		}
	}
	n := len(columns)
	if n == 0 {
		return
	}
	normal, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for _, o := range t.Joints {
		j := o.Index
		if o.Sigma == 0 || rec.joints[j].effort.role == current && rec.joints[j].gain == 0 {
			continue
		}
		friction := projection.Basis{Rows: len(tr.T)}
		friction.Offer(o.Masked(tr.FDQ[j]), o.Masked(tr.FSign[j]), o.Masked(tr.FDDQ[j]), o.Masked(slices.Repeat([]float64{1}, len(tr.T))))
		file := make([]float64, len(tr.T))
		for k, v := range o.Y {
			file[k] = v - predicted[j][k]
		}
		cols := [][]float64{o.Masked(file)}
		for _, p := range columns {
			cols = append(cols, o.Masked(unit[p][j]))
		}
		cols = friction.Residuals(cols...)
		weight := 1 / max(projection.Dot(o.Y, o.Y), math.SmallestNonzeroFloat64)
		for a := range n {
			right.SetVec(a, right.AtVec(a)+weight*projection.Dot(cols[0], cols[1+a]))
			for b := a; b < n; b++ {
				normal.SetSym(a, b, normal.At(a, b)+weight*projection.Dot(cols[1+a], cols[1+b]))
			}
		}
	}
	// Each parameter has a unit of its own: scaled, the eigenvalues tell which directions the motion shows.
	size := make([]float64, n)
	for a := range n {
		size[a] = math.Sqrt(max(normal.At(a, a), math.SmallestNonzeroFloat64))
	}
	for a := range n {
		right.SetVec(a, right.AtVec(a)/size[a])
		for b := a; b < n; b++ {
			normal.SetSym(a, b, normal.At(a, b)/size[a]/size[b])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(normal, true) {
		return
	}
	values := eigen.Values(nil)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	estimate := make([]float64, n)
	for e, value := range values {
		if value <= loadSeen*values[n-1] {
			continue
		}
		v := vectors.ColView(e)
		by := mat.Dot(v, right) / value
		for a := range n {
			estimate[a] += by * v.AtVec(a)
		}
	}
	for a, p := range columns {
		rec.load[p] = estimate[a] / size[a]
	}
}

// loadSeen is the part of the largest eigenvalue of a load's normal matrix below which a direction is not estimated: a thousandth
// of the largest effect, squared, is far below the part of a torque that a file's bodies explain.
const loadSeen = 1e-6
