package project

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"ident/identify/folder"
	"ident/identify/gravity"
	"ident/identify/regression"
	"ident/internal/textfile"
	"ident/physical"
	"ident/robot"
	"ident/robot/format"
)

// Bodies returns the bounds and the prior for a session's robot.
func (p *Settings) Bodies(s *Session) (*physical.BodyOptions, *regression.PriorSource, error) {
	opt, err := p.consistentOptions(s.Robot)
	if err != nil {
		return nil, nil, err
	}
	prior, err := p.priorSource(s.Locked)
	return opt, prior, err
}

// NoPrior is the value of the setting prior that forbids a prior.
const NoPrior = "none"

// priorFile returns the file that the setting prior names, or "" if it leaves the prior to the data or forbids one.
func (p *Settings) priorFile() string {
	if p.Prior == string(ByData) || p.Prior == NoPrior {
		return ""
	}
	return p.Prior
}

// priorSource reads the prior's robot and locks the joints of the fit; it returns nil without a prior.
func (p *Settings) priorSource(locked map[string]float64) (*regression.PriorSource, error) {
	if p.Prior == NoPrior {
		return &regression.PriorSource{Name: NoPrior, Geometry: true}, nil
	}
	if p.priorFile() == "" {
		return nil, nil
	}
	weight, err := p.priorWeight()
	if err != nil {
		return nil, err
	}
	out := &regression.PriorSource{Name: p.Prior, Weight: weight}
	if p.Prior == OwnFile {
		return out, nil
	}
	out.Name = filepath.Base(p.Prior)
	if p.gravityPrior() {
		return out, readGravity(p.Prior, out, p.Seals)
	}
	r, err := format.Open(p.Prior, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set, Packages: p.Packages})
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	if r, err = adjust(r, p); err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(locked)) {
		if r, err = r.Lock(name, locked[name]); err != nil {
			return nil, fmt.Errorf("prior %s: %w", out.Name, err)
		}
	}
	out.Robot = r
	return out, nil
}

// gravityPrior reports whether the setting prior names the document of a gravity fit.
func (p *Settings) gravityPrior() bool { return p.priorFile() != "" && IsJSON(p.Prior) }

// readGravity reads the document of a gravity fit as the prior of a second stage. The weight follows from its covariance
// unless one is given.
func readGravity(path string, to *regression.PriorSource, seals folder.Seals) error {
	text, err := textfile.ReadDocument(path, largestText)
	if err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	if _, err := seals.Check(path, text); err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	to.Stage, err = gravity.Estimator(to.Name, text, to.Weight)
	return err
}
