package trialfit

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/projection"
	"ident/internal/orderstat"
	"ident/regressor"
	"ident/robot"
)

// Limits on a load that is picked up and put down.
const (
	// Number of equal parts of the log. In each part the load is taken to be on or off.
	loadParts = 16
	// A joint shows the load if the load explains at least loadShare of the joint's residual sum of squares and differs
	// from zero by loadShown standard deviations (residuals are correlated). Two joints must show it, one of them with
	// loadSure. In 34 measured logs without a fault no two joints showed the same mass; a single joint had at most 10
	// standard deviations.
	loadShare = 0.1
	loadShown = 4.0
	loadSure  = 8.0
	// The joint with loadSure must have this fraction of its residual explained. A position with a zero error of 0.3
	// rad looked like a load that was carried three times, and explained 0.12.
	loadClear = 0.2
	// In that joint the load must also contribute this fraction of the torque.
	loadEffect = 0.02
	// A joint agrees if its mass is within this factor of the common mass, either way: the load is not at the origin of
	// the link's frame.
	loadAgree = 1.5
	// One load that is on in some parts must explain this fraction of what a separate load in each part explains.
	loadTwo = 0.8
)

// Load is a mass on one link that is present in some parts of the log, found from the equations of several joints.
type Load struct {
	Mass   float64      // kg
	Joints []int        // indices of the model's joints whose torques show the load
	Spans  [][2]float64 // intervals [from, to) in which the load is carried, s
}

// UnitMass returns the torque of every joint of a mass of one kilogram at the origin of a link's frame.
func (tr *Rows) UnitMass(models *Models, link int) [][]float64 {
	columns := models.Full().Columns()
	x := make([]float64, len(columns))
	for c, col := range columns {
		if col.Term == regressor.Links && col.Link == link && col.Param == robot.M {
			x[c] = 1
		}
	}
	m, x := models.Predicting(x)
	return Predict(m, x, tr.Q, tr.FDQ, tr.FDDQ)
}

// Times lists the spans, since the log's start.
func (l Load) Times(start float64) string {
	var spans []string
	for _, s := range l.Spans {
		spans = append(spans, fmt.Sprintf("%.5g to %.5g s", s[0]-start, s[1]-start))
	}
	return strings.Join(spans, ", ")
}

// FindLoad looks for a load by unit, the torque of every joint of a mass of one kilogram on the link; joints with nil
// fits or torques are ignored. The load m_b of part b is estimated from the joints' own equations, weighted by their
// residuals,
//
//	min Σ_j 1/σ_j²·‖r_j − Σ_b m_b·v_jb‖²,   v_jb the part of the unit's torque in part b that the model leaves,
//
// and one load in the parts where it explains most has to do nearly as well. A load in all parts is one of the model's own
// columns.
func FindLoad(tr *Rows, fits []*Joint, unit [][]float64) (l Load, ok bool) {
	n := len(tr.T)
	if n < 8*loadParts {
		return l, false
	}
	edge := func(b int) int { return b * n / loadParts }
	normal, right := mat.NewSymDense(loadParts, nil), mat.NewVecDense(loadParts, nil)
	shown := make([]bool, len(fits))
	joint := tr.memory.Mark()
	defer tr.memory.Return(joint)
	for j, f := range fits {
		if f == nil || unit[j] == nil || !(projection.Norm(f.Rest) > 0) {
			continue
		}
		tr.memory.Return(joint)
		cols := make([][]float64, loadParts)
		for b := range cols {
			cols[b] = tr.memory.Zeros(n)
			copy(cols[b][edge(b):edge(b+1)], unit[j][edge(b):edge(b+1)])
			f.count(cols[b])
		}
		if projection.Norm(f.counted(unit[j])) < loadEffect*projection.Norm(f.Y) {
			continue // a kilogram is not seen in this joint
		}
		shown[j] = true
		left := f.Basis.Candidates(cols...)
		weight := 1 / (f.Sigma * f.Sigma * f.Inflate)
		for a := range loadParts {
			right.SetVec(a, right.AtVec(a)+weight*projection.Dot(cols[a], f.Rest))
			for b := range a + 1 {
				normal.SetSym(a, b, normal.At(a, b)+weight*projection.Left(left[a], left[b]))
			}
		}
	}
	on, gained := bestParts(normal, right)
	// The same load in all parts cannot be seen in the residual. So the mean over the parts is free and is set to zero,
	// the value of a part at rest.
	hold := mat.Trace(normal) / loadParts
	for a := range loadParts {
		normal.SetSym(a, a, normal.At(a, a)+1e-6*hold)
		for b := range a + 1 {
			normal.SetSym(a, b, normal.At(a, b)+hold/loadParts)
		}
	}
	var chol mat.Cholesky
	var parts mat.VecDense
	if !(hold > 0) || !chol.Factorize(normal) || chol.SolveVecTo(&parts, right) != nil || gained < loadTwo*mat.Dot(&parts, right) {
		return l, false
	}
	var masses []float64
	sure := false
	for j, f := range fits {
		if !shown[j] {
			continue
		}
		column := make([]float64, n)
		for b, o := range on {
			if o {
				copy(column[edge(b):edge(b+1)], unit[j][edge(b):edge(b+1)])
			}
		}
		g, ok := f.Added(column)
		if !ok || g.Coef[0] <= 0 || g.Sure < loadShown || g.Share < loadShare {
			continue
		}
		l.Joints, masses = append(l.Joints, j), append(masses, g.Coef[0])
		sure = sure || g.Sure > loadSure && g.Share > loadClear && g.Effect > loadEffect*f.Size()
	}
	if !sure {
		return l, false
	}
	l.Mass = orderstat.Median(masses)
	agree := 0
	for _, m := range masses {
		if m < loadAgree*l.Mass && m > l.Mass/loadAgree {
			agree++
		}
	}
	if agree < 2 || 2*agree < len(masses) {
		return l, false
	}
	for b := range on {
		switch from, to := tr.T[edge(b)], tr.T[edge(b+1)-1]; {
		case !on[b]:
		case b > 0 && on[b-1]:
			l.Spans[len(l.Spans)-1][1] = to
		default:
			l.Spans = append(l.Spans, [2]float64{from, to})
		}
	}
	return l, true
}

// bestParts marks the parts s of the log in which one load explains most, (s·b)²/(s·A·s). It starts with the best
// instant from which the load is on, then changes single parts as long as that helps. The load of the marked parts is
// not less than that of the others.
func bestParts(a mat.Symmetric, b *mat.VecDense) (on []bool, most float64) {
	gain := func(on []bool) (along, gain float64) {
		size := 0.0
		for i, o := range on {
			for k, p := range on {
				if o && p {
					size += a.At(i, k)
				}
			}
			if o {
				along += b.AtVec(i)
			}
		}
		if size <= 0 {
			return 0, 0
		}
		return along, along * along / size
	}
	on = make([]bool, b.Len())
	for first := 1; first < len(on); first++ {
		from := make([]bool, len(on))
		for i := first; i < len(on); i++ {
			from[i] = true
		}
		if _, g := gain(from); g > most {
			on, most = from, g
		}
	}
	for better := true; better; {
		better = false
		for i := range on {
			on[i] = !on[i]
			if _, g := gain(on); g > most {
				most, better = g, true
			} else {
				on[i] = !on[i]
			}
		}
	}
	if along, _ := gain(on); along < 0 {
		for i := range on {
			on[i] = !on[i]
		}
	}
	return on, most
}
