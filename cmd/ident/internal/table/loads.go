package table

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"ident/mechanics/loads"
)

// Loads writes a report as tables of few columns.
func Loads(w io.Writer, r *loads.Report) error {
	fmt.Fprintf(w, "robot    %s\nmotion   %s\ntorques  %s\nsamples  %d in %.4g s\n", r.Robot, r.Motion, r.Torques, r.Samples, r.Duration)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	drives(t, r)
	bearings(t, r)
	motors(t, r)
	sizing(t, r)
	beams(t, r)
	vibrations(t, r)
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the loads: %w", err)
	}
	for i, n := range r.Notes {
		if i == 0 {
			fmt.Fprint(w, "\nnotes\n")
		}
		fmt.Fprintf(w, "  %s\n", n)
	}
	return nil
}

// num returns a number with four digits.
func num(v float64) string { return fmt.Sprintf("%.4g", v+0) }

// peak and optional are numbers, a dash where they are not determined.
func peak(p *loads.Peak) string {
	if p == nil {
		return "-"
	}
	return num(p.Value)
}

func optional(v *float64) string {
	if v == nil {
		return "-"
	}
	return num(*v)
}

func drives(t io.Writer, r *loads.Report) {
	deviations, limits := false, false
	for _, d := range r.Drives {
		deviations, limits = deviations || d.Sigma > 0, limits || d.Share != nil
	}
	fmt.Fprint(t, "\ndrive\tpeak torque\t")
	if deviations {
		fmt.Fprint(t, "± σ\t")
	}
	fmt.Fprint(t, "rms\t")
	if limits {
		fmt.Fprint(t, "of limit\t")
	}
	fmt.Fprintln(t, "peak speed\tpeak power W\tenergy given J\ttaken J")
	for _, d := range r.Drives {
		fmt.Fprintf(t, "%s\t%s %s\t", d.Joint, num(d.Torque.Value), d.Unit)
		if deviations {
			fmt.Fprintf(t, "%.2g\t", d.Sigma)
		}
		fmt.Fprintf(t, "%s\t", num(d.RMS))
		if limits {
			share := "-"
			if d.Share != nil {
				share = fmt.Sprintf("%.0f %%", 100**d.Share)
			}
			fmt.Fprintf(t, "%s\t", share)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", num(math.Abs(d.Speed.Value)), num(d.Power.Value), num(d.Given), num(-d.Taken))
	}
	e := r.Energy
	if math.Abs(e.Dissipated) <= 2*math.Abs(e.Residual) {
		e.Dissipated = 0 // the error of the integral
	}
	fmt.Fprintf(t, "\nenergy J\twithout regeneration\tshared supply\twith regeneration\tmechanical\tdissipated\n\t%s\t%s\t%s\t%s\t%s\n",
		num(e.Without), num(e.Shared), num(e.Net), num(e.Mechanical), num(e.Dissipated))
}

func bearings(t io.Writer, r *loads.Report) {
	fmt.Fprintln(t, "\nbearing\taxial force N\tacross N\ttilting moment N·m\trms across N\trms tilting N·m")
	for _, b := range r.Bearings {
		axial := peak(b.Axial)
		if b.Drive == "force" {
			axial = "drive's"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", b.Joint, axial, peak(b.Radial), peak(b.Tilt), optional(b.RMS), optional(b.Moment))
	}
	b := r.Base
	fmt.Fprintf(t, "base\t%s\t%s\t%s\t\tmoment along z %s N·m\n", num(b.Vertical.Value), num(b.Shear.Value), num(b.Tilt.Value), num(b.Twist.Value))
	if g := r.Payload; g != nil {
		fmt.Fprintf(t, "\npayload\t%s kg on %s\tforce %s N at %.4g s\tmoment %s N·m about the link's frame\n", num(g.Mass), g.Link, num(g.Force.Value), g.Force.At, num(g.Moment.Value))
	}
}

// share returns a part of a limit.
func share(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100**v)
}

func motors(t io.Writer, r *loads.Report) {
	if len(r.Motors) == 0 {
		return
	}
	fmt.Fprintln(t, "\nmotor\tpeak torque N·m\trms\tpeak speed rad/s\tof its line\tof continuous\tthis motion")
	for _, u := range r.Motors {
		verdict := "follows"
		if !u.OK {
			verdict = "does not follow"
			if u.Violated != nil {
				verdict = fmt.Sprintf("does not follow from %.4g s on", *u.Violated)
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", strings.TrimSpace(u.Joint+" "+u.Motor.Name), num(u.Torque.Value), num(u.RMS), num(math.Abs(u.Speed.Value)), share(u.Line), share(u.Thermal), verdict)
	}
}

func sizing(t io.Writer, r *loads.Report) {
	if len(r.Sizing) == 0 {
		return
	}
	fmt.Fprintln(t, "\nsizing\tmotor\tmass kg\tpeak torque N·m\tof its line\tof continuous\tlighter ones fail")
	for _, c := range r.Sizing {
		why := ""
		if n := len(c.Rejected); n > 0 {
			why = c.Rejected[n-1].Motor + ": " + c.Rejected[n-1].Why
		}
		if c.Use == nil {
			fmt.Fprintf(t, "%s\tnone\t\t\t\t\t%s\n", c.Joint, why)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Joint, c.Use.Motor.Name, num(c.Use.Motor.Mass), num(c.Use.Torque.Value), share(c.Use.Line), share(c.Use.Thermal), why)
	}
}

func beams(t io.Writer, r *loads.Report) {
	if len(r.Beams) == 0 {
		return
	}
	fmt.Fprintln(t, "\nbeam\tlength m\tstress MPa\tat\tof allowed\tdeflection mm")
	for _, b := range r.Beams {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s, %.4g s\t%s\t%s\n", b.Link, num(b.Length), num(b.Combined.Value/1e6), b.End, b.Combined.At, share(b.Share), num(1e3*b.Bends.Value))
	}
	tip := r.Tip
	frequency := "-"
	if tip.Frequency != nil {
		frequency = fmt.Sprintf("%s Hz at %.4g s", num(*tip.Frequency), tip.At)
	}
	fmt.Fprintf(t, "tip of %s\t\t\t\t\t%s\tlowest frequency %s\n", tip.Link, num(1e3*tip.Deflection.Value), frequency)
}

func vibrations(t io.Writer, r *loads.Report) {
	for i, v := range r.Vibrations {
		if i == 0 {
			fmt.Fprint(t, "\nelastic joints\tlowest, Hz\t± σ\tat\thighest, Hz\t± σ\tat\n")
		}
		fmt.Fprintf(t, "%s %d\t%s\t%s\t%s s\t%s\t%s\t%s s\n", v.Kind, v.Number, num(v.Low), num(v.LowSigma), num(v.LowAt), num(v.High), num(v.HighSigma), num(v.HighAt))
	}
}
