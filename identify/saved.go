package identify

import (
	"context"
	"errors"
	"slices"

	"ident/identify/elasticjoints"
	"ident/identify/project"
	"ident/identify/replayfit"
	"ident/result"
)

// A Saved result is the folder of a fit, opened again.
type Saved struct {
	Folder string
	// Settings are those that further logs are read by: of the fit, without its rows, its validation logs and its payload runs.
	// They may be changed. Of a result of elastic joints they are empty.
	Settings *project.Settings
	// Fitted is the result with its model; nil for a result of elastic joints.
	Fitted *project.Fitted
}

// OpenResult reads the folder of a result. A rigid model must be rebuilt with the base parameters that the result names; otherwise
// the result was made by another version, or its robot file was changed, and the error says so.
func OpenResult(folder string) (*Saved, error) {
	if elasticjoints.IsResult(folder) {
		return &Saved{Folder: folder, Settings: new(project.Settings)}, nil
	}
	f, err := project.OpenFitted(folder)
	if err != nil {
		return nil, err
	}
	f.Settings.ForOtherLogs()
	return &Saved{Folder: folder, Settings: f.Settings, Fitted: f}, nil
}

// Elastic reports whether the result is of elastic joints.
func (s *Saved) Elastic() bool { return s.Fitted == nil }

// ErrElastic is the error of a request that only results of rigid joints can fulfil.
var ErrElastic = errors.New("the result is of elastic joints, whose models cannot be replayed")

// ValidateOptions say how a result is held against logs.
type ValidateOptions struct {
	// OwnBand tells that the settings say the band of the filter; the cut-off of the motion then follows from it, too.
	OwnBand bool
	// Replay, where not nil, also runs the model forward.
	Replay *replayfit.Options
	// Progress is told of every stage; nil for silence.
	Progress func(stage string, done, total int)
}

// A Validation is a result held against logs that it has not seen.
type Validation struct {
	*project.Prediction                           // of rigid joints
	Replay              *replayfit.Document       // where it was asked for
	Elastic             *elasticjoints.Validation // of elastic joints
	Grade               result.Grade              // of all that was judged
}

// Failed reports whether the prediction is unusable, or does not pass a gate.
func (v *Validation) Failed() bool {
	return v.Grade.Value == result.Unusable || v.Prediction != nil && len(result.FailedGates(v.Gates)) > 0
}

// Validate predicts the torques of logs with the parameters of the result. The logs go through the same filters as the training logs
// did, except where the settings say otherwise. Nothing is written.
func (s *Saved) Validate(ctx context.Context, logs []string, opt ValidateOptions) (*Validation, error) {
	if s.Elastic() {
		if opt.Replay != nil {
			return nil, ErrElastic
		}
		v, err := elasticjoints.Validate(ctx, s.Settings, s.Folder, logs)
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
	v := &Validation{Prediction: got, Grade: got.Grade}
	if opt.Replay == nil {
		return v, nil
	}
	if v.Replay, err = replayfit.Of(ctx, s.Fitted, logs, *opt.Replay); err != nil {
		return nil, err
	}
	v.Grade = result.TorqueGradeOf(slices.Concat(v.Verdicts, v.Replay.Verdicts))
	return v, nil
}

// WritePage writes the validation of a result with rigid joints as an HTML page to a file. The page shows command as it is, nothing for "".
func (s *Saved) WritePage(ctx context.Context, path, command string, v *Validation) error {
	var further []result.Verdict
	if v.Replay != nil {
		further = v.Replay.Verdicts
	}
	return s.Fitted.WriteValidationPage(ctx, path, command, v.Prediction, v.Grade, further)
}
