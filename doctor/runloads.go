package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// lastLoad returns, by the mass and the first moments of a body on the last link, the coefficients of joint j's own columns that make its torque;
// an entry is nil where it has none.
func (rec *recording) lastLoad(tr *trialfit.Rows, j int) (out [4][]float64) {
	columns, last := rec.models.Full().Columns(), rec.joints[len(rec.joints)-1].link
	params := []int{robot.M, robot.MX, robot.MY, robot.MZ}
	for c, col := range columns {
		p := slices.Index(params, col.Param)
		if col.Term != regressor.Links || col.Link != last || p < 0 {
			continue
		}
		x := make([]float64, len(columns))
		x[c] = 1
		base := rec.models.Set().FromStandard(x)
		some := false
		by := make([]float64, 0, len(tr.W[j]))
		for _, b := range tr.Model.Mask(j) {
			by, some = append(by, base[b]), some || base[b] != 0
		}
		if some {
			out[p] = by
		}
	}
	return out
}

// togetherRuns is the fit of all joints over several runs, as one: each joint's rows in units of what its own fit leaves.
type togetherRuns struct {
	fits []*runsFit
	unit []float64
	rest []float64
}

func newTogetherRuns(fits []*runsFit) *togetherRuns {
	t := &togetherRuns{fits: fits}
	for _, b := range fits {
		u := projection.Norm(b.rest) / math.Sqrt(float64(b.count))
		if !(u > 0) {
			u = math.Inf(1)
		}
		t.unit = append(t.unit, u)
		for _, v := range b.rest {
			t.rest = append(t.rest, v/u)
		}
	}
	return t
}

// Rank returns the number of columns of all joints' fits.
func (t *togetherRuns) Rank() (n int) {
	for _, b := range t.fits {
		n += b.basis.Rank()
	}
	return n
}

// Residuals returns what the fits leave of columns of all joints.
func (t *togetherRuns) Residuals(y ...[]float64) (out [][]float64) {
	for range y {
		out = append(out, make([]float64, 0, len(t.rest)))
	}
	at := 0
	for _, b := range t.fits {
		var parts [][]float64
		for _, c := range y {
			parts = append(parts, c[at:at+len(b.y)])
		}
		for i, r := range b.basis.Residuals(parts...) {
			out[i] = append(out[i], r...)
		}
		at += len(b.y)
	}
	return out
}

// rows returns a column of all joints that is zero but in run k, where it is what own returns for a joint's equation of that run.
func (t *togetherRuns) rows(k int, own func(i int, e *runEquation) []float64) []float64 {
	out := make([]float64, len(t.rest))
	at := 0
	for i, b := range t.fits {
		if n := slices.Index(b.runs, k); n >= 0 {
			for r, v := range own(i, b.of[n]) {
				out[at+b.first[n]+r] = v / t.unit[i]
			}
		}
		at += len(b.y)
	}
	return out
}

// load looks for the run that carries a body on the last link which the others do not: it must explain the joints together better than an offset of
// each joint's own, or friction of its own, in any run. The columns of the body are then in the fits.
func (t *togetherRuns) load(ctx context.Context, s *setup, runs int) (f Finding, run int, ok bool) {
	count, most := 0, 0.0
	for _, b := range t.fits {
		count += b.count
	}
	inflation := projection.Inflation(t.rest)
	best, at := trialfit.Gain{}, -1
	var columns [][]float64
	for k := range runs {
		if ctx.Err() != nil {
			return f, 0, false
		}
		for _, of := range []func(e *runEquation) []float64{func(e *runEquation) []float64 { return e.ones }, func(e *runEquation) []float64 { return e.sign }} {
			var each [][]float64
			for j := range t.fits {
				each = append(each, t.rows(k, func(i int, e *runEquation) []float64 {
					if i != j {
						return nil
					}
					return of(e)
				}))
			}
			if g, ok := trialfit.Added(t, t.rest, count, inflation, each...); ok {
				most = max(most, g.Score)
			}
		}
		var body [][]float64
		for p := range 4 {
			if c := t.rows(k, func(_ int, e *runEquation) []float64 { return e.unitLoad(p) }); projection.Norm(c) > 0 {
				body = append(body, c)
			}
		}
		if len(body) == 0 {
			continue
		}
		g, ok := trialfit.Added(t, t.rest, count, inflation, body...)
		if ok && g.Coef[0] > 5*g.SD && g.Share > driftShare && g.Sure > togetherSure && (at < 0 || g.Score > best.Score) {
			best, at, columns = g, k, body
		}
	}
	if at < 0 || best.Score <= most {
		return f, 0, false
	}
	first := 0
	for i, b := range t.fits {
		var own [][]float64
		for _, c := range columns {
			x := slices.Clone(c[first : first+len(b.y)])
			for k := range x {
				x[k] *= t.unit[i]
			}
			own = append(own, x)
		}
		first += len(b.y)
		b.basis.Offer(own...)
		b.rest = b.basis.Residual(b.y)
	}
	last := s.joints[len(s.joints)-1]
	f = Finding{ID: Payload, Severity: Warning, Joint: last.name, Value: best.Coef[0], Limit: 5 * best.SD, Where: "the whole log"}
	f.Why = fmt.Sprintf("the torques of all joints fit %.2g kg ± %.1g more on link %s than in the other runs: a load that is not declared", best.Coef[0], 2*best.SD, s.robot.Links[last.link].Name)
	f.Hint = fmt.Sprintf("declare it: payload:%s in {terms}, and {carries} with this log; or fit the runs separately", s.robot.Links[last.link].Name)
	return f, at, true
}

// unitLoad returns the torques of a body on the last link with parameter p of one, nil for none.
func (e *runEquation) unitLoad(p int) []float64 {
	if e.last[p] == nil {
		return nil
	}
	out := make([]float64, len(e.y))
	for i, by := range e.last[p] {
		if by != 0 {
			for k, v := range e.cols[i] {
				out[k] += by * v
			}
		}
	}
	return out
}
