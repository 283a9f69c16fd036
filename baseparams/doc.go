// Package baseparams finds the base parameters of an identification model: the
// smallest set of combinations of standard parameters that determines the
// model, which is what data can identify at best.
//
// Every method returns a Set: which standard parameters are kept, which have
// no effect at all, and how the others are regrouped onto the kept ones. With
// W the regressor at enough states,
//
//	W[Zero] = 0,  W[Dependent] = W[Base]·Beta,  K = χ[Base] + Beta·χ[Dependent]
//
// and W·χ = W[Base]·K for every χ. The map (K, χ[Dependent], χ[Zero]) ⇄ χ is
// one to one: FromStandard and Lift are its two directions.
//
// The choice among the many minimal sets is fixed: the first independent
// columns in the order of the model, link 1 to link n. Two machines print the
// same set, with the names that the symbolic literature uses for serial robots
// (Gautier and Khalil 1990, Mayeda 1990).
//
// QR works on random states of the model (Gautier 1991) and applies to every
// model. It decides by a threshold, and says in Gap how far the decision was
// from being a different one.
package baseparams
