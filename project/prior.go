package project

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"ident/identify"
	"ident/physical"
	"ident/robot"
)

// weight is that of the prior, zero where the data choose it.
func (p *Settings) weight() (float64, error) {
	if p.PriorWeight == "" || p.PriorWeight == "auto" {
		return 0, nil
	}
	w, err := strconv.ParseFloat(p.PriorWeight, 64)
	if err != nil || !(w > 0) || math.IsInf(w, 0) {
		return 0, usagef("--prior-weight %q: it is auto or a positive number", p.PriorWeight)
	}
	return w, nil
}

// physicalOptions are the bounds and the prior for a session's robot.
func (p *Settings) Bodies(s *Session) (*physical.Options, *identify.PriorSource, error) {
	opt, err := p.consistentOptions(s.Robot)
	if err != nil {
		return nil, nil, err
	}
	prior, err := p.priorSource(s.Locked)
	return opt, prior, err
}

// priorSource reads the robot of the prior and locks the joints of the fit; nil
// without one.
func (p *Settings) priorSource(locked map[string]float64) (*identify.PriorSource, error) {
	if p.Prior == "" {
		return nil, nil
	}
	weight, err := p.weight()
	if err != nil {
		return nil, err
	}
	out := &identify.PriorSource{Name: p.Prior, Weight: weight}
	if p.Prior == OwnFile {
		return out, nil
	}
	out.Name = filepath.Base(p.Prior)
	r, err := robot.Open(p.Prior, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set})
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
