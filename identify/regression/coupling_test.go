package regression

import (
	"math"
	"testing"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Of alternatives whose errors on rows left out are a near tie, fewer parameters decide, then the error on all rows; a
// clear difference on rows left out decides alone.
func TestBestOfAlternatives(t *testing.T) {
	rows := estimate.NewReduction(1, [][]int{{0}})
	var work triangle.Work
	for _, slope := range []float64{1.2, 0.8, 1.2, 0.8, 1.01} { // one part each
		b := rows.NewBlock(0)
		b.Joints[0].Add([][]float64{{1, 2, 1}}, []float64{slope, 2 * slope, slope}, &work)
		rows.Append(b)
	}
	made := func(part, whole float64, rank int) candidate {
		cross, err := rows.CrossValidateBy(func(rest *estimate.Reduction) ([]float64, int, error) {
			if rest.Rows()[0] == rows.Rows()[0] {
				return []float64{whole}, rank, nil
			}
			return []float64{part}, rank, nil
		})
		if err != nil || cross == nil || len(cross.Folds) != 5 {
			t.Fatal(cross, err)
		}
		return candidate{cross: cross}
	}
	high, low := made(1.05, 2, 3), made(0.95, 1, 3)
	if !(high.cross.Percent < low.cross.Percent) {
		t.Fatal("the example has the wrong order")
	}
	for _, c := range []struct {
		name string
		all  []candidate
		want int
	}{
		{"near tie, less of all rows left", []candidate{high, low}, 1},
		{"the other order", []candidate{low, high}, 0},
		{"near tie, more parameters", []candidate{high, made(0.95, 1, 4)}, 0},
		{"near tie, fewer parameters", []candidate{made(1.05, 1, 3), made(0.95, 2, 2)}, 1},
		{"clearly worse", []candidate{high, made(3, 1, 2)}, 0},
	} {
		if at := bestOfAlternatives(c.all); at != c.want {
			t.Errorf("%s: %d, want %d", c.name, at, c.want)
		}
	}
}

// The sign of a shared motor is found, whichever is tried first; a robot without one keeps none.
func TestChooseSignOfSharedMotor(t *testing.T) {
	plain := arm(3)
	named := func(name string, sign float64) RobotChoice {
		r := plain.Clone()
		r.Drives = append(r.Drives, robot.Drive{Number: 2, Weights: map[int]float64{1: 1, 2: sign}})
		return RobotChoice{name, r}
	}
	sum, difference := named("+", 1), named("-", -1)
	for _, c := range []struct {
		sign float64 // 0 for none
		want string
	}{{1, "+"}, {-1, "-"}, {0, "none"}} {
		rec := noisyTorques(t, plain, 5, 0.1)
		j := plain.Links[2].Joint
		motor := func(rate, acceleration float64) float64 {
			return j.Ia*acceleration + j.Fv*rate + math.Copysign(j.Fs, rate)
		}
		for i := range rec.t {
			if c.sign == 0 {
				break
			}
			dq, ddq := rec.dq, rec.ddq
			shared := motor(dq[1][i]+c.sign*dq[2][i], ddq[1][i]+c.sign*ddq[2][i])
			rec.tau[1][i] += shared
			rec.tau[2][i] += c.sign*shared - motor(dq[2][i], ddq[2][i])
		}
		for _, others := range [][]RobotChoice{{sum, difference}, {difference, sum}} {
			all := append([]RobotChoice{{"none", plain}}, others...)
			at, made, err := ChooseRobot(t.Context(), "coupling", all, regressor.DefaultTerms(), []Run{rec.run("a")}, Config{Path: observation.Path{Cutoff: 10}})
			if err != nil || all[at].Name != c.want || made.Chosen != c.want {
				t.Errorf("%s, with %s first: %s (%+v), %v", c.want, others[0].Name, all[at].Name, made, err)
			}
		}
	}
}
