package loadsection

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ident/mechanics/loads"
	"ident/report"
)

// dots are the places of a figure's points of a class.
func dots(f report.Figure, class string) (out [][2]float64) {
	for _, l := range f.Lines {
		if l.Class != class {
			continue
		}
		for _, m := range regexp.MustCompile(`M([0-9.-]+) ([0-9.-]+)h0`).FindAllStringSubmatch(string(l.D), -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			y, _ := strconv.ParseFloat(m[2], 64)
			out = append(out, [2]float64{x, y})
		}
	}
	return out
}

// Points beyond a limit are apart from those within; a point lies where its values are on the scales of the edges,
// to the tenth of a coordinate that the drawing keeps and three digits of the edges.
func TestPointsAndLimits(t *testing.T) {
	motor := loads.Motor{Stall: 2, NoLoad: 100, Peak: 1.5, Continuous: 0.5}
	b, ok := ofMotor(&motor)
	if !ok {
		t.Fatal("a motor without limits")
	}
	p := loads.Plane{Speed: []float64{0, 20, 50, 50, 90, 90, 110}, Torque: []float64{1.4, 1.6, 0.9, 1.1, -1.4, 0.3, -0.1}}
	beyond := []bool{false, true, false, true, false, true, true}
	f := draw("m", p, b, "N·m", "rad/s")
	within, over := dots(f, "points"), dots(f, "points over")
	if len(within) != 3 || len(over) != 4 || f.Title != "m: beyond its limits" {
		t.Fatalf("%d points within and %d beyond: %q", len(within), len(over), f.Title)
	}
	fast, _ := strconv.ParseFloat(f.Right, 64)
	top, _ := strconv.ParseFloat(strings.TrimSuffix(f.Top, " N·m"), 64)
	bottom, _ := strconv.ParseFloat(f.Bottom, 64)
	for i := range p.Speed {
		list := &within
		if beyond[i] {
			list = &over
		}
		at := (*list)[0]
		*list = (*list)[1:]
		x, y := report.FigureWidth*p.Speed[i]/fast, report.FigureHeight*(top-p.Torque[i])/(top-bottom)
		if math.Abs(at[0]-x) > 0.05+0.005*report.FigureWidth || math.Abs(at[1]-y) > 0.05+0.01*report.FigureHeight {
			t.Errorf("point %d at %v, want %.1f %.1f", i, at, x, y)
		}
	}
	classes := ""
	for _, l := range append(f.Areas, f.Lines...) {
		classes += l.Class + ","
	}
	if classes != "allowed,zero,limit-line,steady-line,steady-line,points,points over," {
		t.Errorf("paths: %s", classes)
	}
}

// A joint of the robot file has a rectangle, one with a speed limit alone an upright line, one without limits no
// diagram, and one with a motor that of the motor alone.
func TestLimitsOfJoints(t *testing.T) {
	effort, fastest := 10.0, 2.0
	plane := loads.Plane{Speed: []float64{0, 1}, Torque: []float64{4, -3}}
	r := &loads.Report{Drives: []loads.Drive{
		{Joint: "both", Unit: "N·m", Limit: &effort, Fastest: &fastest, Plane: plane},
		{Joint: "slow", Unit: "N", Fastest: &fastest, Plane: plane},
		{Joint: "free", Unit: "N·m", Plane: plane},
		{Joint: "driven", Unit: "N·m", Limit: &effort, Plane: plane}},
		Motors: []loads.MotorUse{{Joint: "driven", Motor: loads.Motor{Name: "M", Peak: 5}, Plane: plane}}}
	var got []string
	for _, f := range append(diagrams(r, true), diagrams(r, false)...) {
		classes := ""
		for _, l := range append(f.Areas, f.Lines...) {
			classes += " " + l.Class
		}
		got = append(got, fmt.Sprintf("%s | %s |%s", f.Title, f.XLabel, classes))
	}
	want := []string{
		"both: up to 40 % of 10 N·m | speed, rad/s, limit 2 | allowed zero limit-line points",
		"slow | speed, m/s, limit 2 | zero limit-line points",
		"driven M: up to 80 % of its limit | speed, rad/s | allowed zero limit-line points"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
