package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/doctor"
	"ident/identify/regression"
	"ident/regressor"
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

// chooseCoupling fits the training runs with and without the couplings that the check found, if the settings name none.
// It adopts those that predict rows left out better and removes their findings.
func (j *Job) chooseCoupling(ctx context.Context) error {
	found := j.couplings()
	if !j.Settings.choosesCoupling() || len(found) == 0 {
		return nil
	}
	coupled, source := j.Session.Robot.Clone(), j.Session.Source.Clone()
	for _, text := range found {
		if err := addCoupling(coupled, text); err != nil {
			return fmt.Errorf("the coupling that the check found: %w", err)
		}
		if err := addCoupling(source, text); err != nil {
			return fmt.Errorf("the coupling that the check found: %w", err)
		}
	}
	all := []regression.RobotChoice{{Name: "none", Robot: j.Session.Robot}, {Name: strings.Join(found, ", "), Robot: coupled}}
	at, made, err := regression.ChooseRobot(ctx, "coupling", all, j.Terms, j.Train, j.Config)
	if err != nil {
		return fmt.Errorf("comparing couplings: %w", err)
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
		return nil
	}
	j.Session.Robot, j.Session.Source = coupled, source
	j.Settings.Couplings = found
	j.Findings = slices.DeleteFunc(slices.Clone(j.Findings), func(f Finding) bool { return f.ID == doctor.Coupling })
	return nil
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
