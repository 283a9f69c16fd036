package robot

// KnownZero returns the kinds of a link's parameters, such as "XY" or "Ia", that are known to be zero while others are
// unknown.
func (l *Link) KnownZero() []string {
	var out []string
	for k, zero := range l.Zero {
		if zero {
			out = append(out, InertialNames[k])
		}
	}
	if l.Joint.NoRotor {
		out = append(out, "Ia")
	}
	return out
}
