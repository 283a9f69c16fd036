package project

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"ident/datasets"
	"ident/internal/orderstat"
	"ident/observation"
	"ident/robot"
)

// lockStanding locks the joints that stand in all logs, and says so: their motion is noise, so the logs show neither their
// friction nor what only their motion tells apart. It returns the settings with these locks, and warnings. Joints that the
// settings speak of are left as they are, and all if none moves.
func lockStanding(p *Settings, r *robot.Robot, logs []*datasets.Log) (warnings []string, err error) {
	if len(r.Unset) > 0 || r.Closed() || p.Torque == NoTorque {
		return nil, nil // other functions explain it, or need every joint
	}
	names := p.Joints
	if len(names) == 0 {
		names = JointNames(r)
	}
	at := map[string]float64{}
	for _, name := range names {
		if _, locked := p.Lock[name]; !locked && !slices.Contains(p.Immobile, name) && !slices.Contains(p.Unactuated, name) {
			at[name] = 0
		}
	}
	rest := len(at)
	for i, l := range logs {
		roles, _, _, err := mapJoints(p, r, l, names)
		if err != nil {
			return nil, nil // Prepare reports it
		}
		var channels, open []string
		for k, name := range names {
			if _, candidate := at[name]; !candidate {
				continue
			}
			if q := roles.Q[k]; q == "" || roles.Tau[k] == "" && roles.Current[k] == "" {
				delete(at, name)
			} else {
				channels, open = append(channels, q), append(open, name)
			}
		}
		still, err := stillChannels(l, channels, observation.Rate(l, roles.T))
		if err != nil {
			return nil, err
		}
		for k, name := range open {
			if still[k] == nil {
				delete(at, name)
			} else if i == 0 {
				at[name] = orderstat.Median(still[k])
			}
		}
	}
	if len(at) == 0 || len(at) == rest {
		return nil, nil
	}
	if p.Lock = maps.Clone(p.Lock); p.Lock == nil {
		p.Lock = map[string]float64{}
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		p.Lock[name] = at[name]
		warnings = append(warnings, fmt.Sprintf("joint %q stands still in all logs: it is taken as locked at %.6g; log a motion of the joint to identify its friction and inertia", name, at[name]))
	}
	return warnings, nil
}

// headRows is the number of rows after which the channels that have moved are read no further.
const headRows = 1 << 13

// stillChannels returns the values of the position channels that stand in a log, nil for the others. It stops reading when
// all have moved.
func stillChannels(l *datasets.Log, channels []string, rate float64) ([][]float64, error) {
	out := make([][]float64, len(channels))
	if len(channels) == 0 || !(rate > 0) {
		return out, nil
	}
	moving := make([]bool, len(channels))
	judge := func() {
		for k := range out {
			if moving[k] = moving[k] || !observation.Stands(out[k], rate); moving[k] {
				out[k] = nil
			}
		}
	}
	allMove := errors.New("all move")
	err := l.Scan(channels, headRows, func(first int, cols [][]float64) error {
		for k := range out {
			if !moving[k] {
				out[k] = append(out[k], cols[k]...)
			}
		}
		if first == 0 {
			if judge(); !slices.Contains(moving, false) {
				return allMove
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, allMove) {
		return nil, err
	}
	judge()
	return out, nil
}
