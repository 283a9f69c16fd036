package identify

import (
	"context"
	"errors"
	"slices"

	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/report"
	"ident/result"
)

// A Saved result is the folder of a fit, opened again.
type Saved struct {
	Folder string
	// Settings are used to read further logs: those of the fit, without its rows, validation logs and payload runs. The
	// caller may change them. For a result of elastic joints they are empty.
	Settings *project.Settings
	// Fitted is the result with its model; nil for a result of elastic joints.
	Fitted *project.Fitted
}

// OpenResult reads the folder of a result. If the rebuilt model has other base parameters than the result, another
// version made the result or its robot file was changed, and the error says so.
func OpenResult(dir string, seals folder.Seals) (*Saved, error) {
	if elastic.IsResult(dir) {
		return &Saved{Folder: dir, Settings: &project.Settings{Seals: seals}}, nil
	}
	f, err := project.OpenFitted(dir, seals)
	if err != nil {
		return nil, err
	}
	f.Settings.ForOtherLogs()
	return &Saved{Folder: dir, Settings: f.Settings, Fitted: f}, nil
}

// Elastic reports whether the result is of elastic joints.
func (s *Saved) Elastic() bool { return s.Fitted == nil }

// ErrElastic is the error of a request that only results of rigid joints support.
var ErrElastic = errors.New("the result has elastic joints, and their models cannot be replayed")

// ValidateOptions say how a result is validated on logs.
type ValidateOptions struct {
	// OwnBand says that the settings set the cut-off of the filter; the motion cut-off then follows from it too.
	OwnBand bool
	// Replay, if not nil, also simulates the model forward.
	Replay *ReplayOptions
	// Progress is called at every stage; nil means no reports.
	Progress func(stage string, done, total int)
}

// A Validation is a result's performance on logs that it has not seen.
type Validation struct {
	*project.Prediction                     // of rigid joints
	Replay              *ReplayDocument     // replay, if it was asked for
	Elastic             *elastic.Validation // validation of elastic joints
	Grade               result.Grade        // grade of all that was judged
}

// Failed reports whether the prediction is unusable, or does not pass a gate.
func (v *Validation) Failed() bool {
	return v.Grade.Value == result.Unusable || v.Prediction != nil && len(result.FailedGates(v.Gates)) > 0
}

// Validate predicts the torques of logs with the parameters of the result. The logs go through the filters of the
// training logs, except where the settings say otherwise. Nothing is written.
func (s *Saved) Validate(ctx context.Context, logs []string, opt ValidateOptions) (*Validation, error) {
	if s.Elastic() {
		if opt.Replay != nil {
			return nil, ErrElastic
		}
		v, err := elastic.ValidateFit(ctx, s.Settings, s.Folder, logs)
		if err != nil {
			return nil, err
		}
		return &Validation{Elastic: v, Grade: v.Grade}, nil
	}
	progress := opt.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}
	got, err := s.Fitted.Predict(ctx, logs, opt.OwnBand, progress)
	if err != nil {
		return nil, err
	}
	v := &Validation{Prediction: got, Grade: folder.GradedAs(s.Fitted.Result.Grade, got.Grade)}
	if opt.Replay == nil {
		return v, nil
	}
	if v.Replay, err = replayLogs(ctx, s.Fitted, logs, *opt.Replay); err != nil {
		return nil, err
	}
	v.Grade = folder.GradedAs(s.Fitted.Result.Grade, result.TorqueGradeOf(slices.Concat(v.Verdicts, v.Replay.Verdicts)))
	return v, nil
}

// WritePage writes the validation of a result with rigid joints as an HTML page to path. The page shows command
// unchanged, nothing for "".
func (s *Saved) WritePage(ctx context.Context, path, command string, v *Validation) error {
	var further []result.Verdict
	var sections []report.Section
	if v.Replay != nil {
		further, sections = v.Replay.Verdicts, []report.Section{v.Replay.section()}
	}
	return writeValidationPage(ctx, path, command, s.Fitted, v.Prediction, v.Grade, further, sections)
}
