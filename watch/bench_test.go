package watch

import (
	"math"
	"testing"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// seven is an arm of seven joints with the base parameters of its default terms.
func seven(tb testing.TB) Model {
	tb.Helper()
	m, _ := sevenBase(tb)
	return m
}

func sevenBase(tb testing.TB) (Model, *baseparams.Set) {
	tb.Helper()
	const half = math.Pi / 2
	r := robot.FromMDH("seven", []robot.MDHFrame{{Antecedent: -1, R: 0.333}, {Antecedent: 0, Alpha: -half}, {Antecedent: 1, Alpha: half, R: 0.316}, {Antecedent: 2, Alpha: half, D: 0.0825},
		{Antecedent: 3, Alpha: -half, D: -0.0825, R: 0.384}, {Antecedent: 4, Alpha: half}, {Antecedent: 5, Alpha: half, D: 0.088}})
	for j := range r.Links {
		l := &r.Links[j]
		m := 3 - 0.3*float64(j)
		l.Inertial = robot.InertialFromCentral(m, [3]float64{0.02, -0.03, 0.05}, [3][3]float64{{0.02 * m, 0, 0}, {0, 0.02 * m, 0}, {0, 0, 0.01 * m}})
		l.Own, l.HasInertial = l.Inertial, true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.1*m, 0.3*m, 0.4*m
	}
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		tb.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{Seed: 1})
	chi := make([]float64, len(full.Columns()))
	for i, c := range full.Columns() {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	m := Model{Robot: r, Torques: full.Select(set.Base), Values: set.FromStandard(chi)}
	for i := range m.Values {
		m.Covariance = append(m.Covariance, make([]float64, len(m.Values)))
		m.Covariance[i][i] = 1e-6
	}
	return m, set
}

// BenchmarkRow is one row of an arm of seven joints, in batches and alone, without and with a payload.
func BenchmarkRow(b *testing.B) {
	m := seven(b)
	quiet := NewCalibrator(m, 0)
	quiet.Add(exact(b, m, 10000, 0.1))
	n, err := quiet.Noise()
	if err != nil {
		b.Fatal(err)
	}
	rows := exact(b, m, 1000, 0.1)
	for _, c := range []struct {
		name string
		rows int
		mass float64
	}{{"batch", 1000, 0}, {"alone", 1, 0}, {"payload", 1, 1}} {
		b.Run(c.name, func(b *testing.B) {
			w, err := New(m, n, Options{})
			if err != nil {
				b.Fatal(err)
			}
			if c.mass != 0 {
				body := make([]float64, len(w.load.base))
				body[massAt] = c.mass
				w.load.take(&weighing{theta: body, cov: newNormal(len(body)).a})
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := i * c.rows % 1000
				if at == 0 {
					w.Reset()
				}
				if err := w.Add(rows.Slice(at, at+c.rows), func(*Row) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.rows), "ns/row")
		})
	}
}
