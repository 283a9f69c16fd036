package trialfit

import (
	"sync"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// Models are those of one robot that the fits of all its logs share. They are computed at the first use, and may be used by
// several goroutines.
type Models struct {
	robot *robot.Robot
	terms []regressor.Term
	full  *regressor.Model
	set   func() *baseparams.Set
	base  func() *regressor.Model
	whole bool // the base parameters predict any motion of all joints

	mutex     sync.Mutex
	byGravity map[[3]float64]*regressor.Model
	scratch   Scratch
}

// NewModels returns the models of a robot's terms, with the base parameters that opt determines. The error is that of
// regressor.NewDynamic.
func NewModels(r *robot.Robot, terms []regressor.Term, opt baseparams.Options) (*Models, error) {
	model, err := regressor.NewDynamic(r, regressor.OfMotion(terms))
	if err != nil {
		return nil, err
	}
	m := &Models{robot: r, terms: terms, full: model.Compiled(), whole: len(opt.Immobile) == 0, byGravity: map[[3]float64]*regressor.Model{}}
	m.set = sync.OnceValue(func() *baseparams.Set { return baseparams.QR(model, opt) })
	m.base = sync.OnceValue(func() *regressor.Model { return model.Select(m.set().Base).Compiled() })
	return m, nil
}

// Robot returns the robot of the models. The caller must not change it.
func (m *Models) Robot() *robot.Robot { return m.robot }

// Full returns the model of all terms.
func (m *Models) Full() *regressor.Model { return m.full }

// Set returns the minimal parameter set of the model.
func (m *Models) Set() *baseparams.Set { return m.set() }

// Base returns the model that has the columns of the base parameters only.
func (m *Models) Base() *regressor.Model { return m.base() }

// Predicting returns a model, with its parameters, for the torques of parameters x of all terms. It is that of the base
// parameters, whose program fits have anyway, unless these take some joints to stand still.
func (m *Models) Predicting(x []float64) (*regressor.Model, []float64) {
	if !m.whole {
		return m.full, x
	}
	return m.Base(), m.Set().FromStandard(x)
}

// WithGravity returns the model of all terms under another gravity in the base frame, m/s².
func (m *Models) WithGravity(g [3]float64) *regressor.Model {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if other := m.byGravity[g]; other != nil {
		return other
	}
	r := m.robot.Clone()
	r.Gravity = g
	other, err := regressor.NewDynamic(r, m.terms)
	if err != nil {
		panic(err) // the same robot has been computed with already
	}
	m.byGravity[g] = other
	return other
}

// Scratch is memory that the rows of one log after another use, for one model. Several goroutines may use it; the zero value is ready.
type Scratch struct {
	mutex sync.Mutex
	free  []*segmentWork
}

// Scratch returns memory for rows of the base parameters' model.
func (m *Models) Scratch() *Scratch { return &m.scratch }

// take returns scratch memory for one goroutine, which must give it back with release.
func (s *Scratch) take(model *regressor.Model) *segmentWork {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if n := len(s.free); n > 0 {
		work := s.free[n-1]
		s.free = s.free[:n-1]
		return work
	}
	return &segmentWork{regressor: model.NewWorkspace()}
}

func (s *Scratch) release(work *segmentWork) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.free = append(s.free, work)
}
