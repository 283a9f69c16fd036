package drift

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Print writes a report as text; package identify writes it as a page.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fitted := 0
	for _, v := range r.Windows {
		if v.Why == "" {
			fitted++
		}
	}
	fmt.Fprintf(&b, "%s: %d parameters in %d of %d windows of %s\n", r.Robot, len(r.Parameters), fitted, len(r.Windows), r.Length())
	if len(r.Changes) == 0 {
		fmt.Fprintf(&b, "no change: no step of a parameter is beyond %.2f standard deviations (a chance of %g %% for all together)\n", r.Limit, 100*r.Chance)
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%-10s %+.3g %% since %s (window %d): %.4g ± %.2g, then %.4g ± %.2g; %.1f standard deviations, limit %.1f\n",
			c.Parameter, c.Percent, r.Date(c.Time), c.Window, c.Before, c.BeforeSigma, c.After, c.AfterSigma, math.Abs(c.Z), r.Limit)
	}
	for i, v := range r.Windows {
		if v.Why != "" {
			fmt.Fprintf(&b, "window %d, from %s, is left out: %s\n", i+1, r.Date(v.From), v.Why)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Date returns a time for the report: a day, or seconds if the clock has no date.
func (r *Report) Date(t float64) string {
	if !r.Absolute {
		return fmt.Sprintf("%.6g s", t)
	}
	return time.Unix(int64(t), 0).UTC().Format("2 Jan 2006")
}

// Length returns the length of the windows as text.
func (r *Report) Length() string {
	seconds := r.WindowS
	for _, unit := range []struct {
		name string
		s    float64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if seconds >= unit.s {
			return fmt.Sprintf("%.4g %s", seconds/unit.s, unit.name)
		}
	}
	return fmt.Sprintf("%.4g s", seconds)
}
