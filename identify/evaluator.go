package identify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/hint"
	"ident/regressor"
	"ident/robot"
)

// Evaluator evaluates the models of a robot or of a result at given states: torques, regressors, energies and residuals as the
// channels of a log.
//
// # States
//
// States are a log with the positions, velocities and accelerations of all joints, one state a row; a clock is not needed, and
// no row depends on another. Positions alone are not enough: a robot at rest has channels of zeros. Nothing is filtered or
// differenced.
//
// # Quantities
//
// With Y the regressor of the standard parameters χ and K its base parameters (package baseparams),
//
//	inverse-dynamics   tau_JOINT                  τ = Y·χ
//	regressor          Y_JOINT_PARAMETER          Y
//	base-regressor     Yb_JOINT_PARAMETER         Y_b, with τ = Y_b·K
//	energy             kinetic, potential, J; friction_power, W
//	residual           residual_JOINT             measured torque − τ
//
// Entries of a regressor that are zero in every state have no channel. The zero of the potential energy is arbitrary.
// The parameters are those of the robot file, or the identified ones of a result, whose terms and known parameters
// count, too.
//
// # Memory
//
// States are read, evaluated and written some thousand rows at a time.
type Evaluator struct {
	Robot *robot.Robot // the robot, with joints locked as in the result
	Terms []regressor.Term

	full  *regressor.Model // of the regressor: the unknown parameters of a result
	fixed *regressor.Model // of a result's known parameters, nil without
	known []float64        // their values
	set   *baseparams.Set  // nil where no quantity asked for it yet
	chi   []float64        // values of full's columns, nil for a result
	base  []float64        // base parameters of a result, nil for a robot file
	seed  uint64
}

// NewEvaluator returns the models of a robot file's robot with the given terms, joints locked as the settings say. The robot's geometry must be
// numeric.
func NewEvaluator(r *robot.Robot, terms []regressor.Term, s *project.Settings) (*Evaluator, error) {
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	locked, err := project.Lock(r, s.Lock)
	if err != nil {
		return nil, err
	}
	full, err := regressor.NewDynamic(locked, terms)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{Robot: locked, Terms: terms, full: full, seed: s.Seed}
	for _, c := range full.Columns() {
		v, _ := regressor.ValueOf(locked, c) // a drive's parameter that the file does not mention is none
		e.chi = append(e.chi, v)
	}
	return e, e.motionOnly()
}

// OpenEvaluator returns the models of a result's folder, with the identified parameters.
func OpenEvaluator(dir string, seals folder.Seals) (*Evaluator, error) {
	ft, err := project.OpenFitted(dir, seals)
	if err != nil {
		return nil, err
	}
	return evaluatorOf(ft)
}

// evaluatorOf returns the models of a result that is open.
func evaluatorOf(ft *project.Fitted) (*Evaluator, error) {
	values, _ := ft.Settings.KnownValues()
	full, fixed, known, err := regression.ModelOf(ft.Robot, ft.Terms, values)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{Robot: ft.Robot, Terms: ft.Terms, full: full, fixed: fixed, known: known, set: ft.Set, base: ft.X}
	return e, e.motionOnly()
}

// motionOnly refuses models with terms that states do not determine.
func (e *Evaluator) motionOnly() error {
	if e.full.Needs() == 0 && (e.fixed == nil || e.fixed.Needs() == 0) {
		return nil
	}
	var names []string
	for _, t := range e.Terms {
		names = append(names, string(t))
	}
	return hint.Errorf("terms", strings.Join(names, ","), "the model has terms of more than the motion (%s), such as payloads, wrenches or temperatures: states do not determine them; leave them out of {terms}, or give a log to ident validate", strings.Join(names, ", "))
}

// withoutInertial lists the moving links whose inertial parameters a robot file does not give.
func (e *Evaluator) withoutInertial() []string {
	var names []string
	for _, l := range e.Robot.Links {
		if !l.HasInertial && !l.Massless && l.Joint.Kind != robot.Fixed {
			names = append(names, l.Name)
		}
	}
	return names
}

// findBase finds the base parameters of a robot file's model.
func (e *Evaluator) findBase(ctx context.Context) error {
	if e.set != nil {
		return nil
	}
	set, err := baseparams.QRContext(ctx, e.full, baseparams.Options{Seed: e.seed})
	if err != nil {
		return err
	}
	e.set = set
	return nil
}

// Torques returns the model of the torques, and the values of its columns, which the caller must not change.
func (e *Evaluator) Torques() (*regressor.Model, []float64, error) {
	if e.base == nil {
		if without := e.withoutInertial(); len(without) > 0 && slices.Contains(e.Terms, regressor.Links) {
			return nil, nil, fmt.Errorf("robot %q gives no inertial parameters for %s: torques and energies need them; add them to the file, or ask for a regressor, which needs none", e.Robot.Name, strings.Join(without, ", "))
		}
		return e.full, e.chi, nil
	}
	if e.fixed == nil {
		return e.full.Select(e.set.Base), e.base, nil
	}
	return e.withKnown()
}

// withKnown returns the model of a result's base parameters and its known parameters together.
func (e *Evaluator) withKnown() (*regressor.Model, []float64, error) {
	all, err := regressor.NewDynamic(e.Robot, e.Terms)
	if err != nil {
		return nil, nil, err
	}
	value := map[string]float64{}
	for k, v := range e.base {
		value[e.full.Names()[e.set.Base[k]]] = v
	}
	for k, name := range e.fixed.Names() {
		value[name] = e.known[k]
	}
	var columns []int
	var values []float64
	for c, name := range all.Names() {
		if v, ok := value[name]; ok {
			columns, values = append(columns, c), append(values, v)
		}
	}
	return all.Select(columns), values, nil
}

// jointNames returns the names of the robot's joints, one for each row of the model.
func (e *Evaluator) jointNames() []string { return project.JointNames(e.Robot) }
