package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
)

// A SamplePose has the frames and velocities of a Pose, the gradients of positions are rows of the Jacobian, and those of
// velocities the differences of velocities.
func TestSamplePose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "links"), rapid.Bool().Draw(t, "fixed"))
		tree, err := New(r)
		if err != nil {
			t.Fatalf("%v", err)
		}
		n := tree.DOF()
		grid := func() [][]float64 {
			out := make([][]float64, n)
			for i := range out {
				out[i] = []float64{0, rng.NormFloat64()}
			}
			return out
		}
		column := func(x [][]float64) (out []float64) {
			for _, v := range x {
				out = append(out, v[1])
			}
			return out
		}
		q, dq := grid(), grid()
		link := len(r.Links) - 1
		at, along := [3]float64{0.1, -0.2, 0.3}, [3]float64{0.5, 0.7, -0.4}
		p, pose := tree.NewSamplePose(), tree.NewPose()
		p.Place(q, dq, 1)
		pose.Place(column(q))
		pose.Move(column(dq), nil)
		x, v := p.Point(link, at), pose.Twist(Point{link, at})
		here := at
		p.Carry(&here, link)
		velocity := p.Velocity(link, x)
		size := (tree.Reach() + 10) * (1 + 8*float64(n)) // of velocities at rates of some units, slides of some metres
		for k := range 3 {
			// The same products and sums, those of a velocity in another order.
			if want := pose.Position(Point{link, at})[k]; math.Abs(x[k]-want) > 1e-14*size || math.Abs(here[k]-want) > 1e-14*size {
				t.Fatalf("position %v and %v, want %v", x, here, pose.Position(Point{link, at}))
			}
			if math.Abs(velocity[k]-v.Linear[k]) > 1e-13*size {
				t.Fatalf("velocity %v, want %v", velocity, v.Linear)
			}
		}
		j := make(Jacobian, n)
		pose.Jacobian(j, Point{link, at})
		gq, gv, gdv := grid(), grid(), grid()
		a, b, c := column(gq), column(gv), column(gdv)
		p.AddPositionGradient(gq, 1, link, x, along, 2)
		p.AddVelocityGradient(gv, gdv, 1, link, x, along, 2)
		dot := func(u [3]float64) float64 { return along[0]*u[0] + along[1]*u[1] + along[2]*u[2] }
		for i := range n {
			row := 2 * dot(j[i].Linear)
			if math.Abs(gq[i][1]-a[i]-row) > 1e-13*size || math.Abs(gdv[i][1]-c[i]-row) > 1e-13*size {
				t.Fatalf("gradients by coordinate %d: %g and %g, want %g", i+1, gq[i][1]-a[i], gdv[i][1]-c[i], row)
			}
			const h = 1e-5
			moved := func(by float64) float64 {
				q[i][1] += by
				p.Place(q, dq, 1)
				q[i][1] -= by
				return dot(p.Velocity(link, p.Point(link, at)))
			}
			// Third derivatives of sines are of the size of the velocity: h² and rounding over h.
			if want := 2 * (moved(h) - moved(-h)) / (2 * h); math.Abs(gv[i][1]-b[i]-want) > 1e-8*size {
				t.Fatalf("gradient of the velocity by coordinate %d: %g, differences %g", i+1, gv[i][1]-b[i], want)
			}
			p.Place(q, dq, 1)
		}
	})
}
