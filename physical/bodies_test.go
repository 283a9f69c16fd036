package physical

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"ident/internal/canceltest"
	"ident/internal/estimatortest"
	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
	"ident/robot/shapes"
)

// fileOf is a robot with bodies g times as heavy, and others for some links.
func fileOf(r *robot.Robot, g float64, of map[int]float64) *robot.Robot {
	out := r.Clone()
	for j := range out.Links {
		f := g
		if v, ok := of[j]; ok {
			f = v
		}
		for p := range out.Links[j].Inertial {
			out.Links[j].Inertial[p] *= f
			out.Links[j].Own[p] *= f
		}
	}
	return out
}

// The program's optimum is that of a search without structure over log-Cholesky numbers of an objective that is written down here
// again, from the masses, the divergences and Student's distribution themselves.
func TestBodiesAgainstBruteForce(t *testing.T) {
	r := estimatortest.Arm()
	x, s := disturbed(t, r, 3, 4)
	file := fileOf(r, 1.2, map[int]float64{1: 2})
	opt := BodyOptions{Source: file, Weight: 0.7, Total: 15, TotalDeviation: 0.5}
	found, err := Bodies(t.Context(), s, r, x.Set, opt)
	if err != nil {
		t.Fatal(err)
	}
	if found.Factor != 1 {
		t.Fatalf("factor %g", found.Factor)
	}
	free, err := NewPhysicalMap(x.Set)
	if err != nil {
		t.Fatal(err)
	}
	sigma := math.Sqrt(MeanInflation(s) * s.RSS / float64(s.Rows[0]+s.Rows[1]+s.Rows[2]-s.Rank))
	n := len(s.X)
	var prior [3]robot.Inertial
	for j := range prior {
		in := file.Links[j].Inertial
		com, _ := in.CentreOfMass()
		central, _ := in.Central()
		for a := range 3 {
			central[a][a] += 2 * in.Mass() * 0.03 * 0.03
		}
		prior[j] = robot.InertialFromCentral(in.Mass(), com, central)
	}
	objective := func(theta []float64) float64 {
		chi := free.Standard(theta)
		base := x.Set.FromStandard(chi)
		sum := 0.0
		for i := range n {
			d := 0.0
			for j := i; j < n; j++ {
				d += s.Stack.R[i*n+j] * (base[j] - s.X[j])
			}
			sum += d * d / (sigma * sigma) / 2
		}
		total := 0.0
		for i, c := range x.Set.Columns {
			switch {
			case c.Term == regressor.Links && c.Param == robot.M:
				var body robot.Inertial
				copy(body[:], chi[i-robot.M:i+1])
				total += body.Mass()
				e := (body.Mass()/prior[c.Link].Mass() - 1) / 0.3
				sum += 0.7 * (1.5*math.Log(1+e*e/2) + divergence(body, prior[c.Link]))
			case c.Term == regressor.Links:
			case c.Signed:
				v, _ := regressor.ValueOf(file, c)
				sum += NominalWeight / 2 * math.Pow((chi[i]-v)/freeDeviation, 2)
			default:
				v, _ := regressor.ValueOf(file, c)
				sum += NominalWeight * (chi[i]/v - 1 - math.Log(chi[i]/v))
			}
		}
		return sum + math.Pow((total-15)/0.5, 2)/2
	}
	start, ok := free.Free(found.Standard)
	if !ok {
		t.Fatal("not feasible")
	}
	at := objective(start)
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range start { // away from the optimum
		start[i] += 0.05 * rng.NormFloat64()
	}
	res, err := optimize.Minimize(optimize.Problem{Func: objective, Grad: func(g, th []float64) {
		fd.Gradient(g, objective, th, &fd.Settings{Formula: fd.Central, Step: 1e-6})
	}}, start, &optimize.Settings{GradientThreshold: 1e-5, MajorIterations: 2000}, &optimize.BFGS{})
	if res == nil {
		t.Fatal(err)
	}
	t.Logf("objective %.8f, of the search %.8f (%v)", at, res.F, res.Status)
	// Trust is weighed again until the objective falls by less than settled.
	if !(at <= res.F+2*settled) || !(res.F >= at-2*settled) {
		t.Errorf("objective %.8f, of a search without structure %.8f", at, res.F)
	}
}

// divergence is tr X − log det X − 4, X = J₀⁻¹·J.
func divergence(body, prior robot.Inertial) float64 {
	a, b := lower(body), lower(prior)
	x := inverseUpper(&b)
	sum := -4.0
	for i := range 4 {
		sum -= 2 * math.Log(a[i][i]/b[i][i])
		for k := range 4 {
			v := 0.0
			for j := range 4 {
				v += x[i][j] * a[j][k]
			}
			sum += v * v
		}
	}
	return sum
}

// A file three times too heavy does not win, nor does one link of it; a right one is not scaled. Masses come with deviations that
// hold them, and the sum of a given total is that total.
func TestBodiesOfWrongFiles(t *testing.T) {
	r := estimatortest.Arm()
	x, s := disturbed(t, r, 2, 4)
	truth := 0.0
	for j := range r.Links {
		truth += r.Links[j].Inertial.Mass()
	}
	for _, c := range []struct {
		name     string
		file     *robot.Robot
		total    float64
		scaled   bool
		from     MassOrigin
		geometry bool
	}{
		{name: "right", file: r, from: OfFile},
		{name: "one link", file: fileOf(r, 1, map[int]float64{1: 3}), from: OfFile},
		{name: "all", file: fileOf(r, 3, nil), scaled: true, from: OfFile},
		{name: "all, with the total", file: fileOf(r, 3, nil), scaled: true, total: truth, from: OfBounds},
		{name: "geometry", geometry: true, from: OfGeometry},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Bodies(t.Context(), s, r, x.Set, BodyOptions{Source: c.file, Geometry: c.geometry, Total: c.total, TotalDeviation: c.total / 20})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.2f ± %.2f kg of %.2f from %s; factor %.2f, weight %g, %.1f of %d determined, d² %.2f, nearest %.2f, budget %.2f, %v", b.Total.Mass, b.Total.Deviation, truth, b.Total.From, b.Factor, b.Weight,
				b.Determined, b.Of, b.Squared, b.NearestSquared, b.Budget, b.Masses)
			if (b.Factor != 1) != c.scaled && !c.geometry {
				t.Errorf("factor %g", b.Factor)
			}
			if c.scaled && !(b.Factor < 0.6 && b.Factor > 0.2) {
				t.Errorf("factor %g", b.Factor)
			}
			if !(math.Abs(b.Total.Mass-truth) < 2.5*b.Total.Deviation) || b.Total.From != c.from {
				t.Errorf("total %+v, true is %g", b.Total, truth)
			}
			if !c.geometry && !(b.Total.Mass < 1.6*truth) {
				t.Errorf("total %g, true is %g", b.Total.Mass, truth)
			}
			if c.total > 0 && !(math.Abs(b.Total.Mass/truth-1) < 0.05) {
				t.Errorf("total %g, given %g", b.Total.Mass, truth)
			}
			if b.Weight > 0.1 && !(b.Squared <= b.NearestSquared+b.Budget) {
				t.Errorf("d² %g above %g + %g", b.Squared, b.NearestSquared, b.Budget)
			}
			// Masses that are farther from the prior's than its spread explains widen it by Birge's ratio, here of shapes alone.
			square, expected, spread := 2.0, 2.0, 0.3
			for _, m := range b.Masses {
				of := b.Factor * m.File
				if c.geometry {
					shape := shapes.Envelope(r, m.Link)
					of, spread = shape.Mass(), 1
				}
				square += math.Pow((m.Mass/of-1)/spread, 2)
				expected += m.Share
			}
			want := spread * max(1, math.Sqrt(square/expected))
			if math.Abs(b.Assumed/want-1) > 1e-6 || (want > spread) != c.geometry {
				t.Errorf("prior masses are assumed right to %g, want %g", b.Assumed, want)
			}
			allPossible(t, x.Set, b.Standard)
			again, err := Likely(t.Context(), s, r, x.Set, BodyOptions{Source: c.file, Geometry: c.geometry, Total: c.total, TotalDeviation: c.total / 20, Chosen: &b.BodyChoice})
			if err != nil {
				t.Fatal(err)
			}
			for k := range again {
				if d := math.Abs(again[k] - b.Base[k]); !(d <= 0.01*math.Sqrt(s.Covariance[k][k])) {
					t.Errorf("%s: %g with the same choice, %g", x.Set.Name(k), again[k], b.Base[k])
				}
			}
		})
	}
}

// A search ends by its context within one of its optima.
func TestBodiesCancelled(t *testing.T) {
	long.Only(t, "TestUnderCancelled ends the solver by its context")
	r := estimatortest.Arm()
	x, s := disturbed(t, r, 5, 4)
	canceltest.Everywhere(t, 14, func(ctx context.Context) error {
		_, err := Bodies(ctx, s, r, x.Set, BodyOptions{})
		return err
	})
}

// The force on a slide shows the sum of all masses and of its rotor: with the rotor of the file, 1.5 kg, the masses are
// the arm's 13.5 kg. From masses of the file that are 1.3 times as large the total comes within a twentieth of the
// truth; without the rotor it would be 15 kg, the sum.
func TestBodiesOnASlide(t *testing.T) {
	r := estimatortest.Arm()
	r.Links[0].Joint.Kind, r.Links[0].Joint.Ia = robot.Prismatic, 1.5
	x, s := disturbed(t, r, 0.5, 4)
	found, err := Bodies(t.Context(), s, r, x.Set, BodyOptions{Source: fileOf(r, 1.3, nil)})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.4g ± %.2g kg, the file's are %.4g", found.Total.Mass, found.Total.Deviation, found.Total.File)
	if d := math.Abs(found.Total.Mass - 13.5); d > 0.05*13.5 || d > 2*found.Total.Deviation {
		t.Errorf("%g ± %g kg, want 13.5", found.Total.Mass, found.Total.Deviation)
	}
}
