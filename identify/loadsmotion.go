package identify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/excite"
	"ident/filter"
	"ident/identify/project"
	"ident/mechanics/loads"
	"ident/observation"
	"ident/regressor"
)

// loadsMotion is a series with the texts that tell where it is from.
type loadsMotion struct {
	loads.Series
	about string
	notes []string
}

// open reads a motion.
func (s *LoadedRobot) open(ctx context.Context, path string, rate float64) (*loadsMotion, error) {
	logged, err := s.logged(ctx, path)
	if err != nil {
		return nil, err
	}
	if logged {
		return s.filtered(ctx, path)
	}
	return s.sampled(ctx, path, rate)
}

// logged reports whether the file is a log of a robot and not a trajectory: it has torques or currents.
func (s *LoadedRobot) logged(ctx context.Context, path string) (bool, error) {
	if project.IsJSON(path) || project.IsTask(path) {
		return false, nil
	}
	l, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return false, fmt.Errorf("motion: %w", err)
	}
	defer l.Close()
	roles, _, err := datasets.MapChannels(l, s.jointNames(), nil)
	if err != nil {
		return true, nil // its channels may need the settings of the project
	}
	some := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n != "" })
	}
	return some(roles.Tau) || some(roles.Current), nil
}

// sampled evaluates a trajectory at a rate, Hz.
func (s *LoadedRobot) sampled(ctx context.Context, path string, rate float64) (*loadsMotion, error) {
	sampler, notes, err := project.OpenMotion(ctx, path, s.Robot)
	if err != nil {
		return nil, err
	}
	r, ways, err := project.AssembledFor(ctx, s.Settings, s.Robot, sampler)
	if err != nil {
		return nil, fmt.Errorf("trajectory %s: %w", path, err)
	}
	s.Robot = r
	if err := excite.Samples(sampler, rate); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	n := int(math.Floor(sampler.Duration()*rate*(1+1e-12))) + 1
	m := &loadsMotion{about: fmt.Sprintf("%s, %.4g s at %.4g Hz", path, sampler.Duration(), rate), notes: append(notes, ways...)}
	joints := sampler.DOF()
	for range joints {
		m.Q, m.DQ, m.DDQ = append(m.Q, make([]float64, n)), append(m.DQ, make([]float64, n)), append(m.DDQ, make([]float64, n))
	}
	q, dq, ddq := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	for k := range n {
		t := float64(k) / rate
		m.T = append(m.T, t)
		sampler.Eval(t, q, dq, ddq)
		for i := range joints {
			m.Q[i][k], m.DQ[i][k], m.DDQ[i][k] = q[i], dq[i], ddq[i]
		}
	}
	if s.model == nil {
		return m, nil
	}
	if s.model.model.Needs() != 0 {
		return nil, fmt.Errorf("%s: the model of the result has terms of channels that a trajectory does not hold (a payload, a wrench, a load or a contact); give a log", path)
	}
	m.Tau = make([][]float64, joints)
	for i := range m.Tau {
		m.Tau[i] = make([]float64, n)
	}
	return m, regressor.NewTorques(s.model.model).Eval(m.Tau, regressor.Batch{Q: m.Q, DQ: m.DQ, DDQ: m.DDQ}, s.model.values)
}

// filtered takes the motion of a log through the signal path of a fit.
func (s *LoadedRobot) filtered(ctx context.Context, path string) (*loadsMotion, error) {
	logs, err := project.OpenLogs(ctx, s.Settings, []string{path})
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(logs)
	terms := regressor.DefaultTerms()
	if s.model != nil {
		terms = s.model.fitted.Terms
	}
	ses, err := project.Prepare(ctx, s.Settings, s.source, logs, project.ToCheck)
	if err != nil {
		return nil, err
	}
	if err := s.Settings.Supply(ses, terms); err != nil {
		return nil, err
	}
	s.Robot = ses.Robot
	var model *regressor.Model
	var values []float64
	if s.model != nil {
		if got, want := project.JointNames(ses.Robot), s.model.fitted.Result.Joints; !slices.Equal(got, want) {
			return nil, fmt.Errorf("the result has the joints %q, the log %q", want, got)
		}
		model, values = s.model.model, s.model.values
	} else if model, err = regressor.NewDynamic(ses.Robot, []regressor.Term{regressor.Links}); err != nil {
		return nil, err
	}
	m := &loadsMotion{about: path, notes: append(ses.Warnings, ses.Notes...)}
	for i := range ses.Runs {
		run := &ses.Runs[i]
		if run.Gains == nil && slices.Contains(run.Roles.Tau, "") {
			run.UnknownGains = true // the motion alone is used: currents without gains will do
		}
		if err := m.read(ctx, s, &ses.Runs[i], model, values, i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read appends the motion of a run, segment after segment.
func (m *loadsMotion) read(ctx context.Context, s *LoadedRobot, run *observation.Run, model *regressor.Model, values []float64, index int) error {
	segments, _, err := observation.Segments(index, run, run.Channels(true, true), s.Settings.OnBad == "drop")
	if err != nil {
		return err
	}
	set, choice, err := m.settings(ctx, s, run, segments)
	if err != nil {
		return err
	}
	layout := observation.NewLayout(run, choice)
	var sources []observation.Source
	for k := range segments {
		f, err := observation.NewFilters(set, segments[k].DT)
		if err != nil {
			return fmt.Errorf("%s: %w", run.Name, err)
		}
		sources = append(sources, observation.Source{Run: run, Segment: &segments[k], Layout: layout, Filters: f, Plan: f.Plan(1<<15, 0, 0)})
	}
	observer := observation.NewObserver(model, observation.Known{}, project.LinksOf(s.Robot, s.Settings.Unactuated))
	offset := 0.0
	if n := len(m.T); n > 0 {
		offset = m.T[n-1] + 1e3 // of a further run: a gap that no integral counts
	}
	return observation.Pass(ctx, sources, 1, func(_ int, c *observation.Chunk) (*loads.Series, error) {
		var v observation.Observation
		var err error
		if values == nil {
			v, err = observer.Predict(c, make([]float64, len(model.Columns())), nil)
		} else {
			v, err = observer.Predict(c, values, nil)
		}
		if err != nil {
			return nil, err
		}
		part := &loads.Series{}
		cut := func(x [][]float64) (out [][]float64) {
			for _, col := range x {
				out = append(out, slices.Clone(col[v.Lo:v.Hi]))
			}
			return out
		}
		for p := v.Lo; p < v.Hi; p++ {
			part.T = append(part.T, c.Time(p)+offset)
		}
		part.Q, part.DQ, part.DDQ = cut(v.Motion.Q), cut(v.Motion.DQ), cut(v.Motion.DDQ)
		if values != nil {
			part.Tau = cut(v.Predicted)
		}
		return part, nil
	}, func(part *loads.Series) error {
		m.T = append(m.T, part.T...)
		for _, g := range []struct {
			to   *[][]float64
			from [][]float64
		}{{&m.Q, part.Q}, {&m.DQ, part.DQ}, {&m.DDQ, part.DDQ}, {&m.Tau, part.Tau}} {
			if *g.to == nil && g.from != nil {
				*g.to = make([][]float64, len(g.from))
			}
			for i, x := range g.from {
				(*g.to)[i] = append((*g.to)[i], x...)
			}
		}
		return nil
	})
}

// settings returns the filter settings of the motion: those of the result, otherwise those of the project, otherwise by
// the noise of the log's positions.
func (m *loadsMotion) settings(ctx context.Context, s *LoadedRobot, run *observation.Run, segments []observation.Segment) (observation.Settings, observation.Choice, error) {
	p := s.Settings
	cfg := project.ConfigOf(p, run.Log, run.Roles.T)
	set := motionSettings(cfg.Path, p.TrimSeconds())
	set.Velocity, set.Acceleration = cmp.Or(p.Velocity, observation.Auto), cmp.Or(p.Acceleration, observation.Auto)
	auto := false
	switch {
	case p.MotionCutoff != nil:
		set.MotionCutoff = *p.MotionCutoff
	case s.model != nil && s.model.fitted.Result.Processing.MotionCutoff > 0:
		done := s.model.fitted.Result.Processing
		set.MotionCutoff, set.MotionOrder = done.MotionCutoff, done.MotionOrder
	default:
		set.MotionCutoff, auto = math.Min(50, 0.2/segments[0].DT), true
	}
	choice, err := observation.Choose(ctx, set, run, &segments[0])
	if err != nil {
		return set, choice, err
	}
	if auto && choice.Velocity == observation.FromPosition {
		noise, err := observation.MeasureNoise(ctx, run, segments)
		if err != nil {
			return set, choice, err
		}
		set.MotionCutoff, _ = observation.MotionCutoff([][]observation.JointNoise{noise}, set.MotionCutoff, filter.LowPass{Cutoff: cfg.Cutoff, Order: set.Order})
		set.MotionOrder = filter.MotionOrder
	}
	set.VelocityLag = choice.VelocityLag
	m.about = fmt.Sprintf("%s, velocity from %s, acceleration from %s, low-pass at %.3g Hz", run.Name, choice.Velocity, choice.Acceleration, set.MotionCutoff)
	return set, choice, nil
}

func rootOf(x float64) float64 { return math.Sqrt(math.Max(0, x)) }
