package project

import "ident/doctor/causes"

// Known returns what the result knows of combinations of the robot's parameters; nil if it has no covariance.
func (f *Fitted) Known() *causes.Known {
	n := f.Set.Count()
	if len(f.Result.Covariance) != n || len(f.X) != n {
		return nil
	}
	k := &causes.Known{Columns: f.Set.Columns, Values: f.X, Covariance: f.Result.Covariance}
	for i, c := range f.Set.Base {
		of := make([]float64, len(f.Set.Columns))
		of[c] = 1
		for d, x := range f.Set.Beta[i] {
			of[f.Set.Dependent[d]] = x
		}
		k.Of = append(k.Of, of)
	}
	return k
}
