package observation

import (
	"math"

	"ident/filter"
	"ident/regressor"
)

// Where the low-pass M of the motion is near the band of the rows, F(M(q̈)) stands beside F(τ): the part of the motion
// that M removes is missing on one side alone, and an inertia comes out too large by it. So the measured torque goes
// through M as well, and with it all columns that are not linear in the motion within M's reach: those with the sign
// of a velocity, which steps, those periodic in an angle, which can be faster than the motion, and those of other measured channels. Columns of accelerations, velocities and gravity are
// made of motion that has been through M already:
//
//	F(M(τ)) = F(Y(M(q)))·χ + F(M(sign M(q̇)))·Fs
//
// For terms linear in the motion this is exact; a product c(q)·q̈ is off by the change of c within the response of M.

// steppingColumns reports, by column of a model, whether it goes through the filter of the torque.
func steppingColumns(model *regressor.Model) []bool {
	var out []bool
	for _, c := range model.Columns() {
		out = append(out, c.Term.Traits().Filtered)
	}
	return out
}

// torqueFilter returns the low-pass of the motion for torques (Settings.TorqueThroughMotion), nil for none. If only some
// rows are kept, columns exist at no other rate, so nothing can be filtered.
func (s *Settings) torqueFilter(m *MotionFilter, rows *RowFilter) *filter.SOS {
	if !s.TorqueThroughMotion || s.Model != Dynamic || m.local != nil || rows.decimator != nil || rows.fir != nil {
		return nil
	}
	return m.lowpass
}

// settledBoth returns the number of samples from rest after which a row contains less than tol of the friction at rest:
// from there on the step responses of both filters together stay within tol of their end. Without a filter of the torque
// it is RowFilter.settled.
func settledBoth(torque *filter.SOS, rows *RowFilter, tol float64) int {
	if torque == nil || rows.lowpass == nil {
		return rows.settled(tol)
	}
	half := torque.Tail(tol/100) + rows.lowpass.Tail(tol/100)
	response := make([]float64, 2*half+1)
	response[half] = 1
	columns, work := [][]float64{response}, new(filter.Work)
	torque.ZeroPhaseColumns(columns, work)
	rows.lowpass.ZeroPhaseColumns(columns, work)
	for n, left := half, 0.0; n > 0; n-- {
		if left += response[half+n]; math.Abs(left) >= tol {
			return n
		}
	}
	return 0
}

// filterTorque passes the stepping columns of equation k, and those after them, through the filter of the torque, in
// place.
func (o *Observer) filterTorque(f *filter.SOS, k int, columns [][]float64) {
	if f == nil {
		return
	}
	mask := o.model.Mask(k)
	o.stepped = o.stepped[:0]
	for c, x := range columns {
		if c >= len(mask) || o.stepping[mask[c]] {
			o.stepped = append(o.stepped, x)
		}
	}
	f.ZeroPhaseColumns(o.stepped, &o.rows.sections)
}
