package workload

import (
	"fmt"
	"io"
	"math"

	"ident/internal/output"
	"ident/loads"
	"ident/project"
	"ident/report"
	"ident/scene"
)

// pageSamples is the number of samples that the robot of a page plays at most.
const pageSamples = 1200

// writePage writes the loads as a page that opens offline: the robot in its motion, torque, speed and power of each
// drive, and the tables.
func (s *Subject) writePage(path, command string, m *loads.Series, out *loads.Report) error {
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
	none := math.NaN()
	for i, d := range out.Drives {
		speed := "rad/s"
		if d.Unit == "N" {
			speed = "m/s"
		}
		c := report.JointCurves{Joint: d.Joint, Titles: [3]string{"torque", "speed", "power"}, Units: [3]string{d.Unit, speed, "W"}, T: m.T,
			Values: [3][]float64{columns["tau_"+d.Joint], m.DQ[i], columns["power_"+d.Joint]}, Low: [3]float64{none, none, none}, High: [3]float64{none, none, none}}
		if d.Limit != nil {
			c.Low[0], c.High[0] = -*d.Limit, *d.Limit
		}
		p.Curves = append(p.Curves, c)
	}
	p.Sections = append(p.Sections, driveSection(out), bearingSection(out))
	if len(out.Motors)+len(out.Sizing) > 0 {
		p.Sections = append(p.Sections, motorSection(out))
	}
	if out.Tip != nil {
		p.Sections = append(p.Sections, beamSection(out))
	}
	return output.Write(path, func(w io.Writer) error { return report.Scene(w, p) })
}

// thinned is the motion for the viewer.
func thinned(m *loads.Series) scene.Run {
	every := 1 + (len(m.T)-1)/pageSamples
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
func (s *Subject) headlines(p *report.ScenePage, out *loads.Report) {
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

func num(v float64) string { return fmt.Sprintf("%.4g", v+0) }

func share(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.0f", 100**v)
}

// numbers marks all columns but the first as numbers.
func numbers(head []string) []bool {
	right := make([]bool, len(head))
	for i := range right {
		right[i] = i > 0
	}
	return right
}

func table(caption string, head []string, rows [][]string) report.Table {
	return report.Table{Caption: caption, Head: head, Right: numbers(head), Rows: rows}
}

func driveSection(out *loads.Report) report.Section {
	var rows [][]string
	for _, d := range out.Drives {
		sigma := ""
		if d.Sigma > 0 {
			sigma = fmt.Sprintf("%.2g", d.Sigma)
		}
		rows = append(rows, []string{d.Joint, num(d.Torque.Value), sigma, num(d.Torque.At), num(d.RMS), share(d.Share), num(math.Abs(d.Speed.Value)), num(d.Power.Value), num(d.Given), num(-d.Taken)})
	}
	e := out.Energy
	return report.Section{Title: "Drives", Gist: fmt.Sprintf("%.4g J without regeneration", e.Without), Tables: []report.Table{
		table("Torque in N·m or N, speed in rad/s or m/s", []string{"Drive", "Peak torque", "σ", "At s", "RMS", "Of limit %", "Peak speed", "Peak power W", "Energy given J", "Taken J"}, rows),
		table("Energy of all drives, J", []string{"", "Without regeneration", "Shared supply", "With regeneration", "Mechanical", "Dissipated"},
			[][]string{{"energy", num(e.Without), num(e.Shared), num(e.Net), num(e.Mechanical), num(e.Dissipated)}})}}
}

func bearingSection(out *loads.Report) report.Section {
	var rows [][]string
	for _, b := range out.Bearings {
		axial := num(b.Axial.Value)
		if b.Drive == "force" {
			axial = ""
		}
		rows = append(rows, []string{b.Joint, axial, num(b.Radial.Value), num(b.Radial.At), num(b.Tilt.Value), num(b.Tilt.At), num(b.RMS), num(b.Moment)})
	}
	b := out.Base
	rows = append(rows, []string{"base", num(b.Vertical.Value), num(b.Shear.Value), num(b.Shear.At), num(b.Tilt.Value), num(b.Tilt.At), "", ""})
	s := report.Section{Title: "Bearings and base", Gist: "forces and moments along and across the axes", Tables: []report.Table{
		table("Forces in N, moments in N·m about the joint's frame", []string{"Bearing", "Along", "Across", "At s", "Tilting moment", "At s", "RMS across", "RMS tilting"}, rows)}}
	if g := out.Payload; g != nil {
		s.Lines = append(s.Lines, fmt.Sprintf("The payload of %.4g kg on %s takes %.4g N and %.4g N·m about the link's frame at most.", g.Mass, g.Link, g.Force.Value, g.Moment.Value))
	}
	return s
}

func motorSection(out *loads.Report) report.Section {
	head := []string{"Motor", "Peak torque N·m", "RMS", "Peak speed rad/s", "Of its line %", "Of continuous %"}
	row := func(u *loads.Use) []string {
		return []string{u.Joint + " " + u.Motor.Name, num(u.Torque.Value), num(u.RMS), num(math.Abs(u.Speed.Value)), share(u.Line), share(u.Thermal)}
	}
	s := report.Section{Title: "Motors", Gist: fmt.Sprintf("%d in the file, %d chosen", len(out.Motors), len(out.Sizing))}
	var rows [][]string
	for i := range out.Motors {
		rows = append(rows, row(&out.Motors[i]))
	}
	if len(rows) > 0 {
		s.Tables = append(s.Tables, table("Motors of the robot file", head, rows))
	}
	rows = nil
	for _, c := range out.Sizing {
		if c.Use == nil {
			rows = append(rows, []string{c.Joint + ": none follows", "", "", "", "", ""})
		} else {
			rows = append(rows, row(c.Use))
		}
	}
	if len(rows) > 0 {
		s.Tables = append(s.Tables, table("Chosen motors, from the last joint to the first", head, rows))
	}
	return s
}

func beamSection(out *loads.Report) report.Section {
	var rows [][]string
	for _, b := range out.Beams {
		rows = append(rows, []string{b.Link, num(b.Length), num(b.Combined.Value / 1e6), b.End, share(b.Share), num(1e3 * b.Bends.Value)})
	}
	s := report.Section{Title: "Stress and deflection", Gist: fmt.Sprintf("%.4g mm at the tip", 1e3*out.Tip.Deflection.Value), Tables: []report.Table{
		table("Links with a section", []string{"Beam", "Length m", "Stress MPa", "At", "Of allowed %", "Deflection mm"}, rows)}}
	if f := out.Tip.Frequency; f != nil {
		s.Lines = []string{fmt.Sprintf("The lowest natural frequency with locked joints is %.4g Hz, at %.4g s.", *f, out.Tip.At)}
	}
	return s
}
