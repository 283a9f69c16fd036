package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/identify/regression"
	"ident/internal/rowlist"
)

// Check returns an error if a setting has a value that it cannot have by itself, whether from the file or the command
// line. keys names the settings in use.
//
// Every check of a number, a word or a form must stand here or in the table, so that no command can forget it. Rules
// between settings are in [CheckFit].
//
// Settings of a project file are checked under every key, even unused ones: other commands share the steps that use
// them, and results and summaries record all.
func Check(s *Settings, keys ...string) error {
	for _, t := range declared() {
		if err := t.checkNumbers(s); err != nil {
			return err
		}
		if err := t.checkChoice(s); err != nil {
			return err
		}
		if t.check == nil || !slices.Contains(keys, t.Key) && s.Given[t.Key] == NotGiven {
			continue
		}
		if err := t.check(s); err != nil {
			return err
		}
	}
	return nil
}

// CheckAll checks all settings, as Check does.
func CheckAll(s *Settings) error {
	var keys []string
	for _, t := range Table() {
		keys = append(keys, t.Key)
	}
	return Check(s, keys...)
}

// maxDecimation bounds the anti-alias filter, which has about 18 taps for each row that is left out: at
// 10 000 it spans 180 000 rows, a minute of a log of 3 kHz.
const maxDecimation = 10_000

func checkGravity(s *Settings) error {
	if n := len(s.Gravity); n != 0 && n != 3 {
		return wrong("gravity", "", "{gravity} has %s; gravity has three", rowlist.Plural(n, "number"))
	}
	return nil
}

func checkPreset(s *Settings) error {
	if _, err := datasets.FindPreset(s.Preset); err != nil && s.Preset != "" {
		return wrong("preset", s.Preset, "{preset}: %w", err)
	}
	return nil
}

// checkReadings refuses impossible values in the readings of single logs.
func checkReadings(s *Settings) error {
	for _, name := range slices.Sorted(maps.Keys(s.Readings)) {
		own := s.forFile(name)
		for _, check := range []func(*Settings) error{checkPreset, checkDeclared} {
			if err := check(own); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// checkDeclared refuses scales and zeros that no channel can have. Contradictory declarations of a channel are found
// when the log is opened.
func checkDeclared(s *Settings) error {
	for _, name := range slices.Sorted(maps.Keys(s.Scale)) {
		if v := s.Scale[name]; v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return wrong("scale", name, "{scale} %s=%g: a scale must be a finite number other than 0", name, v)
		}
		if unit, both := s.Units[name]; both {
			return wrong("scale", name, "{scale} %s and {units} %s=%s contradict each other: give one of them", name, name, unit)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Zero)) {
		if v := s.Zero[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			return wrong("zero", name, "{zero} %s=%g: it must be finite", name, v)
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
		return wrong("estimator", s.Estimator, "{estimator} %q: must be one of"+lines, s.Estimator)
	}
	return nil
}

// maxDraws determines a bootstrap standard deviation to 0.3 %, far below the effect of the choice of blocks.
const maxDraws = 50_000

func checkModel(s *Settings) error {
	_, err := Models(s)
	return err
}

func checkPriorWeight(s *Settings) error {
	_, err := s.priorWeight()
	return err
}

// maxPriorWeight is the largest weight of a prior; its inverse is the smallest. Beyond these bounds the estimate is
// that of the prior alone, or of the data alone, to twelve digits.
const maxPriorWeight = 1e12

// priorWeight returns the weight of the prior, zero if the data choose it.
func (s *Settings) priorWeight() (float64, error) {
	if s.PriorWeight == "" || s.PriorWeight == "auto" {
		return 0, nil
	}
	w, err := strconv.ParseFloat(s.PriorWeight, 64)
	if err != nil || !(w >= 1/maxPriorWeight && w <= maxPriorWeight) {
		return 0, wrong("prior-weight", s.PriorWeight, "{prior-weight} %q: must be auto or a number from %g to %g", s.PriorWeight, 1/maxPriorWeight, maxPriorWeight)
	}
	return w, nil
}

// Models returns the identification models that the settings name.
func Models(s *Settings) ([]regression.Kind, error) {
	kinds, err := regression.ParseKinds(s.Model)
	if err != nil {
		return nil, wrong("model", s.Model, "{model}: %w", err)
	}
	return kinds, nil
}

// CheckFit returns an error if settings of a fit contradict or need each other.
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
		return wrong("periodic", s.Periodic, "{periodic} averages the log to one period, and {bootstrap} needs several: leave out one of them")
	case s.OnBad == "drop":
		return wrong("periodic", s.Periodic, "{periodic} needs every row: it cannot go with {on-bad} drop")
	}
	if err := s.checkBodies(); err != nil {
		return err
	}
	drawn := s.Estimator == "map" // an estimator that has its own prior
	switch {
	case s.PriorWeight != "" && s.priorFile() == "" && drawn:
		return wrong("prior-weight", s.PriorWeight, "{prior-weight} %s needs a prior: give {prior} robot or {prior} FILE", s.PriorWeight)
	case s.gravityPrior() && (s.Estimator != "" && s.Estimator != string(regression.Auto) && !drawn || s.Controller != ""):
		return wrong("prior", s.Prior, "{prior} %s is that of {estimator} map: leave out another {estimator} and {controller}", s.Prior)
	case s.gravityPrior() && s.Consistent == Yes:
		return wrong("prior", s.Prior, "{prior} %s contains base parameters and no bodies: leave out {physically-consistent}", s.Prior)
	case s.Prior == NoPrior && drawn:
		return wrong("prior", s.Prior, "{estimator} map needs a prior: leave out {prior} none")
	case (s.Consistent == Yes || s.knowsBodies() != "") && drawn:
		return wrong("physically-consistent", "", "the prior would count twice, because {physically-consistent} uses {prior} itself: take {estimator} wls")
	case s.Consistent != No:
		return nil
	}
	if key := s.knowsBodies(); key != "" {
		return wrong(key, "", "{"+key+"} asks for feasible bodies: leave out {physically-consistent} no")
	}
	return nil
}

// knowsBodies returns the key of a setting that describes bodies and so implies a feasible estimate, or "".
func (s *Settings) knowsBodies() string {
	for _, o := range []struct {
		key   string
		given bool
	}{{"prior", s.priorFile() != "" && s.Estimator != "map" && !s.gravityPrior()}, {"prior-weight", s.PriorWeight != "" && s.Estimator != "map" && !s.gravityPrior()}, {"prior-distance", s.PriorDistance != ""}, {"total-mass", s.TotalMass != ""}, {"mass", len(s.Mass) > 0},
		{"centre-box", len(s.CentreBox) > 0}, {"centre-ellipsoid", len(s.CentreEllipsoid) > 0}, {"body-ellipsoid", len(s.BodyEllipsoid) > 0}} {
		if o.given {
			return o.key
		}
	}
	return ""
}

// Feasible reports whether a feasible estimate is asked for, by its own setting or by one that describes bodies.
func (s *Settings) Feasible() bool {
	return s.Consistent == Yes || s.Consistent != No && s.Estimator != "map" && s.knowsBodies() != ""
}
