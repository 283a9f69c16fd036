package regressor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/lanes"
	"ident/mechanics/loops"
)

// RedundantError says that loops couple driven joints: the motion does not determine how their torques share the load.
type RedundantError struct {
	Robot           string
	Drives, Motions int
	Idle            []string // drives that could be left out; of dependent ones, the later
}

func (e *RedundantError) Error() string {
	return fmt.Sprintf("robot %q: %d driven joints for %d motions: the loops move %s when the others move, and how drives share a load cannot be told; mark those without a motor as passive and those with one as redundant", e.Robot, e.Drives, e.Motions, strings.Join(e.Idle, ", "))
}

// Redundant returns the links whose joints have drives although the loops move them. Their torques have no rows; use
// Share to add them to those of the driven joints.
func (m *Model) Redundant() []int {
	var links []int
	if m.loops != nil {
		for _, k := range m.loops.redundant {
			links = append(links, m.loops.tree.coords[k])
		}
	}
	return links
}

// Share adds the torques of redundant drives to those of a batch's driven joints:
// with one slice of torque for each of Redundant,
//
//	tau_a += Σ ∂q_r/∂q_a·idle_r
//
// so that the sum balances Y·χ however the drives share the load. It follows the
// loops along q; where it cannot, torques from that sample on are NaN and
// Workspace.Err says why.
func (m *Model) Share(tau, idle, q [][]float64, ws *Workspace) {
	m.checkMotion("q", q, len(q[0]))
	m.checkMotion("tau", tau, len(q[0]))
	if len(idle) != len(m.Redundant()) {
		panic(fmt.Sprintf("regressor: torques of %d redundant drives, the model has %d", len(idle), len(m.Redundant())))
	}
	s := ws.closed
	t, joints := m.loops.tracker, len(m.loops.rows)
	along, path, to := t.Newton().Continue(), t.NewPath(1), make([]float64, joints)
	drive := loops.Drive{Q: loops.Rows(to, 1), DQ: loops.Rows(make([]float64, joints), 1)}
	s.err = nil
	for l := range q[0] {
		for i := range to {
			to[i] = q[i][l]
		}
		if _, err := along.Track(path, drive, 0, 1, false); err != nil {
			s.err = &SampleError{l, err}
			for k := range tau {
				lanes.Fill(tau[k][l:], math.NaN())
			}
			return
		}
		for p, pair := range t.Pairs() {
			if r := slices.Index(m.loops.redundant, pair.Coord); r >= 0 {
				tau[pair.Driven][l] += path.Jacobian[p][0] * idle[r][l]
			}
		}
	}
}
