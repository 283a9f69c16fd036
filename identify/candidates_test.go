package identify

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/long"
)

// The choices of a fit, pinned, give the fit again, and each candidate is the fit of the pinned setting. The folder
// keeps the comparison for the page to be drawn again.
func TestCandidates(t *testing.T) {
	long.Only(t, "a fit for each candidate; the example has some")
	dir := t.TempDir()
	recorded, err := datasets.ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	arm, log := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.parquet")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := datasets.Copy(t.Context(), log, recorded.Slice(0, recorded.Rows()/2), nil); err != nil {
		t.Fatal(err)
	}
	s := &project.Settings{Robot: arm, TrainFraction: 0.6}
	p := New(s, true, log)
	job, err := project.OpenJob(t.Context(), s, p.logs, project.JobOptions{RobotGiven: true, Unexamined: true})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	outcome, err := regression.Fit(t.Context(), job.Session.Robot, job.Terms, job.Train, job.Validate, job.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Complete(t.Context(), outcome); err != nil {
		t.Fatal(err)
	}
	pinned, want := *job.Settings, []string{"chosen"}
	for _, d := range outcome.Result.Selection {
		pin(&pinned, d.Decision, d.Chosen)
		for _, c := range d.Candidates {
			if c.Choice != d.Chosen {
				want = append(want, d.Decision+": "+c.Choice)
			}
		}
	}
	again, err := p.fitCandidate(t.Context(), &pinned, &outcome.Result)
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range outcome.Result.BaseParameters {
		// The same rows and sums in the same order; the choice of friction reduces them together with further columns.
		if p := again.Result.BaseParameters[k]; p.Name != b.Name || math.Abs(p.Value-b.Value) > 1e-6*b.Sigma {
			t.Errorf("%s is %g, pinned %s %g, with a deviation of %g", b.Name, b.Value, p.Name, p.Value, b.Sigma)
		}
	}
	c, err := p.compareCandidates(t.Context(), job, outcome)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, side := range c.Sides {
		got = append(got, side.Name)
	}
	if len(want) < 2 || !slices.Equal(got, want) {
		t.Errorf("compared %q, want %q", got, want)
	}
	if len(c.Logs) != 1 || len(c.Logs[0].Errors) != len(want) || slices.Contains(c.Logs[0].Errors, nil) {
		t.Errorf("errors on the validation rows: %+v", c.Logs)
	}
	for i, name := range want[1:] {
		if f, of := c.Sides[i+1].Fit.Stacked, outcome.Result.Fit.RelativeError.Stacked; f == of {
			t.Errorf("%s has the error of the choice, %g", name, of)
		}
	}

	result := filepath.Join(dir, "log.ident")
	if err := folder.WriteResult(t.Context(), result, outcome, job.Session.Source, folder.Drawing{Compared: c}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(outcome.Result.Files, "compared.json") {
		t.Errorf("the folder's files are %q", outcome.Result.Files)
	}
	text, err := os.ReadFile(filepath.Join(result, folder.ReportFile))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `id="compared"`) || !strings.Contains(string(text), want[1]) {
		t.Errorf("the page lacks the comparison")
	}
}
