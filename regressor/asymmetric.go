package regressor

// asymmetricTerm declares friction with a viscous and a Coulomb coefficient for
// each direction. It contains Fv, Fs and Fo: with those in the model as well,
// the base parameters keep Fv, Fs, Fo and the difference of the viscous ones.
func asymmetricTerm() declaration {
	viscous, dry := [2]string{"N·m·s/rad", "N·s/m"}, [2]string{"N·m", "N"}
	return declaration{name: Asymmetric, about: "viscous and Coulomb friction of each direction", of: ofJoint, params: []parameter{
		{kind: "Fvp", formula: "Fvp·ṡ where ṡ > 0", unit: viscous, law: dissipative(func(ds float64) float64 { return max(ds, 0) })},
		{kind: "Fvn", formula: "Fvn·ṡ where ṡ < 0", unit: viscous, law: dissipative(func(ds float64) float64 { return min(ds, 0) })},
		{kind: "Fsp", formula: "Fsp where ṡ > 0", unit: dry, law: dissipative(func(ds float64) float64 { return max(sign(ds), 0) })},
		{kind: "Fsn", formula: "−Fsn where ṡ < 0", unit: dry, law: dissipative(func(ds float64) float64 { return min(sign(ds), 0) })},
	}}
}
