// Package symmetric finds the viscous and Coulomb friction nearest to an identified law.
//
// Robot files have two coefficients of friction for a joint, damping and dry friction, the same in both directions. A fit may have
// found more: coefficients of each direction (Fa), Stribeck friction (Fst), friction with the square of the rate (Fq), friction that
// changes while the gears warm (Fw). Of a law τ(ṡ) the nearest pair minimises
//
//	∫ (τ(ṡ) − Fv·ṡ − Fs·sign ṡ)² dṡ   from −V to V
//
// the least squares of the torque over all rates up to V. The even part of the law, which is that of an offset, is orthogonal to both
// and adds to the distance only. On the odd part the problem is that of a line over [0, V], with the projections
//
//	ṡ²            → V·ṡ − V²/6
//	exp(−(ṡ/v)²)  → (4·m₀ − 6·m₁) + (12·m₁ − 6·m₀)·ṡ/V,  m₀ = √π/2·erf(V/v)·v/V,  m₁ = (v/V)²/2·(1 − exp(−(V/v)²))
//
// Neither coefficient is below zero: a friction that gives energy is none. A law of Fv and Fs alone stays as it is.
package symmetric
