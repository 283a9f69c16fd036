package estimate

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawDefinite(t *rapid.T) sym4 {
	var g [4][4]float64
	for a := range 4 {
		for b := range 4 {
			g[a][b] = rapid.Float64Range(-1, 1).Draw(t, "entry")
		}
		g[a][a] += 2 * rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
	}
	one := sym4{1, 1, 1, 1}
	s := congruent(&g, &one)
	for i := range 4 {
		s[i] += 1e-3
	}
	return s
}

// Nesterov and Todd's scaling makes both matrices the same diagonal one, and a
// step to first order meets S·ΔZ + ΔS·Z.
func TestPairScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDefinite(t)
		p := pair{z: drawDefinite(t)}
		if !p.scale(&s) {
			t.Fatal("two definite matrices were refused")
		}
		a := congruent(&p.gi, &s)
		gt := transposed(&p.g)
		b := congruent(&gt, &p.z)
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
		total := p.aim(0.1, 0)
		dx := drawDefinite(t)
		p.take(&dx)
		sum := 0.0
		for k := range 4 {
			sum += p.d[k]*p.d[k] + p.d[k]*(p.dx[k]+p.dz[k])
		}
		if !(math.Abs(sum-0.4) < 1e-9) || !(math.Abs(total[0]-p.d[0]-p.r[0]) < 1e-12) {
			t.Errorf("the products end at %g", sum)
		}
		// The end of a step is the border.
		end := p.reach(&p.dz)
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
		if e := newSpectrum(&at); !(math.Abs(e.least()) < 1e-9*(1+end)) {
			t.Errorf("the least eigenvalue at the end of a step is %g", e.least())
		}
	})
}

// The same for points of the second-order cone.
func TestBallScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (v vec4) {
			for k := range 3 {
				v[k+1] = rapid.Float64Range(-1, 1).Draw(t, "coordinate")
			}
			v[0] = math.Sqrt(v[1]*v[1]+v[2]*v[2]+v[3]*v[3]) + rapid.Float64Range(1e-3, 1).Draw(t, "depth")
			return v
		}
		p := ball{s: draw(), z: draw()}
		if !p.scale() {
			t.Fatal("two inner points were refused")
		}
		a, b := times4(&p.wi, &p.s), times4(&p.w, &p.z)
		for k := range a {
			if !(math.Abs(a[k]-b[k]) < 1e-9*(1+math.Abs(b[k]))*(1+p.w[0][0])) {
				t.Fatalf("entry %d: %g and %g", k, a[k], b[k])
			}
		}
		p.aim(0.3, 0)
		ds := draw()
		end := p.take(&ds)
		if v := p.s.dot(&p.z) + vecDot(&p.lambda, &p.ds) + vecDot(&p.lambda, &p.dz); !(math.Abs(v-0.3) < 1e-9) {
			t.Errorf("the products end at %g", v)
		}
		if math.IsInf(end, 1) {
			return
		}
		s, z := p, p
		s.advance(end * (1 - 1e-9))
		if !(s.s.determinant() > 0) || !(s.z.determinant() > 0) {
			t.Error("a step that was to end at the border left the cone")
		}
		z.advance(end * (1 + 1e-6))
		if z.s.determinant() > 1e-9 && z.z.determinant() > 1e-9 {
			t.Errorf("a step beyond the border stayed inside: %g, %g", z.s.determinant(), z.z.determinant())
		}
	})
}

func vecDot(a, b *vec4) float64 { return a.dot(b) }
