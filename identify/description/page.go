package description

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/internal/rowlist"
	"ident/report"
	"ident/report/scene"
	"ident/robot"
	"ident/robot/lint"
)

// WritePage writes an HTML page about a robot to path: a 3D view with its frames and a slider for each joint, the
// findings about its bodies, and tables of frames, joints and bodies. command is printed as it is; "" for none.
func WritePage(path string, r *robot.Robot, command string) error {
	p := &report.ScenePage{Title: Title(r), Version: project.Version, Command: command, Date: folder.Today().Format("2 Jan 2006"), Sliders: !r.Closed()}
	p.About = fmt.Sprintf("%s · %s · %s", rowlist.Plural(r.DOF(), "joint"), rowlist.Plural(len(r.Links), "link"), r.Source.Format)
	s, err := scene.New(r)
	switch {
	case len(r.Unset) > 0:
		p.Missing = "The robot is not drawn: symbols of its geometry have no values: " + strings.Join(r.Unset, ", ")
	case err != nil:
		p.Missing = "The robot is not drawn: " + err.Error()
	}
	p.Scene = s
	mass, known, all := 0.0, 0, 0
	for i := range r.Links {
		l := &r.Links[i]
		if !l.Massless {
			all++
		}
		if l.HasInertial && !l.Massless {
			mass, known = mass+l.Inertial.Mass(), known+1
		}
	}
	p.Headlines = append(p.Headlines, report.Headline{Name: "joints", Value: kinds(r)})
	if known > 0 {
		p.Headlines = append(p.Headlines, report.Headline{Name: "mass of the links", Value: fmt.Sprintf("%.4g kg", mass)})
	}
	p.Headlines = append(p.Headlines, report.Headline{Name: "bodies in the file", Value: fmt.Sprintf("%d of %d links", known, all)})
	if s != nil {
		p.Headlines = append(p.Headlines, report.Headline{Name: "longest chain", Value: fmt.Sprintf("%.3g m", s.Reach)})
	}
	if len(r.Loops) > 0 {
		p.Headlines = append(p.Headlines, report.Headline{Name: "closed loops", Value: strconv.Itoa(len(r.Loops))})
	}
	for _, f := range append(lint.Bodies(r), lint.Parsers(r)...) {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: string(f.Severity), Where: f.Link, Text: f.Text, Fix: f.Cause})
	}
	p.Sections = append(p.Sections, frameSection(r), jointSection(r))
	if s != nil {
		p.Sections = append(p.Sections, bodySection(s))
	}
	if len(r.Notes) > 0 {
		n := report.Section{Title: "Notes", Gist: fmt.Sprintf("%d of the reader", len(r.Notes))}
		for _, note := range r.Notes {
			n.Lines = append(n.Lines, note.String())
		}
		p.Sections = append(p.Sections, n)
	}
	return output.Write(path, func(w io.Writer) error { return report.Scene(w, p) })
}

// Title returns the name of a robot, or the word robot.
func Title(r *robot.Robot) string {
	if r.Name == "" {
		return "robot"
	}
	return r.Name
}

// kinds counts the moving joints by kind.
func kinds(r *robot.Robot) string {
	count := map[robot.Kind]int{}
	for i := range r.Links {
		count[r.Links[i].Joint.Kind]++
	}
	var out []string
	for _, k := range []robot.Kind{robot.Revolute, robot.Prismatic} {
		if n := count[k]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, k))
		}
	}
	return strings.Join(out, ", ")
}

// linkName returns the name of link j, or of the base for -1.
func linkName(r *robot.Robot, j int) string {
	switch {
	case j >= 0:
		return r.Links[j].Name
	case r.BaseName != "":
		return r.BaseName
	}
	return "base"
}

// frameSection returns the table of Khalil and Kleinfinger's parameters, from the file or from the placements.
func frameSection(r *robot.Robot) report.Section {
	t := report.Table{Caption: "Frames in the notation of Khalil and Kleinfinger: Rot(z,γ)·Trans(z,b)·Rot(x,α)·Trans(x,d)·Rot(z,θ)·Trans(z,r) on the antecedent; the joint's position is added to θ, or to r where σ is 1",
		Head:  []string{"Link", "j", "a(j)", "σ", "γ", "b, m", "α", "d, m", "θ", "r, m"},
		Right: []bool{false, true, true, true, true, true, true, true, true, true}}
	given := 0
	for j := range r.Links {
		l := &r.Links[j]
		row := []string{l.Name, strconv.Itoa(j + 1), strconv.Itoa(l.Antecedent + 1), strconv.Itoa(int(l.Joint.Kind))}
		m := l.MDH
		if m != nil {
			given++
		} else if m, _ = robot.MDHOf(l.Placement); m == nil {
			t.Rows = append(t.Rows, append(row, "–", "–", "–", "–", "–", "–"))
			continue
		}
		values := [6]float64{m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R}
		for k, text := range m.Text {
			if v, err := strconv.ParseFloat(text, 64); err == nil || text == "" {
				if text == "" {
					v = values[k]
				}
				text = strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'g', -1, 64)
			}
			row = append(row, strings.ReplaceAll(text, "Pi", "π"))
		}
		t.Rows = append(t.Rows, row)
	}
	gist := "of the file"
	if given == 0 {
		gist = "from the placements of the file"
	} else if given < len(r.Links) {
		gist = "of the file, and from placements"
	}
	return report.Section{Title: "Frames", Gist: fmt.Sprintf("%d, %s", len(r.Links), gist), Tables: []report.Table{t},
		Lines: []string{"A dash: the axis is so nearly parallel to the one before that no accurate parameters exist."}}
}

// jointSection returns the table of joints with limits and drives.
func jointSection(r *robot.Robot) report.Section {
	t := report.Table{Caption: "Joints; limits in rad or m and their derivatives, torques in N·m or N; empty where the file gives none",
		Head:  []string{"Joint", "Kind", "Moves", "On", "Lower", "Upper", "Velocity", "Acceleration", "Effort", "Ia", "Fv", "Fs", "Gear ratio"},
		Right: []bool{false, false, false, false, true, true, true, true, true, true, true, true, true}}
	number := func(v float64, missing bool) string {
		if math.IsNaN(v) || missing {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	for j := range r.Links {
		l := &r.Links[j]
		q := &l.Joint
		kind := q.Kind.String()
		switch {
		case q.Virtual:
			kind += ", of the base"
		case q.Passive:
			kind += ", passive"
		case q.Continuous:
			kind = "continuous"
		}
		t.Rows = append(t.Rows, []string{q.Name, kind, l.Name, linkName(r, l.Antecedent), number(q.Lower, false), number(q.Upper, false), number(q.Velocity, false), number(q.Accel, false),
			number(q.Effort, false), number(q.Ia, q.Ia == 0), number(q.Fv, q.Fv == 0), number(q.Fs, q.Fs == 0), number(q.GearRatio, q.GearRatio == 0)})
	}
	for _, m := range r.Mimics {
		t.Rows = append(t.Rows, []string{r.Links[m.Joint].Joint.Name, fmt.Sprintf("follows %s: %g·q + %g", r.Links[m.Of].Joint.Name, m.Multiplier, m.Offset), "", "", "", "", "", "", "", "", "", "", ""})
	}
	return report.Section{Title: "Joints", Gist: kinds(r), Tables: []report.Table{t}}
}

// bodySection returns the table of the file's bodies.
func bodySection(s *scene.Scene) report.Section {
	t := report.Table{Caption: "Bodies of the file with those lumped into them: centre of mass in the frame of the link, principal moments of inertia about it",
		Head: []string{"Link", "Mass, kg", "Centre of mass, m", "Principal moments, kg·m²", ""}, Right: []bool{false, true, true, true, false}}
	impossible, known := 0, 0
	for _, l := range s.Links {
		b := l.File
		if b == nil {
			t.Rows = append(t.Rows, []string{l.Name, "", "", "", "the file gives none"})
			continue
		}
		known++
		row := []string{l.Name, fmt.Sprintf("%.4g", b.Mass), "", "", b.Why}
		if b.Why != "" {
			impossible++
		}
		if c := b.Centre; c != nil {
			row[2] = fmt.Sprintf("%.4f, %.4f, %.4f", c[0], c[1], c[2])
		}
		if m := b.Moments; m != nil {
			row[3] = fmt.Sprintf("%.3g, %.3g, %.3g", m[0], m[1], m[2])
		}
		if b.Large {
			row[4] = strings.TrimPrefix(row[4]+"; its ellipsoid is far larger than the link", "; ")
		}
		t.Rows = append(t.Rows, row)
	}
	gist := "each can exist"
	if known == 0 {
		gist = "the file gives none"
	} else if impossible > 0 {
		gist = fmt.Sprintf("%d without an ellipsoid", impossible)
	}
	return report.Section{Title: "Bodies", Gist: gist, Tables: []report.Table{t}}
}
