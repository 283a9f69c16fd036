package description

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/robot"
	"ident/robot/format/urdf"
	"ident/robot/shapes"
)

// Inertias are the inertials that came from shapes, and the bodies that stay without one.
type Inertias struct {
	Filled []FilledBody `json:"filled"`
	Left   []LeftBody   `json:"left"`
}

// FilledBody is a body with an inertial made of its shapes, in its own link frame; the inertia is about the centre of mass.
type FilledBody struct {
	Name    string        `json:"name"`
	Was     string        `json:"was"`  // state of the file's inertial: none, zero, point mass or placeholder
	From    string        `json:"from"` // shapes, collision or visual
	Shapes  []string      `json:"shapes"`
	Mass    float64       `json:"mass"`
	COM     [3]float64    `json:"com"`
	Inertia [3][3]float64 `json:"inertia"`
}

// LeftBody is a body without an inertial, and the reason.
type LeftBody struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// DensityError reports densities that cannot be read.
type DensityError struct{ Text string }

func (e *DensityError) Error() string {
	return fmt.Sprintf("density %s: write kg/m³, 2700, or BODY=2700", e.Text)
}

// Masses reads "BODY=1.2".
func Masses(texts []string) (map[string]float64, error) {
	out, err := Densities(texts)
	if _, all := out[""]; err != nil || all {
		return nil, fmt.Errorf("mass %s: write BODY=KG", strings.Join(texts, ","))
	}
	return out, nil
}

// Densities reads "2700" and "BODY=2700".
func Densities(texts []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, text := range texts {
		name, value, named := strings.Cut(text, "=")
		if !named {
			name, value = "", text
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return nil, &DensityError{text}
		}
		out[strings.TrimSpace(name)] = v
	}
	return out, nil
}

// FromShapes computes the inertials that a robot's file lacks from its shapes, and lists them.
func FromShapes(r *robot.Robot, opt shapes.FillOptions) (*robot.Robot, *Inertias, error) {
	filled, bodies, left, err := shapes.Fill(r, opt)
	if err != nil {
		return nil, nil, err
	}
	out := &Inertias{Filled: []FilledBody{}, Left: []LeftBody{}}
	for _, b := range bodies {
		p := b.Inertial
		if b.Lumped >= 0 {
			p = p.InFrame(r.Lumped[b.Lumped].InLink.Inv())
		} else {
			p = r.UserInertial(b.Link, p)
		}
		d := FilledBody{Name: b.Name, Was: b.Why, From: b.From, Mass: p.Mass()}
		d.COM, _ = p.CentreOfMass()
		d.Inertia, _ = p.Central()
		for _, part := range b.Parts {
			d.Shapes = append(d.Shapes, part.Solid.Kind())
		}
		out.Filled = append(out.Filled, d)
		filled.Notes = append(filled.Notes, robot.Note{Where: fmt.Sprintf("link %q", b.Name), Text: fmt.Sprintf("inertial (%s in the file) from its %s", b.Why, b.From)})
	}
	for _, l := range left {
		out.Left = append(out.Left, LeftBody{l.Name, l.Why})
	}
	return filled, out, nil
}

// URDF returns a robot's own URDF text with the inertials from shapes in it and every other byte kept.
func (in *Inertias) URDF(r *robot.Robot) ([]byte, error) {
	byLink := map[string]robot.Inertial{}
	for _, b := range in.Filled {
		byLink[b.Name] = robot.InertialFromCentral(b.Mass, b.COM, b.Inertia)
	}
	return urdf.ReplaceInertials(r.Source.Text, byLink)
}
