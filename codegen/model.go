package codegen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/mechanics/kinematics"
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// Model names a program that Build makes.
type Model string

// The models. q, dq, ddq are the coordinates' positions, rates and
// accelerations, K the parameters.
const (
	InverseDynamics   Model = "inverse-dynamics"   // tau(q, dq, ddq, K)
	ForwardDynamics   Model = "forward-dynamics"   // ddq(q, dq, tau, K)
	InertiaMatrix     Model = "inertia-matrix"     // A(q, K)
	Bias              Model = "bias"               // H(q, dq, K): Coriolis, centrifugal, gravity and friction torques
	Lagrange          Model = "lagrange"           // A, B, C, Q(q, K): tau = A·ddq + B·[dq_j·dq_k] + C·[dq_j²] + Q; one joint has no B
	DynamicRegressor  Model = "dynamic-regressor"  // D(q, dq, ddq): tau = D·K
	EnergyRegressor   Model = "energy-regressor"   // h, p(q, dq): ∫dqᵀ·tau dt = (Δh + ∫p dt)·K
	PowerRegressor    Model = "power-regressor"    // dqᵀ·D(q, dq, ddq)
	FilteredRegressor Model = "filtered-regressor" // D1, D2(q, dq): tau = (d/dt D1 + D2)·K
	FilteredStep      Model = "filtered-step"      // one sample of the filtered model W = F'·D1 + F·D2
	MomentumRegressor Model = "momentum-regressor" // D1, D2: ∫tau dt = (ΔD1 + ∫D2 dt)·K
	ObserverStep      Model = "observer-step"      // one sample of the external torques by a momentum observer
	JointWrenches     Model = "joint-wrenches"     // f, n(q, dq, ddq, K) of each link, from its antecedent
	BaseWrench        Model = "base-wrench"        // f0, n0(q, dq, ddq, K), from the ground
)

// The models of a closed robot's loops.
const (
	LoopSolution    Model = "loop-solution"    // motion of the tree by the driven joints'; a step of Newton's method where loops have no formulas
	LoopConstraints Model = "loop-constraints" // phi, W, psi(q, dq): W·dq = 0, W·ddq + psi = 0
)

// The kinematic models, of the point and the axes of Options.Frame.
const (
	Transform           Model = "transform"            // T(q), 4×4
	Jacobian            Model = "jacobian"             // J(q), 6×n: linear rows first
	JacobianDeterminant Model = "jacobian-determinant" // det J(q), det J·Jᵀ of a redundant arm
	JacobianInverse     Model = "jacobian-inverse"     // J⁻¹(q), by blocks of at most three rows
	Velocities          Model = "velocities"           // v, w(q, dq)
	Accelerations       Model = "accelerations"        // a, dw(q, dq, ddq), gravity left out
	JdotQdot            Model = "jdot-qdot"            // a, dw(q, dq) at steady rates
	OperationalJacobian Model = "operational-jacobian" // of position and Options.Angles
	InverseGeometry     Model = "inverse-geometry"     // all q(T) of an arm with a wrist or with parallel axes, with margins and singular states
	RedundantRates      Model = "redundant-rates"      // dq(q, v, z): the pseudoinverse with a secondary motion
)

// Models returns every model, in the order of the constants.
func Models() []Model {
	return slices.Concat(DynamicModels(), ControlModels(), KinematicModels(), LoopModels())
}

// DynamicModels returns the models with parameters of bodies.
func DynamicModels() []Model {
	return []Model{InverseDynamics, ForwardDynamics, InertiaMatrix, Bias, Lagrange, DynamicRegressor, EnergyRegressor,
		PowerRegressor, FilteredRegressor, FilteredStep, MomentumRegressor, ObserverStep, JointWrenches, BaseWrench}
}

// KinematicModels returns the models without parameters of bodies.
func KinematicModels() []Model {
	return []Model{Transform, Jacobian, JacobianDeterminant, JacobianInverse, Velocities, Accelerations, JdotQdot, OperationalJacobian, RedundantRates, InverseGeometry}
}

// LoopModels returns the models of closed robots' loops.
func LoopModels() []Model { return []Model{LoopSolution, LoopConstraints} }

// Kinematic reports whether a model has no parameters of bodies.
func (m Model) Kinematic() bool {
	return slices.Contains(KinematicModels(), m) || slices.Contains(LoopModels(), m)
}

// ParseModel reads the name of a model.
func ParseModel(name string) (Model, error) {
	if slices.Contains(Models(), Model(name)) {
		return Model(name), nil
	}
	list := make([]string, 0, len(Models()))
	for _, m := range Models() {
		list = append(list, string(m))
	}
	return "", fmt.Errorf("unknown model %q; the models are %s", name, strings.Join(list, ", "))
}

// ErrOpenOnly is wrapped by the errors for models that closed robots lack.
var ErrOpenOnly = errors.New("no such model of a closed robot")

// Options chooses the arguments of a program; other values are baked in.
type Options struct {
	// Terms are the groups of parameters; links alone where there are none.
	Terms []regressor.Term
	// Base makes the parameters those of a base set of the same robot and terms;
	// nil keeps the standard ones.
	Base *baseparams.Set
	// Geometry keeps the symbols of the file's geometry as arguments, and
	// Gravity the three components of the acceleration of gravity.
	Geometry, Gravity bool
	// Frame is the point and the axes of the kinematic models; nil is the origin of the last link of
	// the longest chain of joints, along the axes of the base.
	Frame *Frame
	// Rows are those of the Jacobian, of vx vy vz wx wy wz, that its determinant and inverses keep,
	// ascending; none is all.
	Rows []int
	// Angles are the orientation coordinates of the operational Jacobian: Euler angles by default.
	Angles kinematics.Angles
	// External are links that exert a wrench on their environment, force and moment about the origin of the
	// joint's frame along its axes (FX … CZ of the SYMORO+ guide), as arguments of the inverse and forward
	// dynamics, the bias, the dynamic regressor and the wrenches; BaseMotion makes the motion of the base one.
	External   []int
	BaseMotion bool
	// Smooth, rad/s or m/s, makes dry friction smooth at reversals: v/√(v²+Smooth²) instead of the sign of v. It is less by the part
	// 1 − v/√(v²+Smooth²), which is 2 % at five times Smooth and 0.5 % at ten times. 0 keeps the sign.
	Smooth float64
}

// ErrElastic is wrapped by the errors for rigid models of robots with elastic joints.
var ErrElastic = errors.New("its motors and links move apart")

// rigid refuses the rigid dynamic models of a robot whose joints are elastic, which would be wrong without a word. The models with
// the term Elastic are those of a tree in the coordinates of links and motors (package elastic makes it).
func rigid(model Model, r *robot.Robot, terms []regressor.Term) error {
	if model.Kinematic() || slices.Contains(terms, regressor.Elastic) {
		return nil
	}
	for j := range r.Links {
		if n := &r.Links[j].Joint; n.Elastic {
			return fmt.Errorf("robot %q: %w: joint %q is elastic, and model %s would be that of a rigid robot; take the tree of links and motors with the term elastic, or take elastic out of the robot file", r.Name, ErrElastic, n.Name, model)
		}
	}
	return nil
}

// Build makes the program of a model of a robot. It ends with the error of ctx soon after that is done: Lagrange of a
// hundred joints has nine million operations.
func Build(ctx context.Context, model Model, r *robot.Robot, opt Options) (*symbolic.Program, error) {
	if _, err := ParseModel(string(model)); err != nil {
		return nil, err
	}
	if slices.Contains(LoopModels(), model) {
		return buildLoops(ctx, model, r, opt)
	}
	if err := rigid(model, r, opt.Terms); err != nil {
		return nil, err
	}
	m, err := newMaker(r, opt, model == JointWrenches)
	if err != nil {
		return nil, err
	}
	var p *symbolic.Program
	var lacks error
	build := func() { p = m.make(model) }
	switch model {
	case ComputedTorque:
		build = func() { p = m.computedTorque() }
	case GravityCompensation:
		build = func() { p = m.gravityCompensation() }
	case OperationalControl:
		build = func() { p, lacks = m.operationalControl(opt) }
	}
	if model.Kinematic() {
		build = func() { p, lacks = m.kinematic(model, opt) }
	}
	if err := errors.Join(m.lacks(model), m.takeOutside(model, opt)); err != nil {
		return nil, err
	}
	if err := m.g.Within(ctx, build); err != nil {
		return nil, fmt.Errorf("model %s of robot %q: %w", model, r.Name, err)
	}
	if lacks != nil {
		return nil, lacks
	}
	p.Doc = append(m.header(model), p.Doc...)
	return p, nil
}

// lacks refuses models that the robot or its parameters do not have.
func (m *maker) lacks(model Model) error {
	if model == JointWrenches && m.closed != nil && len(m.r.Couplings) > 0 {
		return fmt.Errorf("robot %q: %w: the file does not say where its belts are, so the forces of the belts on the joints are unknown; use base-wrench", m.r.Name, ErrOpenOnly)
	}
	if m.closed != nil && m.closed.newton && slices.Contains([]Model{Lagrange, FilteredRegressor, FilteredStep, MomentumRegressor, ObserverStep}, model) {
		return fmt.Errorf("robot %q: %w: its loops have no formulas, and this model needs their derivatives; take inverse-dynamics, inertia-matrix, bias or dynamic-regressor", m.r.Name, ErrOpenOnly)
	}
	return m.needsStandard(model)
}

// make makes the program of one of Models.
func (m *maker) make(model Model) *symbolic.Program {
	switch model {
	case InverseDynamics:
		return m.inverseDynamics()
	case ForwardDynamics:
		return m.forwardDynamics()
	case InertiaMatrix:
		return m.inertiaMatrix()
	case Bias:
		return m.bias()
	case Lagrange:
		return m.lagrange()
	case DynamicRegressor:
		return rowMaker{m}.dynamicRegressor()
	case EnergyRegressor:
		return rowMaker{m}.energyRegressor()
	case PowerRegressor:
		return rowMaker{m}.powerRegressor()
	case FilteredStep:
		return rowMaker{m}.filteredStep()
	case ObserverStep:
		return m.observerStep()
	case JointWrenches:
		return wrenchMaker{m}.jointWrenches()
	case BaseWrench:
		return wrenchMaker{m}.baseWrench()
	}
	return rowMaker{m}.byMomenta(string(model))
}

// maker builds the programs of one robot on one graph.
type maker struct {
	r          *robot.Robot
	closed     *closing // nil for trees
	t          *recursion.Tree
	g          *symbolic.Graph
	columns    []regressor.Column // those of the program
	names      []string           // of their parameters
	base       bool
	drives     []drive
	chi        []symbolic.Node // inputs, where the model takes parameters
	joints     []string        // names of the joints whose motion is given: of a closed robot the driven ones
	prismatic  []bool
	q, dq, ddq []symbolic.Node // of those joints: the programs' arguments
	outside    []symbolic.Node // external wrenches and the motion of the base, arguments too
	signals    [4][]signal     // of friction that depends on more than the motion, by kind
	following  bool            // a law of the program depends on them
	laws       []string        // of the signals, for the head
	smooth     float64         // of dry friction at reversals, rad/s or m/s; 0 for its sign
}

// newMaker puts a robot on a graph; cuts adds the frames at the cuts of loops to its links.
func newMaker(r *robot.Robot, opt Options, cuts bool) (*maker, error) {
	if !(opt.Smooth >= 0) || math.IsInf(opt.Smooth, 0) {
		return nil, fmt.Errorf("a smooth reversal takes a rate above zero, not %g", opt.Smooth)
	}
	m := &maker{r: r, base: opt.Base != nil, smooth: opt.Smooth}
	if err := m.graph(opt, cuts); err != nil {
		return nil, err
	}
	terms := opt.Terms
	if len(terms) == 0 {
		terms = []regressor.Term{regressor.Links}
	}
	columns, err := columnsOf(r, terms)
	if err != nil {
		return nil, err
	}
	if opt.Base == nil {
		m.columns = columns
		for _, c := range columns {
			m.names = append(m.names, c.Name)
		}
	} else {
		if !sameColumns(columns, opt.Base.Columns) {
			return nil, fmt.Errorf("robot %q: the base set was made for other terms or another robot: it has %d standard parameters, the model %d", r.Name, len(opt.Base.Columns), len(columns))
		}
		for k, c := range opt.Base.Base {
			m.columns = append(m.columns, columns[c])
			m.names = append(m.names, opt.Base.Name(k))
		}
	}
	return m, m.plan(terms)
}

// graph puts the robot on a graph: a tree in its own coordinates, a closed robot's tree in those of
// its driven joints.
func (m *maker) graph(opt Options, cuts bool) (err error) {
	if m.r.Closed() {
		return m.closeLoops(opt, cuts)
	}
	if m.t, err = recursion.New(m.r, recursion.Options{Geometry: opt.Geometry, Gravity: opt.Gravity}); err != nil {
		return err
	}
	m.g, m.q, m.dq, m.ddq = m.t.G, m.t.Q, m.t.DQ, m.t.DDQ
	for c := range m.t.Coords {
		m.drivenBy(c)
	}
	return nil
}

// drivenBy adds the joint of a tree's coordinate to those whose motion is given.
func (m *maker) drivenBy(c int) {
	j := &m.r.Links[m.t.Coords[c]].Joint
	m.joints = append(m.joints, j.Name)
	m.prismatic = append(m.prismatic, j.Kind == robot.Prismatic)
}

// columnsOf lists the standard parameters. They do not depend on the values of
// the geometry, so symbols without any get some.
func columnsOf(r *robot.Robot, terms []regressor.Term) ([]regressor.Column, error) {
	if len(r.Unset) > 0 {
		some := map[string]float64{}
		for _, s := range r.Unset {
			some[s] = 1
		}
		bound, err := r.Bind(some)
		if err != nil {
			return nil, err
		}
		r = bound
	}
	d, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	return d.Columns(), nil
}

func sameColumns(a, b []regressor.Column) bool {
	return slices.EqualFunc(a, b, func(x, y regressor.Column) bool { return x.Name == y.Name })
}

// plan finds the drives of the columns that are no link's.
func (m *maker) plan(terms []regressor.Term) error {
	for c, col := range m.columns {
		if col.Term == regressor.Links {
			continue
		}
		if !col.Term.Traits().Form {
			return fmt.Errorf("robot %q: there is no symbolic form of the term %s; leave it out, or use the numeric model", m.r.Name, col.Term)
		}
		d := drive{of: col, column: c}
		if col.Term == regressor.Ripple {
			at := slices.IndexFunc(terms, func(t regressor.Term) bool { return t.Name() == regressor.Ripple })
			var err error
			if d.order, err = regressor.RippleRate(m.r, terms[at], col); err != nil {
				return err
			}
		}
		if col.Drive > 0 {
			shared := m.r.Drives[col.Drive-1].Weights
			for j := range m.t.Links {
				if w, ok := shared[j]; ok {
					l := &m.t.Links[j]
					d.weights = append(d.weights, weight{l.Coord, m.g.Mul(m.g.Float(w), l.Ratio)})
					d.offset = m.g.Add(d.offset, m.g.Mul(m.g.Float(w), l.Offset))
				}
			}
		} else {
			l := &m.t.Links[col.Link]
			d.weights, d.offset = []weight{{l.Coord, l.Ratio}}, l.Offset
		}
		m.drives = append(m.drives, d)
	}
	return m.planSignals(terms)
}

// parameters declares the parameters as inputs.
func (m *maker) parameters() []recursion.Params {
	out := make([]recursion.Params, len(m.t.Links))
	for c, col := range m.columns {
		in := symbolic.Input{Name: m.names[c], Kind: symbolic.Parameter, Group: "K", Index: c, Unit: col.Unit, Doc: m.parameterDoc(c)}
		if !m.base {
			in.Value, in.Known = regressor.ValueOf(m.r, col)
		}
		n := m.g.Input(in)
		m.chi = append(m.chi, n)
		if col.Term == regressor.Links {
			out[col.Link][col.Param] = n
		}
	}
	return out
}

func (m *maker) parameterDoc(c int) string {
	col := m.columns[c]
	what := string(col.Term)
	if col.Term == regressor.Links {
		what = robot.InertialNames[col.Param]
	}
	doc := what + " of " + col.Owner
	if m.names[c] != col.Name {
		doc += ", with what is regrouped onto it"
	}
	return doc
}

// program makes a program with the constants of the robot as further
// arguments.
func (m *maker) program(name string, args [][]symbolic.Node, results ...symbolic.Result) *symbolic.Program {
	var all []symbolic.Node
	for _, a := range append(args, m.followed(), m.outside, m.chi, m.t.Symbols, m.t.GravityInputs) {
		all = append(all, a...)
	}
	return m.g.Program(name, all, results...)
}

// perJoint returns a result with one entry per coordinate.
func (m *maker) perJoint(name, doc string, v []symbolic.Node) symbolic.Result {
	return symbolic.Result{Name: name, Rows: len(v), Cols: 1, Entries: v, Doc: doc, RowNames: m.joints}
}

// matrix returns a result with one row per coordinate.
func (m *maker) matrix(name, doc string, rows [][]symbolic.Node, cols []string) symbolic.Result {
	r := symbolic.Result{Name: name, Rows: len(rows), Cols: len(cols), Doc: doc, RowNames: m.joints, ColNames: cols}
	for _, row := range rows {
		r.Entries = append(r.Entries, row...)
	}
	return r
}

// header describes the robot, gravity and the parameters, for the head of
// generated code.
func (m *maker) header(model Model) []string {
	if model.Kinematic() {
		return append([]string{fmt.Sprintf("%s of robot %s", model, m.r.Name), "joints: " + strings.Join(m.joints, " "), "SI units: rad, m, s"}, m.closed.doc()...)
	}
	kind := "standard"
	if m.base {
		kind = "base"
	}
	gravity := "gravity (gx, gy, gz) in m/s² is an argument"
	if len(m.t.GravityInputs) == 0 {
		gravity = fmt.Sprintf("gravity (%g, %g, %g) m/s² in the base frame", m.r.Gravity[0], m.r.Gravity[1], m.r.Gravity[2])
	}
	var laws []string
	if m.following {
		laws = m.laws
	}
	if m.smooth > 0 {
		laws = append(slices.Clip(laws), fmt.Sprintf("dry friction is smooth: v/sqrt(v*v + %[1]g*%[1]g) for sign(v), less by 2 %% at %[2]g rad/s (m/s), by 0.5 %% at %[3]g", m.smooth, 5*m.smooth, 10*m.smooth))
	}
	return append([]string{
		fmt.Sprintf("%s of robot %s", model, m.r.Name),
		"joints: " + strings.Join(m.joints, " "),
		kind + " parameters: " + strings.Join(m.names, " "),
		gravity,
		"SI units: rad, m, s, N·m, N, kg",
	}, slices.Concat(laws, m.closed.doc(), m.wrenchFrames())...)
}
