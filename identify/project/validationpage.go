package project

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ident/internal/output"
	"ident/report"
	"ident/result"
)

// WriteValidationPage writes an HTML page about a result on logs that it has not seen: measured and predicted torques,
// errors and verdicts. grade is the overall grade; verdicts are shown in addition to those of the prediction.
func (f *Fitted) WriteValidationPage(ctx context.Context, path, command string, p *Prediction, grade result.Grade, verdicts []result.Verdict) error {
	res := *f.Result
	res.Validation, res.Processing, res.Grade = p.Validation, p.Processing, grade
	res.Verdicts = slices.Concat(p.Verdicts, verdicts)
	res.Warnings, res.Gates = p.Warnings, p.Gates
	opt := report.Options{Title: "Validation of " + res.Robot.Name, Formats: []string{"svg"}, Date: Today().Format("2 Jan 2006"), Command: command, Scene: sceneOf(f.Source, &res)}
	drawn, err := report.Plots(ctx, &res, p.Residuals, opt)
	if err != nil {
		return fmt.Errorf("drawing the validation: %w", err)
	}
	return output.Write(path, func(w io.Writer) error { return report.HTML(ctx, w, &res, p.Residuals, drawn, opt) })
}
