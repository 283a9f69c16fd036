package identify

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/result"
)

// writeValidationPage writes an HTML page about a result on logs that it has not seen: measured and predicted torques,
// errors and verdicts. grade is the overall grade; verdicts are shown in addition to those of the
// prediction, and sections below the bodies.
func writeValidationPage(ctx context.Context, path, command string, f *project.Fitted, p *project.Prediction, grade result.Grade, verdicts []result.Verdict, sections []report.Section) error {
	res := *f.Result
	res.Validation, res.Processing, res.Grade = p.Validation, p.Processing, grade
	res.Verdicts = slices.Concat(p.Verdicts, verdicts)
	res.Warnings, res.Gates = p.Warnings, p.Gates
	opt := report.Options{Title: "Validation of " + res.Robot.Name, Formats: []string{"svg"}, Date: folder.Today().Format("2 Jan 2006"), Command: command, Scene: folder.SceneOf(f.Source, &res), Sections: sections}
	drawn, err := report.Plots(ctx, &res, p.Residuals, opt)
	if err != nil {
		return fmt.Errorf("drawing the validation: %w", err)
	}
	return output.Write(path, func(w io.Writer) error { return report.HTML(ctx, w, &res, p.Residuals, drawn, opt) })
}
