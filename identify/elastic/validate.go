package elastic

import (
	"context"
	"fmt"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/result"
)

// ValidationSchema identifies the JSON document of a validation.
const ValidationSchema = "ident.validate-elastic/1"

// Validation is a result of elastic joints compared with logs that the fit has not seen.
type Validation struct {
	Schema string         `json:"schema"` // ident.validate-elastic/1
	Result string         `json:"result"`
	Fitted float64        `json:"fitted_error_percent"` // error of the drives' torques on the logs of the fit
	Logs   []PredictedLog `json:"logs"`
	Grade  result.Grade   `json:"grade"`
}

// PredictedLog is one log.
type PredictedLog struct {
	Log     string            `json:"log"`
	Sensors string            `json:"sensors"`
	Rows    int               `json:"rows"`                   // number of rows of each torque
	Error   float64           `json:"relative_error_percent"` // relative error of all drives' torques together
	Torques []PredictedTorque `json:"torques"`
	Notes   []string          `json:"notes"`
}

// PredictedTorque is the error of one measured torque.
type PredictedTorque struct {
	Joint   string  `json:"joint"`
	Sensor  bool    `json:"joint_torque_sensor"` // true: the torque of a spring on its link; false: the torque of a drive
	RMSE    float64 `json:"rmse"`                // N·m or N
	Percent float64 `json:"relative_error_percent"`
}

// worseThanFitted is the ratio of the error of a log to that of the logs fitted from which the parameters do not hold
// for it: with both encoders the fit's rows have the deflection, which takes up errors of the links.
const worseThanFitted = 3.0

// least error, percent, that is worse: less is the noise of torques.
const leastWorse = 3.0

// ValidateFit predicts logs with the result in a folder.
func ValidateFit(ctx context.Context, s *project.Settings, dir string, paths []string) (*Validation, error) {
	f, d, err := openSaved(ctx, dir, s.Seals)
	if err != nil {
		return nil, err
	}
	out := &Validation{Schema: ValidationSchema, Result: dir, Fitted: d.Error, Grade: result.TorqueGradeOf(nil)}
	for _, path := range paths {
		l, notes, err := ReadLog(ctx, s, f.Machine, path)
		if err != nil {
			return nil, err
		}
		got, err := f.Predict(ctx, []*Log{l})
		if err != nil {
			return nil, err
		}
		p := PredictedLog{Log: l.Name, Sensors: string(got.Sensors), Rows: got.Rows, Error: got.Error, Notes: append([]string{}, notes...)}
		for _, t := range got.Torques {
			p.Torques = append(p.Torques, PredictedTorque{t.Joint, t.Sensor, t.RMS, t.Percent})
		}
		out.Logs = append(out.Logs, p)
		out.judge(p)
	}
	out.Grade = folder.GradedAs(d.Grade, out.Grade)
	return out, nil
}

// judge adds the reasons of one log.
func (v *Validation) judge(p PredictedLog) {
	add := func(makes result.Level, id, why, fix string) {
		v.Grade = result.GradeFor(append(v.Grade.Reasons, result.Reason{ID: id, Why: why, Fix: fix, Makes: makes}))
		v.Grade.Parameters = result.PartGrade{} // of the fit, which is not judged here
	}
	worst := p.Torques[0]
	for _, t := range p.Torques {
		if !t.Sensor && t.Percent > worst.Percent {
			worst = t
		}
	}
	why := fmt.Sprintf("%s: the model leaves %.3g %% of the torques, most at joint %q with %.3g %%", p.Log, p.Error, worst.Joint, worst.Percent)
	fix := "look at channels and the load, or fit this log as well"
	switch {
	case p.Error > unusableError:
		add(result.Unusable, "prediction-error", why, fix)
	case p.Error > doubtfulError:
		add(result.Doubtful, "prediction-error", why, fix)
	case p.Error > leastWorse && p.Error > worseThanFitted*v.Fitted:
		add(result.Doubtful, "worse-than-fitted", fmt.Sprintf("%s, where it left %.3g %% of the logs that it was fitted from", why, v.Fitted), fix)
	}
}
