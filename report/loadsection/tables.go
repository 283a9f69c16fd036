package loadsection

import (
	"fmt"
	"math"

	"ident/mechanics/loads"
	"ident/report"
)

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
	return report.Section{Title: "Drives", Gist: fmt.Sprintf("%.4g J without regeneration", e.Without), Legend: legend(false), Figures: diagrams(out, true), Tables: []report.Table{
		table("Torque in N·m or N, speed in rad/s or m/s", []string{"Drive", "Peak torque", "σ", "At s", "RMS", "Of limit %", "Peak speed", "Peak power W", "Energy given J", "Taken J"}, rows),
		table("Energy of all drives, J", []string{"", "Without regeneration", "Shared supply", "With regeneration", "Mechanical", "Dissipated"},
			[][]string{{"energy", num(e.Without), num(e.Shared), num(e.Net), num(e.Mechanical), num(e.Dissipated)}})}}
}

// peak returns a peak with its time, empty where it is not determined; optional a number.
func peak(p *loads.Peak) (value, at string) {
	if p == nil {
		return "", ""
	}
	return num(p.Value), num(p.At)
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return num(*v)
}

func bearingSection(out *loads.Report) report.Section {
	var rows [][]string
	for _, b := range out.Bearings {
		axial, _ := peak(b.Axial)
		if b.Drive == "force" {
			axial = ""
		}
		radial, radialAt := peak(b.Radial)
		tilt, tiltAt := peak(b.Tilt)
		rows = append(rows, []string{b.Joint, axial, radial, radialAt, tilt, tiltAt, optional(b.RMS), optional(b.Moment)})
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
	row := func(u *loads.MotorUse) []string {
		return []string{u.Joint + " " + u.Motor.Name, num(u.Torque.Value), num(u.RMS), num(math.Abs(u.Speed.Value)), share(u.Line), share(u.Thermal)}
	}
	s := report.Section{Title: "Motors", Gist: fmt.Sprintf("%d in the file, %d chosen", len(out.Motors), len(out.Sizing)), Legend: legend(true), Figures: diagrams(out, false)}
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
		s.Lines = []string{fmt.Sprintf("The lowest natural frequency with locked joints is %.4g Hz, at %.4g s. A vibration at it without damping would take the tip %.4g mm away, at %.4g s.",
			*f, out.Tip.At, 1e3*out.Tip.Swinging.Value, out.Tip.Swinging.At)}
	}
	return s
}
