package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/doctor"
	"ident/doctor/causes"
	"ident/filter"
	"ident/internal/findingkind"
	"ident/robot"
)

// outcome of a judgement: named, group, unexplained, silent or wrong.
type outcome struct{ class, text string }

// segments returns the run as package causes takes it, in one piece where its clock allows.
func (r *run) segments() causes.Log {
	c := filter.AnalyseClock(r.t)
	l := causes.Log{Interval: c.Median}
	if c.Uniform {
		l.Interval = c.Period
	}
	from := 0
	cut := func(to int) {
		if to-from > 60 {
			s := causes.Segment{T: r.t[from:to], Uniform: c.Uniform}
			for j := range r.q {
				s.Q = append(s.Q, r.q[j][from:to])
				s.Effort = append(s.Effort, r.tau[j][from:to])
			}
			l.Segments = append(l.Segments, s)
		}
		from = to
	}
	for k := 1; k < len(r.t); k++ {
		if !(r.t[k] > r.t[k-1]) || r.t[k]-r.t[k-1] > math.Max(0.1, 10*c.Median) {
			cut(k)
		}
	}
	cut(len(r.t))
	for i := range l.Segments { // what is no number is bridged
		s := &l.Segments[i]
		for _, g := range [][][]float64{s.Q, s.Effort} {
			for j := range g {
				g[j] = slices.Clone(g[j])
				for k, v := range g[j] {
					if math.IsNaN(v) && k > 0 {
						g[j][k] = g[j][k-1]
					}
				}
			}
		}
	}
	return l
}

// judgeFindings judges the doctor's findings. The gravest findings come first; those of package causes carry their group.
func judgeFindings(f []doctor.Finding, err error, want []string) outcome {
	if err != nil {
		return outcome{"silent", err.Error()}
	}
	var texts []string
	class := "silent"
	for _, x := range f {
		if x.Severity == doctor.Info || !findingkind.Of(x.ID).Cause && !slices.Contains(want, x.ID) {
			continue
		}
		texts = append(texts, fmt.Sprintf("%s %s %s%s %.3g", x.Severity, x.ID, x.Channel, x.Joint, x.Value))
		switch i := slices.IndexFunc(append([]string{x.ID}, x.Group...), func(id string) bool { return slices.Contains(want, id) }); {
		case class != "silent": // the first finding, the gravest, is the cause that is told
		case i == 0:
			class = "named"
		case i > 0:
			class = "group"
		case x.ID == doctor.Unexplained:
			class = "unexplained"
			texts[len(texts)-1] += " " + x.Class
			for _, n := range x.Nearest {
				texts[len(texts)-1] += fmt.Sprintf(" %s:%.2f", n.ID, n.Explains)
			}
		default:
			class = "wrong"
		}
	}
	if len(texts) > 4 {
		texts = append(texts[:4], "…")
	}
	return outcome{class, strings.Join(texts, "; ")}
}

var show = 4

// held leaves out the families of the true cause.
var held bool

func judgeCauses(d *run, want []string) outcome {
	raw := causes.Raw{T: d.t, Q: d.q, DQ: d.dq, Effort: d.tau}
	for _, l := range d.robot.Moving() {
		raw.Revolute = append(raw.Revolute, d.robot.Links[l].Joint.Kind == robot.Revolute)
	}
	nan := 0
	for _, x := range d.tau {
		for _, v := range x {
			if math.IsNaN(v) {
				nan++
			}
		}
	}
	if nan > len(d.t)/500 {
		return outcome{pick(slices.Contains(want, "dropout"), "named", "wrong"), "NaN"}
	}
	if shown := causes.Raws(raw); len(shown) > 0 && !held {
		c := shown[0]
		text := fmt.Sprintf("%s of %d %v %.3g at %d rows", c.Kind, c.Of, c.Joints, c.Value, len(c.Rows))
		return outcome{pick(slices.Contains(want, c.Family()), "named", "wrong"), text}
	}
	opt := causes.Options{Gravity: d.robot.Gravity}
	if held {
		opt.Without = want
	}
	if d.gravity != nil {
		opt.Gravity = *d.gravity
	}
	opt.Whole = !slices.ContainsFunc(d.q, func(x []float64) bool {
		return slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) })
	})
	rep, err := causes.Judge(context.Background(), d.robot, []causes.Log{d.segments()}, opt)
	if err != nil {
		return outcome{"silent", err.Error()}
	}
	var parts []string
	for i, c := range rep.Causes {
		if i >= show {
			break
		}
		mark := ""
		if i < rep.Group {
			mark = "*"
		}
		parts = append(parts, fmt.Sprintf("%s%s%v %.3g (%.0f, %.2f)", mark, c.Kind, c.Joints, c.Value, c.Nats, c.Gain))
	}
	text := fmt.Sprintf("%.1f %%: %s", 100*rep.Error, strings.Join(parts, "; "))
	if !rep.Named {
		return outcome{"silent", text}
	}
	for i, c := range rep.Causes[:rep.Group] {
		if slices.Contains(want, c.Family()) {
			if i == 0 {
				return outcome{"named", text}
			}
			return outcome{"group", text}
		}
	}
	return outcome{"wrong", text}
}
