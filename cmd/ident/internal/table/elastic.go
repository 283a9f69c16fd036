package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ident/identify/elastic"
	"ident/identify/folder"
)

// Elastic writes the tables of a result and its folder, or the document as JSON to data.
func Elastic(w, data io.Writer, d *elastic.Result, dir string, asJSON bool) error {
	if asJSON {
		return folder.WriteJSON(data, d)
	}
	elasticTables(w, d)
	_, err := fmt.Fprintf(w, "\nresult  %s\n", dir)
	return err
}

// elasticTables writes the tables of a result.
func elasticTables(w io.Writer, d *elastic.Result) {
	fmt.Fprintf(w, "robot      %s, elastic joints\n", d.Robot)
	fmt.Fprintf(w, "sensors    %s\n", d.Sensors)
	fmt.Fprintf(w, "logs       %s\n", strings.Join(d.Logs, ", "))
	fmt.Fprintf(w, "rows       %d of each equation at %.4g Hz, low-pass %.3g Hz\n", d.Rows, d.Rate, d.Cutoff)
	fmt.Fprintf(w, "condition  %.3g (columns of unit norm)\n", d.Condition)
	fmt.Fprintf(w, "error      %.3g %% of the drives' torques\n\n", d.Error)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "joint\tstiffness\tsigma\tdamping\tsigma\trotor inertia\tsigma")
	for _, j := range d.Joints {
		fmt.Fprintf(t, "%s\t%.6g\t%.2g\t%.4g\t%.2g", j.Joint, j.Stiffness.Value, j.Stiffness.Sigma, j.Damping.Value, j.Damping.Sigma)
		if r := j.Rotor; r != nil {
			fmt.Fprintf(t, "\t%.5g\t%.2g", r.Value, r.Sigma)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "parameter\tvalue\tsigma\tunit\tof\texpression")
	for _, p := range d.Base {
		fmt.Fprintf(t, "%s\t%.6g\t%.2g\t%s\t%s\t%s\n", p.Name, p.Value, p.Sigma, p.Unit, p.Owner, p.Expression)
	}
	t.Flush()
	if d.Modes != nil {
		fmt.Fprintf(w, "\nresonances       %s Hz at q = 0\nanti-resonances  %s Hz, motors locked\n", hertz(d.Modes.Resonances), hertz(d.Modes.AntiResonances))
	}
	for _, n := range d.Notes {
		fmt.Fprintf(w, "\nnote  %s", n)
	}
	fmt.Fprintf(w, "\ngrade   %s\n", d.Grade.Value)
	for _, r := range d.Grade.Reasons {
		fmt.Fprintf(w, "  %s: %s; %s\n", r.ID, r.Why, r.Fix)
	}
}

func hertz(f []elastic.Frequency) string {
	var out []string
	for _, x := range f {
		out = append(out, fmt.Sprintf("%.4g ± %.2g", x.Value, x.Sigma))
	}
	return strings.Join(out, ", ")
}

// ElasticValidation writes the errors of logs as text, or the document as JSON to data.
func ElasticValidation(w, data io.Writer, v *elastic.Validation, asJSON bool) error {
	if asJSON {
		return folder.WriteJSON(data, v)
	}
	printValidation(w, v)
	return nil
}

func printValidation(w io.Writer, v *elastic.Validation) {
	for _, p := range v.Logs {
		fmt.Fprintf(w, "log        %s\nsensors    %s\nrows       %d of each torque\nerror      %.3g %% of the drives' torques, %.3g %% of those fitted\n\n", p.Log, p.Sensors, p.Rows, p.Error, v.Fitted)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "joint\ttorque of\trmse\terror %")
		for _, x := range p.Torques {
			of := "drive"
			if x.Sensor {
				of = "sensor"
			}
			fmt.Fprintf(t, "%s\t%s\t%.4g\t%.3g\n", x.Joint, of, x.RMSE, x.Percent)
		}
		t.Flush()
		for _, n := range p.Notes {
			fmt.Fprintf(w, "\nnote  %s\n", n)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "grade   %s\n", v.Grade.Value)
	for _, r := range v.Grade.Reasons {
		fmt.Fprintf(w, "  %s: %s; %s\n", r.ID, r.Why, r.Fix)
	}
}
