// Package resonance finds the resonance of an elastic joint in a log that is to be fitted by a rigid model.
//
// Above the band of the motion a rigid joint's torque follows its acceleration. Of an elastic one, with rotor inertia
// Ia and the link's inertia M behind a spring K, it is, of the link's position q or the motor's θ,
//
//	τ = (Ia + M)·q̈ + (Ia·M/K)·q⁗
//	τ + (M/K)·τ̈ = (Ia + M)·θ̈ + (Ia·M/K)·θ⁗
//
// Both vanish at the resonance ω² = K·(1/Ia + 1/M), the ratio of the coefficients of second and fourth derivative. Where
// these columns explain most of the residual that a rigid joint leaves in the band, the log holds a resonance.
package resonance
