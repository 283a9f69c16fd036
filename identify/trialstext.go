package identify

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Text prints a report: a line an estimator and, where all is set, the parameters.
func (r *TrialsReport) Text(w io.Writer, all bool) error {
	fmt.Fprintf(w, "robot       %s\nmotion      %s\nexperiment  %s\ntrials      %d, seeds %d to %d\n\n", r.Robot, r.Motion, r.Experiment, r.Trials, r.Seed, r.Seed+uint64(r.Trials)-1)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "estimator\tfits\tcoverage %\tworst\tparameter\tbias/stated\terror %")
	for _, e := range r.Estimators {
		if e.Fits < 2 {
			fmt.Fprintf(t, "%s\t%d\t\t\t\t\t\n", e.Name, e.Fits)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%s\t%.2f\t%.3g\n", e.Name, e.Fits, e.Coverage, e.WorstCoverage, e.Worst, e.BiasInStated, e.RelativeError)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range r.Estimators {
		if e.Failed > 0 {
			fmt.Fprintf(w, "%s failed %d times, first: %s\n", e.Name, e.Failed, e.Reason)
		}
	}
	if !all {
		return nil
	}
	for _, e := range r.Estimators {
		fmt.Fprintf(w, "\n%s\n", e.Name)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "parameter\ttruth\tbias\tscatter\tstated\tcoverage %\tunit\t")
		for _, p := range e.Parameters {
			fmt.Fprintf(t, "%s\t%.5g\t%.2g\t%.2g\t%.2g\t%.1f\t%s\t\n", p.Name, p.Truth, p.Bias, p.Scatter, p.Stated, p.Coverage, p.Unit)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
