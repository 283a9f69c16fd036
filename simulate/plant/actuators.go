package plant

import (
	"fmt"

	"ident/robot/drives"
)

// actuators are the drives of the coordinates with the place of their states.
type actuators struct {
	list   []drives.Drive // nil entries for drives that give the asked torque at once
	at     []int          // first state of each
	states int            // of all
}

// newActuators assigns each drive its states in the common state vector, and adds the losses of its gear to f.
func newActuators(list []drives.Drive, f []friction) (actuators, error) {
	a := actuators{}
	if !drives.Any(list) {
		return a, nil
	}
	if len(list) != len(f) {
		return a, fmt.Errorf("%d drives for %d coordinates", len(list), len(f))
	}
	a.list = list
	for i, d := range list {
		a.at = append(a.at, a.states)
		if d == nil {
			continue
		}
		a.states += d.States()
		f[i].loss = d.Loss()
	}
	return a, nil
}

func (a *actuators) any() bool { return a.list != nil }

// act turns asked torques into those of the drives, and stores the rates of their states.
func (a *actuators) act(tau, dq, z, dz []float64) {
	for i, d := range a.list {
		if d != nil {
			tau[i] = d.Act(tau[i], dq[i], z[a.at[i]:], dz[a.at[i]:])
		}
	}
}

// damping returns the damping by the back-EMF at a joint.
func (a *actuators) damping(i int) float64 {
	if a.list == nil || a.list[i] == nil {
		return 0
	}
	return a.list[i].Damping()
}

// signals stores those of the last evaluation, and marks the drives at a limit.
func (m *Motion) signals(to []drives.Signals, limited []bool) {
	for i, d := range m.p.drives.list {
		if d != nil {
			to[i] = d.Signals(m.asked[i], m.x[m.n+i], m.x[2*m.n+m.p.drives.at[i]:])
			limited[i] = limited[i] || to[i].Limited
		}
	}
}

// Settle sets the currents and pressures of the drives to their steady values for constant commanded torques at the present speeds.
func (m *Motion) Settle(asked []float64) {
	for i, d := range m.p.drives.list {
		if d != nil {
			d.Settle(asked[i], m.x[m.n+i], m.x[2*m.n+m.p.drives.at[i]:])
		}
	}
}

// Signals returns the signals of each joint's drive at the state, under the torques that d commands; zeros for a
// coordinate without a drive.
func (m *Motion) Signals(d Drive) ([]drives.Signals, error) {
	out := make([]drives.Signals, m.n)
	if err := m.settle(d); err != nil {
		return nil, err
	}
	m.signals(out, make([]bool, m.n))
	return out, nil
}
