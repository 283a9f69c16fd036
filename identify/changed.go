package identify

import (
	"context"
	"slices"

	"ident/doctor"
	"ident/identify/project"
	"ident/internal/findingkind"
)

// Changed returns the causes that the checks name in a complete log beside the bodies and rotors of the result: why the robot that is watched
// differs from the one that was identified.
func (w *Watching) Changed(ctx context.Context, path string) ([]project.Finding, error) {
	fitted := *w.saved.Fitted
	fitted.Settings = w.settings
	ses, done, err := fitted.Sessions(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := project.CheckBeside(ctx, fitted.Settings, ses.Robot, ses.Runs, func(string, int, int) {}, fitted.Known())
	return slices.DeleteFunc(found, func(f project.Finding) bool {
		return f.Severity == doctor.Info || !findingkind.Of(f.ID).Cause
	}), err
}
