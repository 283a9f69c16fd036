package project

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/estimate"
	"ident/filter"
	"ident/identify"
	"ident/physical"
	"ident/project/preset"
)

// Check refuses values that a setting cannot have by itself, whichever of the file
// and the command line they come from. keys are those of the settings that count.
//
// Every check of a number, a word or a form belongs here and into the table, so that
// no command can forget it. Rules between settings are in [CheckFit].
func Check(s *Settings, keys ...string) error {
	for _, key := range keys {
		t, ok := Lookup(key)
		if !ok {
			continue
		}
		if err := t.checkNumbers(s); err != nil {
			return err
		}
		if t.check == nil {
			continue
		}
		if err := t.check(s); err != nil {
			return err
		}
	}
	return nil
}

func checkTrim(s *Settings) error {
	if s.Trim != nil && *s.Trim < 0 {
		return wrong("trim", fmt.Sprint(*s.Trim), "{trim} %g: it is a time in seconds, from 0", *s.Trim)
	}
	return nil
}

func checkCutoff(s *Settings) error       { return checkFrequency("cutoff", s.Cutoff) }
func checkMotionCutoff(s *Settings) error { return checkFrequency("motion-cutoff", s.MotionCutoff) }

func checkFrequency(key string, hz *float64) error {
	if hz != nil && *hz < 0 {
		return wrong(key, fmt.Sprint(*hz), "{"+key+"} %g: it is a frequency in Hz, or 0 for no filter", *hz)
	}
	return nil
}

func checkFilterOrder(s *Settings) error {
	if (s.FilterOrder != 0 || s.Given["filter-order"] != NotGiven) && (s.FilterOrder < 1 || s.FilterOrder > filter.MaxOrder) {
		return wrong("filter-order", fmt.Sprint(s.FilterOrder), "{filter-order} %d: it lies between 1 and %d", s.FilterOrder, filter.MaxOrder)
	}
	return nil
}

// mostDecimation bounds the anti-alias filter, which has about 18 taps for each row that is left out: at
// 10 000 it spans 180 000 rows, a minute of a log of 3 kHz.
const mostDecimation = 10_000

func checkDecimate(s *Settings) error {
	if (s.Decimate != 0 || s.Given["decimate"] != NotGiven) && (s.Decimate < 1 || s.Decimate > mostDecimation) {
		return wrong("decimate", fmt.Sprint(s.Decimate), "{decimate} %d: it lies between 1 and %d, as its filter spans eighteen times as many rows", s.Decimate, mostDecimation)
	}
	return nil
}

func checkKeepRows(s *Settings) error {
	if s.KeepRows != "" && s.KeepRows != identify.KeepAuto && s.KeepRows != identify.KeepAll {
		return wrong("keep-rows", s.KeepRows, "{keep-rows}: %q: it is auto or all", s.KeepRows)
	}
	return nil
}

func checkGravity(s *Settings) error {
	if n := len(s.Gravity); n != 0 && n != 3 {
		return wrong("gravity", "", "{gravity} has %d numbers; gravity has three", n)
	}
	return nil
}

func checkPreset(s *Settings) error {
	if _, err := preset.Find(s.Preset); err != nil && s.Preset != "" {
		return wrong("preset", s.Preset, "{preset}: %w", err)
	}
	return nil
}

func checkOnBad(s *Settings) error {
	if s.OnBad != "" && s.OnBad != "error" && s.OnBad != "drop" {
		return wrong("on-bad", s.OnBad, "{on-bad}: %q: it is error or drop", s.OnBad)
	}
	return nil
}

func checkRest(s *Settings) error {
	switch s.Rest {
	case "", identify.RestAuto, identify.RestKeep, identify.RestDrop:
		return nil
	}
	return wrong("rest", s.Rest, "{rest} %q: it is auto, keep or drop", s.Rest)
}

func checkPower(s *Settings) error {
	for i, x := range s.Limits.Power {
		if !(x > 0) || math.IsInf(x, 0) {
			return wrong("limits.power", fmt.Sprint(x), "power limit %d is %g W; it must be positive", i+1, x)
		}
	}
	return nil
}

func checkTrainFraction(s *Settings) error {
	if !(s.TrainFraction >= 0 && s.TrainFraction < 1) {
		return wrong("train-fraction", fmt.Sprint(s.TrainFraction), "{train-fraction} %g: it lies between 0 and 1", s.TrainFraction)
	}
	return nil
}

func checkEstimator(s *Settings) error {
	known, lines := s.Estimator == "", ""
	for _, e := range Estimators {
		known = known || s.Estimator == e.Name
		lines += "\n  " + e.Name + strings.Repeat(" ", 12-len(e.Name)) + e.Use
	}
	if !known {
		return wrong("estimator", s.Estimator, "{estimator} %q: it is one of"+lines, s.Estimator)
	}
	return nil
}

func checkLoss(s *Settings) error {
	if s.Loss != "" && s.Loss != string(estimate.Huber) && s.Loss != string(estimate.Bisquare) {
		return wrong("loss", s.Loss, "{loss} %q: it is huber or bisquare", s.Loss)
	}
	return nil
}

func checkMemory(s *Settings) error {
	if s.Memory < 0 {
		return wrong("memory", fmt.Sprint(s.Memory), "{memory} %g: it is a time in seconds", s.Memory)
	}
	return nil
}

// mostDraws determines a deviation to 0.3 %, far below its own correlation with the choice of the blocks.
const mostDraws = 50_000

func checkBootstrap(s *Settings) error {
	if s.Bootstrap < 0 || s.Bootstrap == 1 || s.Bootstrap > mostDraws {
		return wrong("bootstrap", fmt.Sprint(s.Bootstrap), "{bootstrap} %d: it lies between 2 and %d draws, which are kept in memory", s.Bootstrap, mostDraws)
	}
	return nil
}

func checkPeriod(s *Settings) error {
	if s.Period < 0 {
		return wrong("period", fmt.Sprint(s.Period), "{period} %g: it is the time in seconds that {bootstrap} draws whole", s.Period)
	}
	return nil
}

func checkModel(s *Settings) error {
	_, err := Models(s)
	return err
}

func checkWindow(s *Settings) error {
	if s.Window < 0 || math.IsNaN(s.Window) || math.IsInf(s.Window, 0) {
		return wrong("window", fmt.Sprint(s.Window), "{window} %g: it is a length of time in seconds", s.Window)
	}
	return nil
}

func checkPriorWeight(s *Settings) error {
	_, err := s.priorWeight()
	return err
}

func checkPriorDistance(s *Settings) error {
	if s.PriorDistance == "" {
		return nil
	}
	if _, err := physical.ParseDistance(s.PriorDistance); err != nil {
		return wrong("prior-distance", s.PriorDistance, "{prior-distance}: %w", err)
	}
	return nil
}

// priorWeight is the weight of the prior, zero where the data choose it.
func (s *Settings) priorWeight() (float64, error) {
	if s.PriorWeight == "" || s.PriorWeight == "auto" {
		return 0, nil
	}
	w, err := strconv.ParseFloat(s.PriorWeight, 64)
	if err != nil || !(w > 0) || math.IsInf(w, 0) {
		return 0, wrong("prior-weight", s.PriorWeight, "{prior-weight} %q: it is auto or a positive number", s.PriorWeight)
	}
	return w, nil
}

// Models reads the identification models of a fit.
func Models(s *Settings) ([]identify.Kind, error) {
	kinds, err := identify.ParseKinds(s.Model)
	if err != nil {
		return nil, wrong("model", s.Model, "{model}: %w", err)
	}
	return kinds, nil
}

// CheckFit refuses settings of a fit that contradict each other or lack each other.
func CheckFit(s *Settings) error {
	switch {
	case len(s.Weights) > 0 && !strings.Contains(" auto ols wls map ", " "+s.Estimator+" ") && s.Estimator != "":
		return wrong("weights", "", "{weights} go with {estimator} ols, wls, map and auto: %s has weights of its own", s.Estimator)
	case s.Loss != "" && s.Estimator != "irls":
		return wrong("loss", s.Loss, "{loss} is a setting of {estimator} irls")
	case s.Memory != 0 && s.Estimator != "recursive":
		return wrong("memory", fmt.Sprint(s.Memory), "{memory} is a setting of {estimator} recursive and of running estimates")
	case s.Period > 0 && s.Bootstrap == 0:
		return wrong("period", fmt.Sprint(s.Period), "{period} %g: it is the time in seconds that {bootstrap} draws whole", s.Period)
	}
	switch {
	case s.Periodic == "":
	case s.Controller != "":
		return wrong("periodic", s.Periodic, "{periodic} averages the noise that {controller} is there for, and a simulated controller follows one period no better than many: leave out one of them")
	case s.Bootstrap > 0:
		return wrong("periodic", s.Periodic, "{periodic} leaves one period, of which {bootstrap} cannot draw: leave out one of them")
	case s.OnBad == "drop":
		return wrong("periodic", s.Periodic, "{periodic} needs every row: it cannot go with {on-bad} drop")
	}
	drawn := s.Estimator == "map" // an estimator with a prior of its own
	switch {
	case s.PriorWeight != "" && s.priorFile() == "":
		return wrong("prior-weight", s.PriorWeight, "{prior-weight} %s: of which prior? Give {prior} robot or {prior} FILE", s.PriorWeight)
	case s.gravityPrior() && (s.Estimator != "" && s.Estimator != string(identify.Auto) && !drawn || s.Controller != ""):
		return wrong("prior", s.Prior, "{prior} %s is that of {estimator} map: leave out another {estimator} and {controller}", s.Prior)
	case s.gravityPrior() && s.Consistent == Yes:
		return wrong("prior", s.Prior, "{prior} %s knows base parameters and no bodies: leave out {physically-consistent}", s.Prior)
	case s.Prior == NoPrior && drawn:
		return wrong("prior", s.Prior, "{estimator} map is drawn to a prior: leave out {prior} none")
	case s.Consistent == Yes && drawn:
		return wrong("physically-consistent", "", "a prior would count twice: {physically-consistent} draws to {prior} itself; take {estimator} wls with it")
	case s.Consistent == Yes:
		return nil
	}
	for _, o := range []struct {
		key   string
		given bool
	}{{"prior", s.priorFile() != "" && !drawn && !s.gravityPrior()}, {"prior-distance", s.PriorDistance != ""}, {"total-mass", s.TotalMass != ""}, {"mass", len(s.Mass) > 0},
		{"centre-box", len(s.CentreBox) > 0}, {"centre-ellipsoid", len(s.CentreEllipsoid) > 0}, {"body-ellipsoid", len(s.BodyEllipsoid) > 0}} {
		if o.given {
			return wrong(o.key, "", "{"+o.key+"} bears on physically consistent estimates: give {physically-consistent} as well")
		}
	}
	return nil
}
