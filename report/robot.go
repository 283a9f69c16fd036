package report

import (
	"fmt"
	"strings"

	"ident/internal/digits"
	"ident/report/scene"
	"ident/result"
)

// drawRobot adds the robot of the options to the page, with the motion of the runs that have samples.
func (p *page) drawRobot(runs []result.ResidualRun, opt Options) error {
	if opt.Scene == nil {
		return nil
	}
	s := *opt.Scene
	var motions []scene.Run
	for _, l := range lanes(runs) {
		if l.run.Position == nil {
			motions = nil
			break
		}
		motions = append(motions, scene.Run{Name: clean(l.run.Log), T: l.run.T, Q: l.run.Position})
	}
	if err := s.Play(motions); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var err error
	if p.Figure3D, err = s.Figure(); err != nil {
		return err
	}
	p.Scene, p.Bodies = &s, bodyRows(&s)
	return nil
}

// bodyRow is a link with the body of the robot file and the identified one.
type bodyRow struct {
	Link             string
	File, Identified bodyCells
	From             string // where the identified body is from
}

// bodyCells are mass, centre of mass and principal moments of a body, empty where they are not known.
type bodyCells struct{ Mass, Centre, Moments, Why string }

// totalMass is the mass of all links that move, in kg, with its standard deviation.
type totalMass struct{ File, Result, From string }

// newTotalMass returns the total mass in words, nil if a link has no body of its own.
func newTotalMass(b *result.Bodies) *totalMass {
	if b == nil {
		return nil
	}
	m := &totalMass{Result: digits.Measure(b.Total.Kg, b.Total.Sigma), From: string(b.Total.From)}
	if b.Total.FileKg > 0 {
		m.File = digits.Number(b.Total.FileKg, 3)
	}
	return m
}

// bodyRows lists the links that have a body in the file or in the result.
func bodyRows(s *scene.Scene) []bodyRow {
	var out []bodyRow
	for _, l := range s.Links {
		if l.File == nil && l.Identified == nil {
			continue
		}
		row := bodyRow{Link: clean(l.Name), File: newBodyCells(l.File), Identified: newBodyCells(l.Identified)}
		if b := l.Identified; b != nil {
			row.From = b.From
			if b.Given { // its numbers are those of the file or of a choice: three digits would say that they were measured
				row.Identified = bodyCells{Why: b.Why}
			}
		}
		out = append(out, row)
	}
	return out
}

// newBodyCells prints a body; a centre that the data determine has its standard deviations.
func newBodyCells(b *scene.Body) bodyCells {
	if b == nil {
		return bodyCells{}
	}
	c := bodyCells{Why: b.Why}
	if b.Why != "not known" {
		c.Mass = digits.Number(b.Mass, 3)
	}
	if b.Large {
		c.Why = strings.TrimPrefix(c.Why+"; its ellipsoid is far larger than the link", "; ")
	}
	if at := b.Centre; at != nil {
		parts := make([]string, 3)
		for i, v := range at {
			parts[i] = digits.Fixed(v, 3)
			if b.Doubt != nil && b.Doubt[i] > 0 {
				parts[i] = digits.Measure(v, b.Doubt[i])
			}
		}
		c.Centre = strings.Join(parts, ", ")
	}
	if m := b.Moments; m != nil {
		c.Moments = digits.Number(m[0], 2) + ", " + digits.Number(m[1], 2) + ", " + digits.Number(m[2], 2)
	}
	return c
}
