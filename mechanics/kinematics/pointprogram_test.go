package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
)

// The program's points are those of a SamplePose, to the rounding of some metres a link, and its squares those of their
// distances.
func TestPointProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "links"), rapid.Bool().Draw(t, "fixed"))
		tree, err := New(r)
		if err != nil {
			t.Fatalf("%v", err)
		}
		var points []Point
		var pairs [][2]int
		for j := -1; j < len(r.Links); j++ {
			points = append(points, Point{j, [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}})
			pairs = append(pairs, [2]int{j + 1, rng.IntN(j + 2)})
		}
		shown := rapid.IntRange(0, len(points)).Draw(t, "shown")
		const samples = 70 // more than a block of the machine
		q := make([][]float64, tree.DOF())
		for i := range q {
			for range samples {
				q[i] = append(q[i], 3*rng.NormFloat64())
			}
		}
		track := tree.PointProgram(points, shown, pairs).NewTrack(samples)
		track.Follow(q, samples)
		if len(track.At) != shown || len(track.Square) != len(pairs) {
			t.Fatalf("%d points and %d distances, want %d and %d", len(track.At), len(track.Square), shown, len(pairs))
		}
		pose := tree.NewSamplePose()
		size := (tree.Reach() + 10) * float64(1+len(r.Links)) // slides of some metres
		for s := range samples {
			pose.Place(q, nil, s)
			for i := range shown {
				want := pose.Point(points[i].Link, points[i].At)
				for k := range 3 {
					if math.Abs(track.At[i][k][s]-want[k]) > 1e-14*size {
						t.Fatalf("point %d at sample %d: coordinate %d is %v, want %v", i, s, k, track.At[i][k][s], want[k])
					}
				}
			}
			for i, p := range pairs {
				a, b := pose.Point(points[p[0]].Link, points[p[0]].At), pose.Point(points[p[1]].Link, points[p[1]].At)
				want := 0.0
				for k := range 3 {
					want += (a[k] - b[k]) * (a[k] - b[k])
				}
				if math.Abs(track.Square[i][s]-want) > 1e-13*size*size {
					t.Fatalf("squared distance %d at sample %d is %v, want %v", i, s, track.Square[i][s], want)
				}
			}
		}
	})
}

// A hundred samples of a seven-joint arm, thirty points and a hundred distances.
func BenchmarkPointProgram(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	tree, err := New(testrobot.Random(rng, 7, false))
	if err != nil {
		b.Fatal(err)
	}
	var points []Point
	var pairs [][2]int
	for range 30 {
		points = append(points, Point{rng.IntN(7), [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}})
	}
	for range 100 {
		pairs = append(pairs, [2]int{rng.IntN(30), rng.IntN(30)})
	}
	q := make([][]float64, tree.DOF())
	for i := range q {
		q[i] = make([]float64, 100)
	}
	track := tree.PointProgram(points, 30, pairs).NewTrack(100)
	b.ReportAllocs()
	for b.Loop() {
		track.Follow(q, 100)
	}
}
