package standing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate"
	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// A Mirrored pair of links has bodies that are mirror images in a plane of the base.
type Mirrored struct {
	Left, Right int // links
	// Image places the mirror image of the left link's frame in that of the right one: a reflection.
	Image robot.Transform
}

const (
	// mirrorPart is the relative standard deviation by which a body differs from the image of the other: castings and screws of one
	// design agree to a per cent or two.
	mirrorPart = 0.02
	// mirrorGap and mirrorTurn are how far, m and rad, an image may be from the frame that it should have: rounding of a file.
	mirrorGap, mirrorTurn = 1e-3, 1e-3
)

// NewMirrored returns a pair of links of a robot with a floating base. With all joints at zero, a plane of the base must reflect one frame
// onto the other; the plane is that of two axes of the base through its origin.
func NewMirrored(r *robot.Robot, left, right int) (Mirrored, error) {
	out := Mirrored{Left: left, Right: right}
	base, err := regressor.FloatingBaseOf(r)
	if err != nil {
		return out, err
	}
	tree, err := dynamics.New(r)
	if err != nil {
		return out, err
	}
	poses := tree.Poses(make([]float64, tree.DOF()))
	in := poses[base.Body()].Mul(r.Links[base.Body()].UserFrame).Inv()
	l, at := in.Mul(poses[left]), in.Mul(poses[right]).Inv()
	nearest := math.Inf(1)
	for axis := range 3 {
		image := l
		image.P[axis] = -image.P[axis]
		for k := range 3 {
			image.R[axis][k] = -image.R[axis][k]
		}
		image = at.Mul(image)
		// The places of origins tell the plane: frames may be turned as they like.
		if gap := spatial.Norm(image.P); gap < nearest {
			nearest, out.Image = gap, image
		}
	}
	if nearest > mirrorGap {
		return out, fmt.Errorf("links %q and %q are no mirror images at zero: the image of one origin misses the other by %.3g mm", r.Links[left].Name, r.Links[right].Name, 1000*nearest)
	}
	for _, row := range out.Image.R {
		for _, v := range row {
			if off := math.Abs(v) - math.Round(math.Abs(v)); math.Abs(off) > mirrorTurn {
				return out, fmt.Errorf("links %q and %q are no mirror images at zero: their axes are turned against each other", r.Links[left].Name, r.Links[right].Name)
			}
		}
	}
	return out, nil
}

// images returns what pairs of links say of base parameters: the combinations of χ_right − image(χ_left) = 0, each of them within
// mirrorPart of the larger body of the robot file, that base parameters determine whatever the other parameters are.
func (f *fitting) images(pairs []Mirrored) []known {
	set, r := f.set, f.robot.Robot
	at := map[[2]int]int{} // by link and parameter: its column
	for c, col := range set.Columns {
		if col.Term == regressor.Links && col.Param < robot.NumInertial {
			at[[2]int{col.Link, col.Param}] = c
		}
	}
	var rows [][]float64 // of standard parameters, in units of their deviation
	for _, pair := range pairs {
		sizes := agreement(r.Links[pair.Left].Inertial.InFrame(pair.Image), r.Links[pair.Right].Inertial)
		var columns [robot.NumInertial]robot.Inertial // of the image, by parameter of the left body
		for k := range columns {
			var unit robot.Inertial
			unit[k] = 1
			columns[k] = unit.InFrame(pair.Image)
		}
		for p, sigma := range sizes {
			right, ok := at[[2]int{pair.Right, p}]
			if !ok || sigma == 0 {
				continue
			}
			row := make([]float64, len(set.Columns))
			row[right] = 1 / sigma
			for k := range columns {
				if left, ok := at[[2]int{pair.Left, k}]; ok {
					row[left] -= columns[k][p] / sigma
				}
			}
			rows = append(rows, row)
		}
	}
	var out []known
	for _, weights := range set.Determined(rows) {
		out = append(out, known{weights, 0, 1})
	}
	return out
}

// unlike returns, in words, the pairs of links whose bodies are no mirror images by an estimate without that knowledge.
func (f *fitting) unlike(free *estimate.Solution) (out []string) {
	for _, pair := range f.robot.Mirrored {
		rows := f.images([]Mirrored{pair})
		if len(rows) == 0 {
			continue
		}
		n := len(rows)
		apart, covariance := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		for i, a := range rows {
			apart.SetVec(i, floats.Dot(a.weights, free.X))
			for j, b := range rows[:i+1] {
				sum := 0.0
				for k, row := range free.Covariance {
					if a.weights[k] != 0 {
						sum += a.weights[k] * floats.Dot(row, b.weights)
					}
				}
				if i == j {
					sum++
				}
				covariance.SetSym(i, j, sum)
			}
		}
		var chol mat.Cholesky
		var x mat.VecDense
		if !chol.Factorize(covariance) || chol.SolveVecTo(&x, apart) != nil {
			continue
		}
		if square := mat.Dot(apart, &x); square > (distuv.ChiSquared{K: float64(n)}).Quantile(1-unlikeChance/float64(len(f.robot.Mirrored))) {
			r := f.robot.Robot
			out = append(out, fmt.Sprintf("%s and %s as mirror images within %g %%, which the log has %.3g standard deviations apart", r.Links[pair.Left].Name, r.Links[pair.Right].Name, 100*mirrorPart, math.Sqrt(square/float64(n))))
		}
	}
	return out
}

// unlikeChance is the chance that bodies which are mirror images are told to be none.
const unlikeChance = 1e-3

// agreement returns the standard deviations by which the parameters of two bodies of one design differ: mirrorPart of the larger mass, with
// the larger radius of gyration as arm; 0 of bodies without mass.
func agreement(a, b robot.Inertial) (out robot.Inertial) {
	mass, arm := max(a.Mass(), b.Mass()), 0.0
	for _, p := range []robot.Inertial{a, b} {
		if p.Mass() > 0 {
			arm = max(arm, math.Sqrt((p[robot.XX]+p[robot.YY]+p[robot.ZZ])/(2*p.Mass())))
		}
	}
	for p := range out {
		out[p] = mirrorPart * mass * arm * arm
	}
	for p := robot.MX; p <= robot.MZ; p++ {
		out[p] = mirrorPart * mass * arm
	}
	out[robot.M] = mirrorPart * mass
	return out
}
