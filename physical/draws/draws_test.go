package draws

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/long"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// arm returns a posterior of an arm of some joints by rows at random states with torque noise of a part of the torques' size.
func arm(t testing.TB, joints int, part float64) (*Posterior, *regressor.Model) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(joints), 5))
	var frames []robot.MDHFrame
	for j := range joints {
		f := robot.MDHFrame{Antecedent: j - 1, Alpha: []float64{0, -math.Pi / 2, math.Pi / 2}[j%3]}
		if j > 0 {
			f.D, f.R = 0.1*float64(j%2), 0.3*float64((j+1)%2)
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH("arm", frames)
	r.Gravity = [3]float64{0, 0, -9.81}
	for j := range r.Links {
		l := &r.Links[j]
		l.Own = robot.InertialFromCentral(5-0.5*float64(j), [3]float64{0.05, 0.02, 0.1}, [3][3]float64{{0.03, 0.002, 0}, {0.002, 0.025, 0.001}, {0, 0.001, 0.015}})
		l.Inertial, l.HasInertial = l.Own, true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.3, 2, 3
	}
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	p := &Posterior{Set: set, Robot: r}
	for _, c := range set.Columns {
		v, _ := regressor.ValueOf(r, c)
		p.Standard = append(p.Standard, v)
	}
	rows := rowsOf(t, m.Select(set.Base), rng, 60*joints)
	k := set.FromStandard(p.Standard)
	size := 0.0
	for _, row := range rows {
		tau := 0.0
		for i, v := range row {
			tau += v * k[i]
		}
		size += tau * tau / float64(len(rows))
	}
	n := len(set.Base)
	information := mat.NewSymDense(n, nil)
	for _, row := range rows {
		information.SymRankOne(information, 1/(part*part*size), mat.NewVecDense(n, row))
	}
	var c mat.Cholesky
	if !c.Factorize(information) {
		t.Fatal("the rows do not determine the base parameters")
	}
	var inverse mat.SymDense
	if err := c.InverseTo(&inverse); err != nil {
		var bad mat.Condition
		if !errors.As(err, &bad) {
			t.Fatal(err)
		}
	}
	for i := range n {
		row := make([]float64, n)
		for j := range n {
			row[j] = inverse.At(i, j)
		}
		p.Covariance = append(p.Covariance, row)
	}
	return p, m.Select(set.Base)
}

// moments of the base parameters of draws.
func moments(draws [][]float64) (mean []float64, covariance [][]float64) {
	n := len(draws[0])
	mean = make([]float64, n)
	for _, x := range draws {
		for i, v := range x {
			mean[i] += v / float64(len(draws))
		}
	}
	for i := range n {
		covariance = append(covariance, make([]float64, n))
		for j := range n {
			for _, x := range draws {
				covariance[i][j] += (x[i] - mean[i]) * (x[j] - mean[j]) / float64(len(draws)-1)
			}
		}
	}
	return mean, covariance
}

var fits = flag.Int("fits", 0, "simulated results of TestBands")

var many = flag.Int("draws", 0, "draws of TestCovariance")

// The covariance of the draws is the stated one where bounds and prior do not bind: for parameters that data know to a twentieth of the prior's size or better. Every
// draw is feasible, and the mean is the middle robot to a fifth of a deviation. Figures of docs/draws.md: -draws 20000 -v.
func TestCovariance(t *testing.T) {
	n := long.Of(4000, 150)
	if *many > 0 {
		n = *many
	}
	p, _ := arm(t, long.Of(7, 3), 0.002)
	began := time.Now()
	d, err := Draw(t.Context(), p, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d draws in %.1f s: %+v", n, time.Since(began).Seconds(), d.Mixing)
	for _, x := range d.Standard {
		for j := range p.Robot.Links {
			var own robot.Inertial
			for c, col := range p.Set.Columns {
				if col.Term == regressor.Links && col.Link == j {
					own[col.Param] = x[c]
				} else if !col.Signed && x[c] < 0 {
					t.Fatalf("%s is %g", col.Name, x[c])
				}
			}
			if least := physical.LeastEigenvalue(own); !(least > 0) {
				t.Fatalf("a body of link %d that cannot be: %g", j+1, least)
			}
		}
	}
	mean, covariance := moments(d.Base)
	// Deviation of a variance of n normal draws: √(2/n), of effective ones at worst.
	tolerance := 0.05 + 4*math.Sqrt(2/min(d.Mixing.Effective, float64(n)))
	middle := p.Set.FromStandard(p.Standard)
	worst, free, logs := 0.0, 0, 0.0
	for i := range mean {
		s := math.Sqrt(p.Covariance[i][i])
		if math.Abs(mean[i]-middle[i]) > 0.2*s+4*s/math.Sqrt(d.Mixing.Effective) && !binds(p, i) {
			t.Errorf("%s: mean %g, of the middle robot %g ± %g", p.Set.Name(i), mean[i], middle[i], s)
		}
		if binds(p, i) {
			continue
		}
		free++
		ratio := covariance[i][i]/p.Covariance[i][i] - 1
		logs += ratio
		worst = max(worst, math.Abs(ratio))
		if math.Abs(ratio) > tolerance {
			t.Errorf("%s: variance off by %.1f %%", p.Set.Name(i), 100*ratio)
		}
		for j := range i {
			if !binds(p, j) {
				scale := math.Sqrt(p.Covariance[i][i] * p.Covariance[j][j])
				worst = max(worst, math.Abs(covariance[i][j]-p.Covariance[i][j])/scale)
				if math.Abs(covariance[i][j]-p.Covariance[i][j])/scale > tolerance {
					t.Errorf("%s, %s: correlation off by %.3f", p.Set.Name(i), p.Set.Name(j), (covariance[i][j]-p.Covariance[i][j])/scale)
				}
			}
		}
	}
	t.Logf("%d of %d base parameters are free of bounds; variances off by %.2f %% in the mean, entries by %.2f %% at worst", free, len(mean), 100*logs/float64(free), 100*worst)
	if free < len(mean)/2 {
		t.Errorf("bounds bind on all but %d parameters", free)
	}
}

// binds reports whether prior or bounds reach a base parameter: whether its deviation is above a twentieth of the size that its own bodies give it.
func binds(p *Posterior, i int) bool {
	size := 0.0
	for c, col := range p.Set.Columns {
		unit := make([]float64, len(p.Set.Columns))
		unit[c] = 1
		k := p.Set.FromStandard(unit)[i]
		if k == 0 {
			continue
		}
		if col.Signed && col.Term != regressor.Links {
			return false // an offset has neither
		}
		if col.Term == regressor.Links {
			// The prior's deviation of an entry: half of the geometric mean of its diagonal.
			own := p.Robot.Links[col.Link].Inertial
			j := own.PseudoInertia()
			least := math.Inf(1)
			for a := range 4 {
				least = min(least, j[a][a])
			}
			size += k * k * least * least
			continue
		}
		size += k * k * p.Standard[c] * p.Standard[c]
	}
	return math.Sqrt(p.Covariance[i][i]) > 0.05*math.Sqrt(size)
}

// What data do not tell has the prior's deviation about the middle robot: the mass of the first link of an arm with an upright axis.
func TestPriorDecides(t *testing.T) {
	long.Only(t, "TestCovariance and TestBadPosteriors")
	p, _ := arm(t, 2, 0.01)
	p.Deviation = 0.4
	const n = 2000
	d, err := Draw(t.Context(), p, n, 2)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(p.Set.Columns, func(c regressor.Column) bool { return c.Name == "M1" })
	mean, sum := 0.0, 0.0
	for _, x := range d.Standard {
		mean += x[at] / n
	}
	for _, x := range d.Standard {
		sum += (x[at] - mean) * (x[at] - mean) / (n - 1)
	}
	if math.Abs(mean/p.Standard[at]-1) > 0.1 || math.Abs(math.Sqrt(sum)/mean/0.4-1) > 0.15 {
		t.Errorf("mass %.3f ± %.3f, the prior is %.3f ± 40 %%", mean, math.Sqrt(sum), p.Standard[at])
	}
	again, err := Draw(t.Context(), p, n, 2)
	if err != nil || !slices.Equal(again.Standard[n-1], d.Standard[n-1]) {
		t.Errorf("another robot of the same seed: %v", err)
	}
	few, err := Draw(t.Context(), p, 3, 2)
	if err != nil || len(few.Standard) != 3 || few.Mixing.Checked < leastChecked {
		t.Errorf("three draws: %v", err)
	}
}

// 95 % bands of predicted torque hold the torque of 95 % of the held-out rows of simulated results. Figure of docs/draws.md: -fits 400 -v.
func TestBands(t *testing.T) {
	long.Only(t, "TestCovariance stands for it")
	results := long.Draws(40, 16, 16)
	if *fits > 0 {
		results = *fits
	}
	p, m := arm(t, 3, 0.01)
	rng := rand.New(rand.NewPCG(9, 9))
	rows := rowsOf(t, m, rng, 20)
	truth := p.Set.FromStandard(p.Standard)
	n := len(truth)
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			c.SetSym(i, j, p.Covariance[i][j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		t.Fatal("the covariance is singular")
	}
	var l mat.TriDense
	chol.LTo(&l)
	held, all := 0.0, 0.0
	const size = 400
	for k := range results {
		fit := *p
		z := mat.NewVecDense(n, nil)
		for i := range n {
			z.SetVec(i, rng.NormFloat64())
		}
		var shift mat.VecDense
		shift.MulVec(&l, z)
		x := slices.Clone(truth)
		for i := range x {
			x[i] += shift.AtVec(i)
		}
		fit.Standard = p.Set.Lift(x, p.Standard)
		if _, err := newDensity(&fit); err != nil {
			continue // an estimate that no body has: such a fit chooses bodies first
		}
		d, err := Draw(t.Context(), &fit, size, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			tau := make([]float64, size)
			for i, b := range d.Base {
				tau[i] = floats.Dot(row, b)
			}
			slices.Sort(tau)
			want := floats.Dot(row, truth)
			all++
			if tau[size/40-1] <= want && want <= tau[size-size/40] {
				held++
			}
		}
	}
	t.Logf("bands of %g results hold %.1f %% of %g rows", all/float64(len(rows)), 100*held/all, all)
	// Rows of one result share its error: as many independent ones as results.
	if share := held / all; math.Abs(share-0.95) > 0.02+3*math.Sqrt(0.05*0.95/(all/float64(len(rows)))) || all < 4*float64(len(rows)) {
		t.Errorf("bands hold %.1f %%", 100*share)
	}
}

func TestBadPosteriors(t *testing.T) {
	good, _ := arm(t, 2, 0.01)
	for want, change := range map[string]func(p *Posterior){
		"a prior standard deviation": func(p *Posterior) { p.Deviation = 2 },
		"an infeasible body": func(p *Posterior) {
			p.Standard = slices.Clone(p.Standard)
			p.Standard[slices.IndexFunc(p.Set.Columns, func(c regressor.Column) bool { return c.Name == "M2" })] = -1
		},
		"negative eigenvalue":       func(p *Posterior) { p.Covariance[0][1], p.Covariance[1][0] = 3, 3 },
		"the standard deviation of": func(p *Posterior) { p.Covariance[0][0] = math.Inf(1) },
		"a diagonal of zeros": func(p *Posterior) {
			for i := range p.Covariance {
				clear(p.Covariance[i])
			}
		},
	} {
		p := *good
		p.Covariance = nil
		for _, row := range good.Covariance {
			p.Covariance = append(p.Covariance, slices.Clone(row))
		}
		change(&p)
		if _, err := Draw(t.Context(), &p, 10, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	// Of a singular covariance, here of a parameter that was given, the exact part stays exact.
	p := *good
	p.Covariance = nil
	for i, row := range good.Covariance {
		row = slices.Clone(row)
		row[2] = 0
		if i == 2 {
			row = make([]float64, len(row))
		}
		p.Covariance = append(p.Covariance, row)
	}
	d, err := Draw(t.Context(), &p, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	given := p.Set.FromStandard(p.Standard)[2]
	for _, x := range d.Base {
		if math.Abs(x[2]-given) > 1e-6*math.Max(math.Abs(given), 1e-3) {
			t.Fatalf("a parameter that was given moves from %g to %g", given, x[2])
		}
	}
}

// rowsOf are rows of a model at random states.
func rowsOf(t testing.TB, m *regressor.Model, rng *rand.Rand, n int) (rows [][]float64) {
	t.Helper()
	joints := m.Joints()
	state := make([][][]float64, 3)
	for s := range state {
		for range joints {
			col := make([]float64, n)
			for k := range col {
				col[k] = 2 * rng.NormFloat64()
			}
			state[s] = append(state[s], col)
		}
	}
	b := m.NewBlock(n)
	m.Eval(b, state[0], state[1], state[2], m.NewWorkspace())
	for j := range joints {
		for k := range n {
			row := make([]float64, len(m.Columns()))
			for i, c := range m.Mask(j) {
				row[c] = b.Joint[j][i][k]
			}
			rows = append(rows, row)
		}
	}
	return rows
}
