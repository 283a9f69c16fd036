package table

import (
	"fmt"
	"io"

	"ident/identify"
	"ident/internal/digits"
	"ident/internal/rowlist"
	"ident/report"
)

// Replay writes a replay as tables.
func Replay(w io.Writer, d *identify.ReplayDocument) {
	names, width := report.JointColumns(d.Joints)
	width = max(width, 9)
	percent := func(h identify.ReplayHorizon) float64 { return h.Percent }
	if d.Controller == "" {
		fmt.Fprintf(w, "\nreplay under the logged torques: rms error of position, mrad or mm, and in per cent of the motion\n\n")
	} else {
		percent = func(h identify.ReplayHorizon) float64 { return h.PercentOfLaw }
		fmt.Fprintf(w, "\nreplay under %s: rms error of position, mrad or mm, and in per cent of the controller's own\n\n", d.Controller)
	}
	fmt.Fprintf(w, "%-30s", "horizon")
	fmt.Fprintf(w, " %8s %8s", "ident %", "file %")
	replayHead(w, names, width)
	for i, h := range d.Identified {
		file := digits.None
		if i < len(d.File) {
			file = digits.Number(percent(d.File[i]), 3)
		}
		fmt.Fprintf(w, "%-30s %8s %8s", fmt.Sprintf("%.4g s, %d starts", h.HorizonS, h.Starts), digits.Number(percent(h), 3), file)
		replayRow(w, h.RMS, width)
		if h.Lost > 0 {
			fmt.Fprintf(w, "  (%s diverged)", rowlist.Plural(h.Lost, "run"))
		}
	}
	if len(d.Tracking) > 0 {
		fmt.Fprintf(w, "\ntracking of the log's motion by the robot that the log shows: rms error, mrad or mm\n\n")
		fmt.Fprintf(w, "%-30s %8s", "law", "all")
		replayHead(w, names, width)
		for _, t := range d.Tracking {
			fmt.Fprintf(w, "%-30s %8s", t.Law, digits.Number(1e3*t.All, 3))
			replayRow(w, t.RMS, width)
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	fmt.Fprintln(w)
}

func replayHead(w io.Writer, names []string, width int) {
	for _, n := range names {
		fmt.Fprintf(w, " %*s", width, n)
	}
	fmt.Fprintln(w)
}

func replayRow(w io.Writer, rms []float64, width int) {
	for _, v := range rms {
		fmt.Fprintf(w, " %*s", width, digits.Number(1e3*v, 3))
	}
	fmt.Fprintln(w)
}
