package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"

	"ident/report/scene"
)

// ScenePage is a page about a robot or a motion: a 3D view beside figures and findings, with curves and tables below.
type ScenePage struct {
	Title, About           string       // heading, and a line beside it
	Date, Version, Command string       // text to print unchanged; "" for none
	Scene                  *scene.Scene // nil for one that cannot be drawn
	Missing                string       // the reason where Scene is nil
	Headlines              []Headline
	Findings               []SceneFinding
	Sliders                bool    // show a slider for each independent joint
	Curves                 *Curves // nil for none
	CurvesTitle            string
	Legend                 []Mark // of the curves
	Moments                string // what the marks of the curves are
	Search                 []SearchPoint
	SearchTitle            string
	Sections               []Section

	compared *comparedTable
	sides    []Table // of compared
}

// Headline is a figure of the first screen.
type Headline struct{ Name, Value string }

// SceneFinding is a finding for the reader, with a check's severities: error, warning, note.
type SceneFinding struct{ Severity, Where, Text, Fix string }

// Section shows only its title and one line until it is opened; Open opens it from the beginning.
type Section struct {
	Title, Gist string
	Open        bool
	Lines       []string
	Tables      []Table
	Legend      []Mark
	Figures     []Figure
	Curves      *Curves      // of a page of a result; Legend is that of the curves
	drawn       *curveFigure // Curves, ready to print
	Parts       []Section    // sections within it, each collapsed to one line
}

// Figure is a drawing of FigureWidth by FigureHeight, y downwards, that stretches to its place, with words at its edges.
// Words must describe it to readers who cannot see it.
type Figure struct {
	Title, Words, XLabel     string
	Left, Right, Top, Bottom string
	Areas, Lines             []Path
}

// Path is the data of an SVG path with its style class.
type Path struct {
	Class string
	D     template.HTML
}

// Mark is an entry of a legend: a style class and its meaning.
type Mark struct{ Class, Text string }

// FigureWidth and FigureHeight are the extent of a Figure's coordinates.
const FigureWidth, FigureHeight = 400.0, 160.0

// Table is a table of words; its first column names the rows. Columns whose entry of Right is true are numbers.
type Table struct {
	Caption string
	Head    []string
	Right   []bool
	Rows    [][]string
}

// SearchPoint is the best value of a search after a number of evaluations.
type SearchPoint struct {
	Evaluations int
	Best        float64
}

// scenePage is the input of the template.
type scenePage struct {
	*ScenePage
	Style    template.CSS
	Script   template.JS
	Figure3D template.HTML
	Bad      bool
	Curves   *curveFigure
	Found    *Figure
	Joints   []slider
	Compared *comparedTable
	Sides    []Table
}

type slider struct {
	Name     string
	Coord    int
	Min, Max float64
	Value    float64
	Unit     string
}

// Scene writes the page, self-contained like that of [HTML].
func Scene(w io.Writer, page *ScenePage) error {
	t, err := template.New("").Funcs(pageFuncs()).ParseFS(pageFiles, "page/scene/*.tmpl", "page/compared.tmpl", "page/further.tmpl", "page/curves.tmpl")
	if err != nil {
		return fmt.Errorf("report: page template: %w", err)
	}
	style, err := gather([]string{"base.css", "first.css", "curves.css", "figures.css", "residuals.css", "scene/scene.css", "compared.css", "print.css"})
	if err != nil {
		return err
	}
	p := scenePage{ScenePage: page, Found: searchFigure(page.Search), Compared: page.compared, Sides: page.sides}
	scripts := []string{"chrome.js"}
	series, err := newCurveSeries(page.Curves)
	if err != nil {
		return err
	}
	if series != nil {
		p.Curves = &curveFigure{Series: series, Title: cmp.Or(page.CurvesTitle, "Curves"), Words: "Channels over time.", Legend: page.Legend, Moments: cmp.Or(page.Moments, "marks")}
		scripts = append(scripts, curveScripts...)
	}
	if page.sides != nil {
		scripts = append(scripts, "tables.js")
	}
	script, err := gather(append(scripts, "scene/scene.js"))
	if err != nil {
		return err
	}
	for _, f := range page.Findings {
		p.Bad = p.Bad || f.Severity == "error"
	}
	if s := page.Scene; s != nil {
		figureStyle, err := scene.Style()
		if err != nil {
			return err
		}
		viewer, err := scene.Script()
		if err != nil {
			return err
		}
		style, script = figureStyle+style, viewer+script
		if p.Figure3D, err = s.Figure(); err != nil {
			return err
		}
		if page.Sliders {
			p.Joints = sliders(s)
		}
	}
	p.Style, p.Script = template.CSS(themeStyle()+style), template.JS("\n//<![CDATA[\n"+script+"//]]>\n")
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, "page.tmpl", p); err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	if _, err := io.WriteString(w, printable(buf.String())); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	return nil
}

// sliders returns the sliders of the joints that nothing else moves, between their limits, or a turn where they have none.
func sliders(s *scene.Scene) []slider {
	var out []slider
	for _, l := range s.Links {
		if l.Coord < 0 || l.Ratio != 1 || l.Offset != 0 || l.Passive {
			continue
		}
		d := slider{Name: clean(l.Joint), Coord: l.Coord, Min: -math.Pi, Max: math.Pi, Value: s.Start[l.Coord], Unit: "rad"}
		if l.Kind == "prismatic" {
			d.Min, d.Max, d.Unit = -s.Reach/2, s.Reach/2, "m"
		}
		if l.Lower != nil && l.Upper != nil && *l.Upper > *l.Lower {
			d.Min, d.Max = *l.Lower, *l.Upper
		}
		out = append(out, d)
	}
	return out
}
