package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/doctor"
	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

// Choices returns the decisions that the settings leave to the data.
func Choices(s *Settings) regression.Choices {
	if s.Plain {
		return regression.Choices{}
	}
	var offered []regressor.Term
	byData := len(s.Terms) == 0 || s.Terms[0] == string(ByData)
	if byData && len(s.Terms) > 1 {
		offered, _ = regressor.ParseTerms(strings.Join(s.Terms[1:], ",")) // ParseTerms of this package has refused unknown ones
	}
	return regression.Choices{
		Terms: len(s.JointTerms) == 0 && byData, Offered: offered,
		Weighting:  (s.Estimator == "" || s.Estimator == string(regression.Auto)) && s.Controller == "",
		Consistent: s.Consistent.Automatic() && s.Estimator != "map" && !s.gravityPrior(),
	}
}

// automatic reports whether a list is the single word auto.
func automatic(list []string) bool { return len(list) == 1 && list[0] == string(ByData) }

// chooseCoupling compares fits of the training runs with and without the couplings that the check found, if the settings name none. One
// coupling is tried with both signs: the check sees one joint at a time, and in a short log the signs are a near tie.
func (j *Job) chooseCoupling(ctx context.Context) error {
	found := j.couplings()
	if !j.Settings.choosesCoupling() || len(found) == 0 {
		return nil
	}
	alternatives := [][]string{found}
	if len(found) == 1 {
		alternatives = append(alternatives, []string{opposite(found[0])})
	}
	_, err := j.compareCouplings(ctx, alternatives)
	return err
}

// opposite returns a coupling that the check found, DRIVE=JOINT+DRIVE, with the other sign of the drive's own joint.
func opposite(coupling string) string {
	drive, sum, _ := strings.Cut(coupling, "=")
	if joint, ok := strings.CutSuffix(sum, "-"+drive); ok {
		return drive + "=" + joint + "+" + drive
	}
	return drive + "=" + strings.TrimSuffix(sum, "+"+drive) + "-" + drive
}

// compareCouplings fits the training runs without couplings and with each of the alternatives. If couplings predict rows left out better, it
// adopts the best, removes the findings about them and returns true.
func (j *Job) compareCouplings(ctx context.Context, alternatives [][]string) (bool, error) {
	all, sources := []regression.RobotChoice{{Name: "none", Robot: j.Session.Robot}}, []*robot.Robot{j.Session.Source}
	for _, found := range alternatives {
		coupled, source := j.Session.Robot.Clone(), j.Session.Source.Clone()
		for _, text := range found {
			if err := errors.Join(addCoupling(coupled, text), addCoupling(source, text)); err != nil {
				return false, fmt.Errorf("the coupling that was found: %w", err)
			}
		}
		all, sources = append(all, regression.RobotChoice{Name: strings.Join(found, ", "), Robot: coupled}), append(sources, source)
	}
	at, made, err := regression.ChooseRobot(ctx, "coupling", all, j.Terms, j.Train, j.Config)
	if err != nil {
		return false, fmt.Errorf("comparing couplings: %w", err)
	}
	j.decisions = append(j.decisions, made)
	if at == 0 {
		j.Findings = slices.Clone(j.Findings)
		for i := range j.Findings {
			if f := &j.Findings[i]; f.ID == doctor.Coupling {
				f.Severity, f.Fix, f.Repair = doctor.Info, "", doctor.Repair{}
				f.Hint = "nothing: its repair is no better"
				f.Tried.Outcome = "declined"
				if len(made.Candidates) == len(all) {
					f.Tried.ErrorBefore, f.Tried.ErrorAfter = made.Candidates[0].Percent/100, made.Candidates[1].Percent/100
				}
				f.Why += "; tried and declined: rows left out are predicted as well without"
			}
		}
		return false, nil
	}
	j.Session.Robot, j.Session.Source = all[at].Robot, sources[at]
	j.Settings.Couplings = alternatives[at-1]
	j.Findings = slices.DeleteFunc(slices.Clone(j.Findings), func(f Finding) bool { return f.ID == doctor.Coupling })
	return true, nil
}

// choosesCoupling reports whether a fit compares the couplings that the check found with none.
func (s *Settings) choosesCoupling() bool {
	return !s.Plain && (len(s.Couplings) == 0 || automatic(s.Couplings))
}

// couplings returns the couplings that the check of the training runs found.
func (j *Job) couplings() []string {
	var out []string
	for _, f := range j.Findings {
		if f.ID != doctor.Coupling || !slices.ContainsFunc(j.Train, func(r regression.Run) bool { return r.Name == f.Log }) {
			continue
		}
		for _, s := range f.Repair.Settings {
			if s.Key == "couplings" && !slices.Contains(out, s.Value) {
				out = append(out, s.Value)
			}
		}
	}
	return out
}
