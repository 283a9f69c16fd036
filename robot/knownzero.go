package robot

// KnownZero returns the kinds of the link's parameters that are known to be zero
// beside unknown ones: "XY", "Ia".
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
