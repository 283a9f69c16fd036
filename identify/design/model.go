package design

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/excite"
	"ident/identify/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// A Model is the model that a trajectory is designed for.
type Model struct {
	Robot *robot.Robot
	Terms []regressor.Term
	Set   *baseparams.Set  // base parameters
	Model *regressor.Model // of the base parameters alone
	// Values are the base parameters of the robot file, nil if it has no inertial parameters.
	Values []float64
}

// OpenModel reads the robot for a design and determines its base parameters.
func OpenModel(ctx context.Context, s *project.Settings) (*Model, error) {
	r, err := project.FindRobot(s, true)
	if err != nil {
		return nil, err
	}
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	if r, err = project.Lock(r, s.Lock); err != nil {
		return nil, err
	}
	if err := project.CheckFitted(r); err != nil {
		return nil, err
	}
	m := &Model{Robot: project.AssembledWithin(ctx, s, r)}
	if m.Terms, err = project.ParseTerms(s, regressor.DefaultTerms()); err != nil {
		return nil, err
	}
	full, err := regressor.NewDynamic(m.Robot, m.Terms)
	if err != nil {
		return nil, err
	}
	if c, ok := full.Differentiable(); !ok {
		return nil, project.NewSettingError("terms", string(c.Term), "{terms}: trajectories are designed for links, Ia, Fv, Fs and Fo; leave out %s", c.Term)
	}
	if m.Set, err = baseparams.QRContext(ctx, full, baseparams.Options{Seed: s.Seed}); err != nil {
		return nil, err
	}
	m.Model = full.Select(m.Set.Base)
	m.Values = valuesOfFile(m.Robot, full, m.Set)
	return m, nil
}

// valuesOfFile returns the base parameters computed from the robot file, or nil if the model has no links or the file
// lacks an inertial.
func valuesOfFile(r *robot.Robot, full *regressor.Model, set *baseparams.Set) []float64 {
	chi := make([]float64, len(full.Columns()))
	links := false
	for c, col := range full.Columns() {
		v, ok := regressor.ValueOf(r, col)
		if col.Term == regressor.Links {
			if links = true; !ok {
				return nil
			}
		}
		chi[c] = v
	}
	if !links {
		return nil
	}
	return set.FromStandard(chi)
}

// uncertaintyOf returns percent % of each value's magnitude.
func uncertaintyOf(values []float64, percent float64) []float64 {
	var u []float64
	for _, v := range values {
		u = append(u, percent/100*math.Abs(v))
	}
	return u
}

// priorRows returns the rows of independent priors with a standard deviation of percent % of each value, divided by that
// standard deviation. A zero value gets no row.
func priorRows(values []float64, percent float64) [][]float64 {
	var rows [][]float64
	for c, v := range values {
		if v != 0 {
			row := make([]float64, len(values))
			row[c] = 100 / (percent * math.Abs(v))
			rows = append(rows, row)
		}
	}
	return rows
}

// An EarlierFit is what an earlier result contributes to a design: knowledge by base parameter of the design, and the
// noise of its logs.
type EarlierFit struct {
	Values, Sigma []float64
	PriorRows     [][]float64
	Noise         []float64 // standard deviation of independent torque samples, by joint
	RateHz        float64   // rate of those samples
}

// Earlier reads what a result in folder dir contributes to the design. It must be of the same robot and terms.
func (m *Model) Earlier(dir string, res *result.Result) (*EarlierFit, error) {
	if res.Model != "" && res.Model != "dynamic" {
		return nil, fmt.Errorf("%s is a fit of the %s model; a design needs a fit of the dynamic model", dir, res.Model)
	}
	if res.Robot.SHA256 != m.Robot.Source.SHA256 {
		return nil, fmt.Errorf("%s is a fit of robot %q from another robot file", dir, res.Robot.Name)
	}
	names := m.Set.Names()
	index := make([]int, len(res.BaseParameters))
	for i, b := range res.BaseParameters {
		if index[i] = slices.Index(names, b.Name); index[i] < 0 {
			return nil, project.NewHintError("terms", strings.Join(res.Terms, ","), "%s: it has the base parameter %s, the design has not; give both the same {terms} (%s) and {lock}",
				dir, b.Name, strings.Join(res.Terms, ","))
		}
	}
	if len(res.Covariance) != len(index) || len(res.NoiseSigma) != len(m.Robot.Independent()) {
		return nil, fmt.Errorf("%s: its result.json has no covariance of its parameters or noise of its joints", dir)
	}
	e := &EarlierFit{Values: make([]float64, len(names)), Sigma: make([]float64, len(names)), RateHz: res.Samples.RateHz}
	var err error
	if e.PriorRows, err = excite.PriorRowsFrom(res.Covariance, index, len(names)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	for i, b := range res.BaseParameters {
		e.Sigma[index[i]], e.Values[index[i]] = b.Sigma, b.Value
	}
	// Correlated samples count as fewer independent ones; as many with more noise is the same.
	e.Noise = slices.Clone(res.NoiseSigma)
	for i, inflation := range res.CorrelationInflation[:min(len(e.Noise), len(res.CorrelationInflation))] {
		e.Noise[i] *= math.Sqrt(inflation)
	}
	return e, nil
}

// givenMotion reads a trajectory and interpolates its samples by polynomials.
func givenMotion(ctx context.Context, path string, r *robot.Robot) (excite.Motion, error) {
	m, _, err := project.OpenMotion(ctx, path, r)
	if err != nil {
		return nil, err
	}
	if own, ok := m.(excite.Motion); ok {
		return own, nil
	}
	// 200 Hz is fine for any motion of a robot: it reproduces the acceleration between samples of a 10 Hz motion to a
	// part in a thousand.
	const rate = 200
	if err := excite.Samples(m, rate); err != nil {
		return nil, fmt.Errorf("motion %s: %w", path, err)
	}
	n := max(2, int(math.Ceil(m.Duration()*rate)))
	t := make([]float64, n+1)
	var x [3][][]float64
	for o := range x {
		x[o] = make([][]float64, m.DOF())
		for i := range x[o] {
			x[o][i] = make([]float64, n+1)
		}
	}
	q, dq, ddq := make([]float64, m.DOF()), make([]float64, m.DOF()), make([]float64, m.DOF())
	for k := range t {
		t[k] = m.Duration() * float64(k) / float64(n)
		m.Eval(t[k], q, dq, ddq)
		for i := range q {
			x[0][i][k], x[1][i][k], x[2][i][k] = q[i], dq[i], ddq[i]
		}
	}
	return excite.Through(project.JointNames(r), t, x[0], x[1], x[2])
}

// tipAt returns the point of a link whose speed is limited, in m/s. at is in the link's own frame. If it is nil, the point
// is the origin of the body that a fixed joint attaches to the link (a flange or tool), otherwise the link's origin.
func tipAt(r *robot.Robot, link int, at *[3]float64, speed float64) *excite.Tip {
	l := &r.Links[link]
	tip := &excite.Tip{Link: link, Name: l.Name, Speed: speed, At: l.UserFrame.P}
	if at != nil {
		tip.At = l.UserFrame.Apply(*at)
		return tip
	}
	for _, lumped := range r.Lumped {
		if lumped.Into == link {
			tip.At = lumped.InLink.P
		}
	}
	return tip
}
