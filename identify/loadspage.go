package identify

import (
	"fmt"
	"io"

	"ident/identify/project"
	"ident/internal/output"
	"ident/mechanics/loads"
	"ident/report"
	"ident/report/loadsection"
	"ident/report/scene"
)

// loadsPageSamples is the number of samples that the robot of a page plays at most.
const loadsPageSamples = 1200

// writePage writes the loads as a page that opens offline: the robot in its motion, torque, speed and power of each
// drive, and the tables.
func (s *LoadedRobot) writePage(path, command string, m *loads.Series, out *loads.Report) error {
	p := &report.ScenePage{Title: "Loads of " + s.Name, Version: project.Version, Command: command,
		About: fmt.Sprintf("%s · torques: %s", out.Motion, out.Torques)}
	drawn, err := scene.New(s.Robot)
	if err == nil && len(s.Robot.Independent()) == len(m.Q) {
		p.Scene = drawn
		err = drawn.Play([]scene.Run{thinned(m)})
	}
	if err != nil {
		p.Scene, p.Missing = nil, "The robot is not drawn: "+err.Error()
	}
	s.headlines(p, out)
	columns := map[string][]float64{}
	for _, c := range out.Columns {
		columns[c.Name] = c.Values
	}
	n := len(out.Drives)
	names := make([]string, n)
	quantities := []report.Quantity{{Label: "torque", Limits: make([][]float64, n)}, {Label: "speed"}, {Label: "power"}}
	for i, d := range out.Drives {
		speed := "rad/s"
		if d.Unit == "N" {
			speed = "m/s"
		}
		names[i] = d.Joint
		for o, unit := range []string{d.Unit, speed, "W"} {
			quantities[o].Units = append(quantities[o].Units, unit)
			quantities[o].Values = append(quantities[o].Values, [][]float64{columns["tau_"+d.Joint], m.DQ[i], columns["power_"+d.Joint]}[o])
		}
		if d.Limit != nil {
			quantities[0].Limits[i] = []float64{-*d.Limit, *d.Limit}
		}
	}
	t := make([]float64, len(m.T))
	for k := range t {
		t[k] = m.T[k] - m.T[0]
	}
	p.CurvesTitle, p.Curves = "Torque, speed and power of the drives", report.Motion("the motion", t, names, quantities...)
	p.Legend = []report.Mark{{Class: "p", Text: "of the motion"}, {Class: "beyond", Text: "beyond the limit"}}
	p.Sections = loadsection.Sections(out)
	return output.Write(path, func(w io.Writer) error { return report.Scene(w, p) })
}

// thinned returns the motion for the viewer.
func thinned(m *loads.Series) scene.Run {
	every := 1 + (len(m.T)-1)/loadsPageSamples
	run := scene.Run{Name: "the motion"}
	take := func(x []float64) (out []float64) {
		for k := 0; k < len(x); k += every {
			out = append(out, x[k])
		}
		return out
	}
	run.T = take(m.T)
	for k := range run.T {
		run.T[k] -= m.T[0]
	}
	for _, q := range m.Q {
		run.Q = append(run.Q, take(q))
	}
	return run
}

// headlines are the figures of the first screen, and the notes.
func (s *LoadedRobot) headlines(p *report.ScenePage, out *loads.Report) {
	add := func(name, format string, args ...any) {
		p.Headlines = append(p.Headlines, report.Headline{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	var most *loads.Drive
	for i := range out.Drives {
		if d := &out.Drives[i]; d.Share != nil && (most == nil || *d.Share > *most.Share) {
			most = d
		}
	}
	if most != nil {
		add("largest share of a torque limit", "%.0f %%, %s", 100**most.Share, most.Joint)
	}
	add("energy without regeneration", "%.4g J", out.Energy.Without)
	add("with regeneration", "%.4g J", out.Energy.Net)
	add("largest force along the base's z", "%.4g N", out.Base.Vertical.Value)
	add("largest tilting moment on the base", "%.4g N·m", out.Base.Tilt.Value)
	for _, u := range out.Motors {
		if !u.OK {
			p.Findings = append(p.Findings, report.SceneFinding{Severity: "warning", Where: u.Joint, Text: "its motor does not follow this motion"})
		}
	}
	for _, n := range out.Notes {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "note", Text: n})
	}
}
