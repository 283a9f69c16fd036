package elastic

import (
	"fmt"

	"ident/mechanics/dynamics"
)

// tree returns the dynamics of the links alone, without the rotors of elastic joints.
func (m *Machine) tree() (*dynamics.Tree, error) {
	r := m.Extended.Clone()
	r.Links = r.Links[:len(m.Robot.Links)]
	r.Drives = nil
	t, err := dynamics.New(r)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	return t, nil
}

// InertiaMatrix returns the inertia matrix of the links at q, row-major, kg·m² or kg, with the rotors of joints that are not elastic.
func (m *Machine) InertiaMatrix(q []float64) ([]float64, error) {
	t, err := m.tree()
	if err != nil {
		return nil, err
	}
	out := make([]float64, m.Links*m.Links)
	t.InertiaMatrix(out, q)
	return out, nil
}
