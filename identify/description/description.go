// Package description describes a robot: as a document of its joints with limits and drives, its bodies, loops and couplings, the
// notes of its reader and the findings about its inertials; as a page; and by its base parameters, found by every method that
// applies. It finds the joint positions that bring a link to a pose, or through the poses that a motion visits.
package description

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/lint"
)

// Robot is the JSON document of ident robot. Numbers that the file does not
// give are null.
type Robot struct {
	Schema   string             `json:"schema"`
	Name     string             `json:"name"`
	Format   string             `json:"format"`
	SHA256   string             `json:"sha256"`
	DOF      int                `json:"dof"`
	Base     string             `json:"base"`
	Gravity  [3]float64         `json:"gravity"`
	Symbols  map[string]float64 `json:"symbols"`
	Unset    []string           `json:"unset_symbols"`
	Joints   []Joint            `json:"joints"`
	Links    []Link             `json:"links"`
	Lumped   []Lumped           `json:"lumped"`
	Mimics   []Mimic            `json:"mimics"`
	Drives   []Drive            `json:"shared_drives"`
	Closed   *Mechanism         `json:"closed,omitempty"`
	Inertias *Inertias          `json:"inertias,omitempty"` // if another file gives inertias
	Notes    []Note             `json:"notes"`
	Findings []Finding          `json:"findings"`
	OK       bool               `json:"ok"`
}

// Joint is a moving joint, in rad or m, N·m or N.
type Joint struct {
	Name         string   `json:"name"`
	Kind         string   `json:"kind"`
	Link         string   `json:"link"`
	Parent       string   `json:"parent"`
	Passive      bool     `json:"passive"`
	Lower        *float64 `json:"lower"`
	Upper        *float64 `json:"upper"`
	Velocity     *float64 `json:"velocity"`
	Acceleration *float64 `json:"acceleration"`
	Jerk         *float64 `json:"jerk"`
	Effort       *float64 `json:"effort"`
	Ia           *float64 `json:"ia"`
	Fv           *float64 `json:"fv"`
	Fs           *float64 `json:"fs"`
	Fo           *float64 `json:"fo"`
	GearRatio    *float64 `json:"gear_ratio"`
	Gain         *float64 `json:"gain"`
}

// Link is a body by itself, without the bodies lumped into it, in its own link
// frame; the inertia is about the centre of mass.
type Link struct {
	Name       string         `json:"name"`
	Parent     string         `json:"parent"`
	Mass       *float64       `json:"mass"`
	COM        *[3]float64    `json:"com"`
	Inertia    *[3][3]float64 `json:"inertia"`
	WithLumped *float64       `json:"mass_with_lumped"`
}

// Lumped is a body on a fixed joint, whose inertial is added to the link that carries it.
type Lumped struct {
	Name  string   `json:"name"`
	Joint string   `json:"joint"`
	Into  string   `json:"into"`
	Mass  *float64 `json:"mass"`
}

// Mimic is a joint that another one moves.
type Mimic struct {
	Joint      string  `json:"joint"`
	Of         string  `json:"of"`
	Multiplier float64 `json:"multiplier"`
	Offset     float64 `json:"offset"`
}

// Drive is a drive that several joints turn.
type Drive struct {
	Drive string             `json:"drive"`
	Of    map[string]float64 `json:"of"`
}

// Note is a remark of the reader.
type Note struct {
	Where string `json:"where"`
	Text  string `json:"text"`
}

// Finding is a finding about the inertial of a body.
type Finding struct {
	ID       string  `json:"id"`
	Severity string  `json:"severity"`
	Link     string  `json:"link"`
	Value    float64 `json:"value"`
	Text     string  `json:"text"`
	Cause    string  `json:"cause"`
}

// known returns a number that may be missing, as NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// given returns a number that may be missing, as zero.
func given(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return &v
}

// Of describes a robot.
func Of(r *robot.Robot) Robot {
	base := r.BaseName
	if base == "" {
		base = "base"
	}
	name := func(link int) string {
		if link < 0 {
			return base
		}
		return r.Links[link].Name
	}
	doc := Robot{Schema: "ident.robot/1", Name: r.Name, Format: r.Source.Format, SHA256: r.Source.SHA256, DOF: r.DOF(), Base: base,
		Gravity: r.Gravity, Symbols: r.Symbols, Unset: append([]string{}, r.Unset...), OK: true,
		Joints: []Joint{}, Links: []Link{}, Lumped: []Lumped{}, Mimics: []Mimic{}, Drives: []Drive{}, Notes: []Note{}, Findings: []Finding{}}
	if doc.Symbols == nil {
		doc.Symbols = map[string]float64{}
	}
	for i := range r.Links {
		l := &r.Links[i]
		j := &l.Joint
		kind := j.Kind.String()
		if j.Continuous {
			kind = "continuous"
		}
		doc.Joints = append(doc.Joints, Joint{Name: j.Name, Kind: kind, Link: l.Name, Parent: name(l.Antecedent), Passive: j.Passive,
			Lower: known(j.Lower), Upper: known(j.Upper), Velocity: known(j.Velocity), Acceleration: known(j.Accel), Jerk: known(j.Jerk), Effort: known(j.Effort),
			Ia: given(j.Ia), Fv: given(j.Fv), Fs: given(j.Fs), Fo: given(j.Fo), GearRatio: given(j.GearRatio), Gain: given(j.Gain)})
		d := Link{Name: l.Name, Parent: name(l.Antecedent)}
		if l.HasInertial {
			own := r.UserInertial(i, l.Own)
			mass, withLumped := own.Mass(), l.Inertial.Mass()
			d.Mass, d.WithLumped = &mass, &withLumped
			if com, ok := own.CentreOfMass(); ok {
				central, _ := own.Central()
				d.COM, d.Inertia = &com, &central
			}
		}
		doc.Links = append(doc.Links, d)
	}
	for _, l := range r.Lumped {
		d := Lumped{Name: l.Name, Joint: l.Joint, Into: name(l.Into)}
		if l.HasInertial {
			mass := l.Inertial.Mass()
			d.Mass = &mass
		}
		doc.Lumped = append(doc.Lumped, d)
	}
	for _, m := range r.Mimics {
		doc.Mimics = append(doc.Mimics, Mimic{r.Links[m.Joint].Joint.Name, r.Links[m.Of].Joint.Name, m.Multiplier, m.Offset})
	}
	for _, d := range r.Drives {
		of := map[string]float64{}
		for i, w := range d.Weights {
			of[r.Links[i].Joint.Name] = w
		}
		doc.Drives = append(doc.Drives, Drive{r.Links[d.Number].Joint.Name, of})
	}
	doc.Closed = describeMechanism(r)
	for _, n := range r.Notes {
		doc.Notes = append(doc.Notes, Note{n.Where, n.Text})
	}
	if len(r.Unset) == 0 {
		if doc.Closed != nil && doc.Closed.Fault != "" {
			doc.OK = false
			doc.Findings = append(doc.Findings, Finding{ID: "loops", Severity: string(lint.SeverityError), Text: doc.Closed.Fault})
		}
		for _, fd := range append(lint.Bodies(r), lint.Parsers(r)...) {
			doc.OK = doc.OK && fd.Severity != lint.SeverityError
			doc.Findings = append(doc.Findings, Finding{fd.ID, string(fd.Severity), fd.Link, fd.Value, fd.Text, fd.Cause})
		}
	}
	return doc
}

// Line returns a finding as one line of text.
func (f Finding) Line() string {
	s := f.ID + ": " + f.Text
	if f.Link != "" {
		s = fmt.Sprintf("link %q: %s", f.Link, f.Text)
	}
	if f.Cause != "" {
		s += "; probable cause: " + f.Cause
	}
	return s
}
