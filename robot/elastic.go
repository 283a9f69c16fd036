package robot

// Elasticity is the compliance between the drive of a joint and its link: with the
// deflection δ = θ − q of the motor's position θ, at the joint's side of the gear,
// against the link's position q, the link receives the torque
//
//	K·δ + D·δ̇ + Cubic·δ³ + Hysteresis·tanh(δ̇/v₀)
//
// of a turning joint in N·m and rad, of a sliding one in N and m, with v₀ = 1e-3 rad/s or m/s. Zero is unknown, or none.
type Elasticity struct {
	Stiffness  float64 // K, N·m/rad or N/m
	Damping    float64 // D, N·m·s/rad or N·s/m
	Cubic      float64 // N·m/rad³ or N/m³
	Hysteresis float64 // friction within the gear, N·m or N
}
