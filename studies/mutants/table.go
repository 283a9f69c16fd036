package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// change is a mutant by its text.
type change struct{ pkg, file, what, old, new string }

// table returns changes that once lived, or died late, with those that died at once beside them.
func table() []change {
	return []change{
		{"regressor", "bodies.go", "s×V̇ reversed", "spatial.Cross(s, l.dv)", "spatial.Cross(l.dv, s)"},
		{"regressor", "bodies.go", "the difference of momenta as a sum", "sum.sum(y, -1)", "sum.sum(y, 1)"},
		{"baseparams", "qr.go", "sign of the back substitution", "x[i] -= upper[k][i] * x[k]", "x[i] += upper[k][i] * x[k]"},
		{"baseparams", "qr.go", "norms exchanged", "v * norms[s.Dependent[d]] / norms[s.Base[k]]", "v * norms[s.Base[k]] / norms[s.Dependent[d]]"},
		{"estimate", "covariance.go", "residuals without the diagonal", "for j := i; j < f.N; j++ {\n\t\t\td[i] -=", "for j := i + 1; j < f.N; j++ {\n\t\t\td[i] -="},
		{"filter", "lag.go", "sign of a lag", "lag = (at - reach) * dt", "lag = (reach - at) * dt"},
		{"filter", "diff.go", "a coefficient of an end formula", "-25*a[0] + 48*a[1]", "-25*a[0] + 47*a[1]"},
		{"estimate", "covariance.go", "sign in the inflation", "(c.rss[k] + score*s.Leverage[k])", "(c.rss[k] - score*s.Leverage[k])"},
		{"estimate", "covariance.go", "degrees of freedom without their factor of two", "relative/(2*whole*whole)", "relative/(whole*whole)"},
		{"doctor/causes", "evidence.go", "evidence doubled", "v.nats += neff / 2 * l", "v.nats += neff * l"},
		{"doctor/causes", "evidence.go", "the price of columns and families forgotten", "v.nats = -cost", "v.nats = 0"},
		{"doctor/causes", "evidence.go", "independent rows of the wrong model", "neff = max(neff, effective(", "neff = max(neff, 0*effective("},
		{"doctor", "causefindings.go", "the repair of a zero with the wrong sign", "each(position, Edit{Offset: c.Value})", "each(position, Edit{Offset: -c.Value})"},
		{"doctor", "causefindings.go", "the repair of a scale inverted", "Edit{Scale: 1 / factor}", "Edit{Scale: factor}"},
		{"doctor", "causefindings.go", "a contact cut inward", "rec.between(c.Value-margin, c.Value+c.Length+margin)", "rec.between(c.Value+margin, c.Value+c.Length-margin)"},
		{"doctor", "torque.go", "noise of steps without (2πb)²", "math.Pow(2*math.Pi*band, 2)", "math.Pow(2*math.Pi*band, 0)"},
	}
}

// audit returns the mutants of the table. A change whose text is not in the file once, as after the code has moved, is an error.
func audit(root string) ([]mutant, error) {
	var out []mutant
	for _, c := range table() {
		text, err := os.ReadFile(filepath.Join(root, c.pkg, c.file))
		if err != nil {
			return nil, err
		}
		if n := bytes.Count(text, []byte(c.old)); n != 1 {
			return nil, fmt.Errorf("%s/%s holds %q %d times, want once: change the table (%s)", c.pkg, c.file, c.old, n, c.what)
		}
		at := bytes.Index(text, []byte(c.old))
		out = append(out, mutant{Package: c.pkg, File: c.file, Line: 1 + bytes.Count(text[:at], []byte("\n")), What: c.what,
			text: bytes.Replace(text, []byte(c.old), []byte(c.new), 1)})
	}
	return out, nil
}
