package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/help"
	"ident/datasets"
	"ident/identify/project"
	"ident/regressor"
)

// referencePages returns the reference of the web site by file names, made of the tables that the program itself uses.
func referencePages(root *cobra.Command) map[string]string {
	pages := map[string]string{
		"settings.md": settingsPage(), "terms.md": termsPage(), "formats.md": formatsPage(), "json.md": documentsPage(),
	}
	var index strings.Builder
	index.WriteString("# Reference\n\nThese pages are written by `ident man --markdown -o FOLDER` from the tables of the program.\n\n" +
		"[Settings](settings.md) · [findings](findings.md) · [verdicts](verdicts.md) · [terms](terms.md) · [formats](formats.md) · [JSON documents](json.md)\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&index, "\n## %s\n\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID != g.ID || !c.IsAvailableCommand() || c.Name() == "completion" {
				continue
			}
			pages[c.Name()+".md"] = help.Markdown(c)
			fmt.Fprintf(&index, "- [ident %s](%s.md): %s\n", c.Name(), c.Name(), help.Escape(c.Short))
		}
	}
	index.WriteString("\n## Topics\n\n")
	for _, t := range help.Topics() {
		if t.Question {
			continue // the site has the page
		}
		name := "topic-" + t.Name + ".md"
		if entries := help.Entries(t); entries != nil {
			name = t.Name + ".md"
			pages[name] = entriesPage(t, entries, pages)
		} else {
			_, body, _ := strings.Cut(topicText(t), "\n")
			pages[name] = fmt.Sprintf("# %s\n\n`ident help %s` prints this text.\n\n%s", help.Capital(t.Title), t.Name, help.Prose(body))
		}
		fmt.Fprintf(&index, "- [%s](%s): %s\n", t.Name, name, help.Escape(t.Title))
	}
	pages["index.md"] = index.String()
	return pages
}

// entriesPage explains findings or verdicts, and puts the pictures of findings among the pages.
func entriesPage(t help.Topic, entries []help.Entry, pages map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n`ident help ID` prints an entry in the terminal.\n", help.Capital(t.Title))
	for _, e := range entries {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", e.ID, help.Escape(e.What))
		if draw := findingShapes()[e.ID]; draw != nil && t.Name == "findings" {
			name := "picture-" + e.ID + ".svg"
			pages[name] = findingPicture(draw)
			fmt.Fprintf(&b, "\n![%s: the true signal in grey, the logged one in red](%s)\n", e.ID, name)
		}
		for _, part := range [][2]string{{"Limit", e.Limit}, {"Cause", e.Cause}, {"Cure", e.Cure}} {
			if part[1] != "" {
				fmt.Fprintf(&b, "\n**%s.** %s\n", part[0], strings.TrimSuffix(help.Escape(part[1]), ".")+".")
			}
		}
	}
	return b.String()
}

// findingShapes returns by finding how it changes a signal x(t), for pictures; t runs from 0 to 1.
func findingShapes() map[string]func(x func(float64) float64, t float64) float64 {
	type signal = func(float64) float64
	within := func(t, a, b float64) bool { return t >= a && t < b }
	return map[string]func(signal, float64) float64{
		"aliasing":        func(x signal, t float64) float64 { return x(t) + 0.15*math.Sin(90*t) },
		"asymmetry":       func(x signal, t float64) float64 { return max(x(t), 0.6*x(t)) },
		"clock-rate":      func(x signal, t float64) float64 { return x(0.7 * t) },
		"drift":           func(x signal, t float64) float64 { return x(t) + 0.6*t },
		"dead":            func(signal, float64) float64 { return 0 },
		"gear-ratio":      func(x signal, t float64) float64 { return 0.6 * x(t) },
		"held":            func(x signal, t float64) float64 { return x(math.Floor(t*16) / 16) },
		"lag-torque":      func(x signal, t float64) float64 { return x(t - 0.06) },
		"lag-velocity":    func(x signal, t float64) float64 { return x(t - 0.06) },
		"offset":          func(x signal, t float64) float64 { return x(t) + 0.3 },
		"quantised":       func(x signal, t float64) float64 { return math.Round(x(t)*4) / 4 },
		"recorder-offset": func(x signal, t float64) float64 { return x(t - 0.3) },
		"reversed":        func(x signal, t float64) float64 { return x(1 - t) },
		"saturated":       func(x signal, t float64) float64 { return max(-0.6, min(0.6, x(t))) },
		"sign":            func(x signal, t float64) float64 { return -x(t) },
		"smoothed": func(x signal, t float64) float64 {
			return (x(t-0.08) + x(t-0.04) + x(t) + x(t+0.04) + x(t+0.08)) / 5 * 0.9
		},
		"clock-gap": func(x signal, t float64) float64 {
			if within(t, 0.4, 0.55) {
				return math.NaN()
			}
			return x(t)
		},
		"dropout": func(x signal, t float64) float64 {
			if within(t, 0.3, 0.33) || within(t, 0.7, 0.76) {
				return 0
			}
			return x(t)
		},
		"edge-transient": func(x signal, t float64) float64 { return x(t) + 0.9*math.Exp(-(1-t)*25) },
		"payload": func(x signal, t float64) float64 {
			if within(t, 0.4, 0.8) {
				return x(t) + 0.4
			}
			return x(t)
		},
		"spike": func(x signal, t float64) float64 {
			if within(t, 0.32, 0.325) {
				return 1.3
			}
			return x(t)
		},
		"stuck": func(x signal, t float64) float64 {
			if within(t, 0.5, 0.7) {
				return x(0.5)
			}
			return x(t)
		},
		"time-jump": func(x signal, t float64) float64 {
			if t > 0.5 {
				return x(t + 0.12)
			}
			return x(t)
		},
		"wrapped": func(x signal, t float64) float64 { v := 1.6 * x(t); return v - 2*math.Round(v/2) },
	}
}

// findingPicture draws a signal in grey and what a log with the finding holds in red.
func findingPicture(shape func(func(float64) float64, float64) float64) string {
	x := func(t float64) float64 { return 0.7*math.Sin(7*t+0.4) + 0.25*math.Sin(17*t) }
	line := func(f func(float64) float64, colour string) string {
		var b strings.Builder
		pen := "M"
		for i := range 401 {
			t := float64(i) / 400
			y := f(t)
			if math.IsNaN(y) {
				pen = "M"
				continue
			}
			fmt.Fprintf(&b, "%s%.0f %.0f", pen, 10+460*t, 60-38*y)
			pen = "L"
		}
		return fmt.Sprintf(`<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, b.String(), colour)
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 120" width="480" height="120">` +
		line(x, "#9aa0a6") + line(func(t float64) float64 { return shape(x, t) }, "#d33c3c") + "</svg>\n"
}

// settingsPage lists the settings of the project file by group.
func settingsPage() string {
	var b strings.Builder
	b.WriteString("# Settings\n\nA key of `ident.yaml` and its option set the same thing. An option overrides the file.\n")
	var groups []project.Group
	for _, s := range project.Table() {
		if !slices.Contains(groups, s.Group) {
			groups = append(groups, s.Group)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| key | option | values | |\n|---|---|---|---|\n", help.Capital(string(g)))
		for _, s := range project.Table() {
			if s.Group != g || s.Option == "" {
				continue
			}
			values := s.Kind()
			if len(s.Choices) > 0 {
				values = strings.Join(s.Choices, ", ")
			}
			if s.Range != nil {
				values += fmt.Sprintf(" from %g to %g", s.Range.Low, s.Range.High)
				if s.Range.Zero {
					values += ", or 0"
				}
			}
			if s.Unit != "" {
				values += ", " + s.Unit
			}
			fmt.Fprintf(&b, "| `%s` | `--%s` | %s | %s |\n", s.Key, s.Option, help.Escape(values), help.Escape(project.NameSettings(s.Help, func(key string) string { return key })))
		}
	}
	return b.String()
}

// termsPage lists the terms of models with their columns and formulas.
func termsPage() string {
	var b strings.Builder
	b.WriteString("# Terms\n\n`--terms links,Ia,Fv,Fs,Fo` is the default. [Models](../models.md) says when to use each.\n\n| term | | column: torque, unit |\n|---|---|---|\n")
	for _, in := range regressor.Terms() {
		var columns []string
		for i, c := range in.Columns {
			columns = append(columns, strings.TrimSpace(fmt.Sprintf("%s: %s, %s", c, in.Formula[i], in.Units[i])))
		}
		about := in.About
		if in.Deflection {
			about += " (of elastic joints; added by itself)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", in.Term, help.Escape(about), help.Escape(strings.Join(columns, "; ")))
	}
	return b.String()
}

// formatsPage lists the file formats of logs and robots.
func formatsPage() string {
	var b strings.Builder
	b.WriteString("# File formats\n\n[Logs](../log-formats.md) and [robot files](../robot-files.md) say what each format can hold.\n\n| logs | read | written |\n|---|---|---|\n")
	read, write := datasets.Extensions()
	for _, ext := range read {
		written := ""
		if slices.Contains(write, ext) {
			written = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | yes | %s |\n", ext, written)
	}
	topic, _ := help.Find("formats")
	_, robots, _ := strings.Cut(topicText(topic), "\nRobots:\n")
	fmt.Fprintf(&b, "\n## Robots\n\n```text\n%s\n```\n", strings.Trim(robots, "\n"))
	return b.String()
}

// documentsPage lists the fields of all JSON documents.
func documentsPage() string {
	var b strings.Builder
	b.WriteString(`# JSON documents

With ` + "`--json`" + ` a command prints one document to standard output and nothing else there. ` + "`ident schema DOCUMENT`" + `
prints the same as JSON Schema. A test checks what the commands write by these schemas.

Numbers are in SI units. A question mark behind a field says that it is absent if there is nothing to say. Later
versions may add fields. The number behind the slash changes only if a field changes its meaning.
`)
	shown := map[string]bool{}
	for _, d := range documents() {
		d.schema().Markdown(&b, "`"+d.from+"`.", shown)
	}
	return b.String()
}
