package drives

// Drive is the drive of one joint. Its methods change only the slices that they are given.
type Drive interface {
	// States is the number of states of the drive itself, zero to three.
	States() int
	// Act returns the torque on the joint, N·m or N, before the gear's losses, under an asked
	// torque at the joint's speed, rad/s or m/s, and stores the rates of its states z.
	Act(asked, speed float64, z, dz []float64) (torque float64)
	// Signals returns the drive's signals at one instant, under an asked torque at a speed, with the states z.
	Signals(asked, speed float64, z []float64) Signals
	// Settle stores the states of a constant asked torque at a constant speed.
	Settle(asked, speed float64, z []float64)
	// Loss is the part of the torque that the gear takes against the motion, 1 − η.
	Loss() float64
	// Damping is the fall of the torque with the speed under a constant command within the
	// limits, N·m·s/rad or N·s/m: that of the back-EMF.
	Damping() float64
}

// Signals are the signals of a drive that a log may hold. Those that a drive lacks are zero.
type Signals struct {
	Voltage  float64 // voltage at the terminals, V
	Current  float64 // current of the motor or the servo valve, A
	Pressure float64 // pressure difference over the piston, Pa
	Limited  bool    // whether the voltage or the current of the amplifier limits the torque
}

// clamp returns x between low and high, and whether it was outside.
func clamp(x, low, high float64) (float64, bool) {
	switch {
	case x < low:
		return low, true
	case x > high:
		return high, true
	}
	return x, false
}
