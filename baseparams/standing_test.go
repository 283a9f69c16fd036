package baseparams

import (
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// feetOf returns the feet of testrobot.Quadruped.
func feetOf(r *robot.Robot, radius float64, sole bool) []regressor.Foot {
	var feet []regressor.Foot
	for _, leg := range testrobot.QuadrupedLegs {
		for j := range r.Links {
			if r.Links[j].Name == leg+"_calf" {
				feet = append(feet, regressor.Foot{Name: leg, Link: j, Centre: testrobot.QuadrupedFoot, Radius: radius, Sole: sole})
			}
		}
	}
	return feet
}

// Of a quadruped's 7n + 10 = 94 parameters of bodies, four feet that always stick hide one point mass each, and legs in
// the air show all; motors and friction are seen in all modes. Feet that roll show the four too, in exact states.
func TestStandingQuadruped(t *testing.T) {
	r := testrobot.Quadruped(t, rand.New(rand.NewPCG(64, 6)))
	four := [][]bool{{true, true, true, true}}
	each := [][]bool{{false, true, true, true}, {true, false, true, true}, {true, true, false, true}, {true, true, true, false}}
	trot := [][]bool{{true, false, false, true}, {false, true, true, false}}
	for _, c := range []struct {
		name  string
		terms []regressor.Term
		modes [][]bool
		want  int
	}{
		{"four feet", []regressor.Term{regressor.Links}, four, 90},
		{"four feet, motors", []regressor.Term{regressor.Links, regressor.Ia}, four, 102},
		{"four feet, friction", []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs}, four, 126},
		{"one leg in the air", []regressor.Term{regressor.Links}, each, 94},
		{"trot", []regressor.Term{regressor.Links}, trot, 94},
		{"flight", []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs}, [][]bool{{false, false, false, false}}, 130},
		{"three feet, one never", []regressor.Term{regressor.Links}, each[:1], 91},
	} {
		for _, radius := range []float64{0, testrobot.QuadrupedRadius} {
			feet := feetOf(r, radius, false)
			s, err := QRStanding(t.Context(), r, c.terms, Standing{feet, c.modes}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			for f, foot := range feet {
				still := true
				for _, mode := range c.modes {
					still = still && mode[f]
				}
				if still && radius > 0 {
					want++ // the centre of a sphere moves as it rolls
				}
				if hidden := s.HidesPointMass(r, foot.Link, foot.Centre); hidden != (still && radius == 0) {
					t.Errorf("%s, radius %g: a point mass at %s is hidden: %v", c.name, radius, foot.Name, hidden)
				}
			}
			if s.Count() != want {
				t.Errorf("%s, radius %g: %d parameters, want %d", c.name, radius, s.Count(), want)
			}
		}
	}
}
