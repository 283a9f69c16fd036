package conic

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawDefinite(t *rapid.T) Sym4 {
	var g [4][4]float64
	for a := range 4 {
		for b := range 4 {
			g[a][b] = rapid.Float64Range(-1, 1).Draw(t, "entry")
		}
		g[a][a] += 2 * rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
	}
	one := Sym4{1, 1, 1, 1}
	s := Congruence(&g, &one)
	for i := range 4 {
		s[i] += 1e-3
	}
	return s
}

// Nesterov and Todd's scaling makes both matrices the same diagonal one, and a
// step to first order meets S·ΔZ + ΔS·Z.
func TestSemidefiniteScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDefinite(t)
		p := scaledPSD{z: drawDefinite(t)}
		if !p.updateScaling(&s) {
			t.Fatal("two definite matrices were refused")
		}
		a := Congruence(&p.gInv, &s)
		gt := Transpose(&p.g)
		b := Congruence(&gt, &p.z)
		for k := range a {
			want := 0.0
			if k < 4 {
				want = p.d[k]
			}
			if !(math.Abs(a[k]-want) < 1e-9) || !(math.Abs(b[k]-want) < 1e-9) {
				t.Fatalf("entry %d: %g and %g, want %g", k, a[k], b[k], want)
			}
		}
		// After a full step without correction ⟨S, Z⟩ + ⟨ΔS, Z⟩ + ⟨S, ΔZ⟩ is four targets.
		total := p.setRHS(0.1, 0)
		dx := drawDefinite(t)
		p.stepLength(&dx, math.Inf(1))
		sum := 0.0
		for k := range 4 {
			sum += p.d[k]*p.d[k] + p.d[k]*(p.dx[k]+p.dz[k])
		}
		if !(math.Abs(sum-0.4) < 1e-9) || !(math.Abs(total[0]-p.d[0]-p.r[0]) < 1e-12) {
			t.Errorf("the products end at %g", sum)
		}
		// A step to the boundary makes the matrix singular.
		f := [4]float64{1 / math.Sqrt(p.d[0]), 1 / math.Sqrt(p.d[1]), 1 / math.Sqrt(p.d[2]), 1 / math.Sqrt(p.d[3])}
		end := toBoundary(&p.dz, &f, math.Inf(1))
		for _, most := range []float64{0.1, 0.999 * end, end, 1.2} {
			if got := toBoundary(&p.dz, &f, most); got != min(most, end) {
				t.Errorf("a step of at most %g ends at %g, one without a bound at %g", most, got, end)
			}
		}
		if math.IsInf(end, 1) {
			return
		}
		at := p.dz
		for k := range at {
			at[k] *= end
			if k < 4 {
				at[k] += p.d[k]
			}
		}
		if e := NewEigen(&at); !(math.Abs(e.Min()) < 1e-9*(1+end)) {
			t.Errorf("the least eigenvalue at the end of a step is %g", e.Min())
		}
	})
}

// The scaling and the step length of the second-order cone.
func TestSecondOrderScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (v vec4) {
			for k := range 3 {
				v[k+1] = rapid.Float64Range(-1, 1).Draw(t, "coordinate")
			}
			v[0] = math.Sqrt(v[1]*v[1]+v[2]*v[2]+v[3]*v[3]) + rapid.Float64Range(1e-3, 1).Draw(t, "depth")
			return v
		}
		p := secondOrderCone{s: draw(), z: draw()}
		if !p.updateScaling() {
			t.Fatal("two inner points were refused")
		}
		a, b := mulVec(&p.wInv, &p.s), mulVec(&p.w, &p.z)
		for k := range a {
			if !(math.Abs(a[k]-b[k]) < 1e-9*(1+math.Abs(b[k]))*(1+p.w[0][0])) {
				t.Fatalf("entry %d: %g and %g", k, a[k], b[k])
			}
		}
		p.setRHS(0.3, 0)
		ds := draw()
		end := p.stepLength(&ds)
		if v := p.s.dot(&p.z) + vecDot(&p.lambda, &p.ds) + vecDot(&p.lambda, &p.dz); !(math.Abs(v-0.3) < 1e-9) {
			t.Errorf("the products end at %g", v)
		}
		if math.IsInf(end, 1) {
			return
		}
		s, z := p, p
		s.update(end * (1 - 1e-9))
		// Where the step ends in the cone's apex the depth left is 1e-9 of the start's.
		// W and its inverse round the step, at its end as long as the start, by
		// eps·κ(W), with κ(W) ≤ 4·w₀₀·w⁻¹₀₀.
		rounding := 16 * 0x1p-52 * 4 * p.w[0][0] * p.wInv[0][0]
		depth := func(v vec4) float64 { return v[0] - math.Sqrt(v[1]*v[1]+v[2]*v[2]+v[3]*v[3]) }
		if !(depth(s.s) > -rounding*(p.s[0]+end*math.Sqrt(vecDot(&ds, &ds)))) {
			t.Errorf("a step that was to end at the border left the cone: %g deep in s", depth(s.s))
		}
		dz := mulVec(&p.wInv, &p.dz)
		if !(depth(s.z) > -rounding*(p.z[0]+end*math.Sqrt(vecDot(&dz, &dz)))) {
			t.Errorf("a step that was to end at the border left the cone: %g deep in z", depth(s.z))
		}
		z.update(end * (1 + 1e-6))
		if z.s.determinant() > 1e-9 && z.z.determinant() > 1e-9 {
			t.Errorf("a step beyond the border stayed inside: %g, %g", z.s.determinant(), z.z.determinant())
		}
	})
}

func vecDot(a, b *vec4) float64 { return a.dot(b) }
