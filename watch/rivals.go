package watch

import (
	"math"
	"slices"

	"ident/mechanics/kinematics"
)

// rivals are the hypotheses that a force explains the external torques: for each moving link
//
//   - a wrench that is constant along the axes of the base, or changes evenly with time,
//   - the same along the axes of the link, as of somebody who holds it and moves with it,
//   - a force that is constant along the axes of the base and acts at a fixed point of the link. Its torques are products of the force and the point;
//     all products are free, which is a few unknowns more than the force has,
//   - the same with a vertical force, which is what a body's weight is, and all that a body is in slow motions.
//
// Their torques go through the observer's filter, and into means, as those of a body do.
type rivals struct {
	links   []int
	pose    *kinematics.Pose
	jac     kinematics.Jacobian
	gravity [3]float64 // of length 1; zero without gravity

	running    bool
	last, with [][][]float64 // by link, joint and column: of the row before, and filtered
	mean       [][][]float64
}

// The columns of a link: forces along the axes of the base, moments along these, both along the axes of the link, and the moments of unit forces along
// the axes of the base at unit points of the link.
const (
	baseForce, baseMoment, linkForce, linkMoment = 0, 3, 6, 9
	products, rivalColumns                       = 12, 21
)

// linkSums are the normal equations of a link.
type linkSums struct {
	base, link normal // six of a constant wrench, six of its change
	point      normal // three of the force, nine of the products
}

func newRivals(w *Watcher, links []int, gravity [3]float64) *rivals {
	v := &rivals{links: links, pose: w.tree.NewPose(), jac: make(kinematics.Jacobian, w.tree.DOF())}
	if g := math.Sqrt(gravity[0]*gravity[0] + gravity[1]*gravity[1] + gravity[2]*gravity[2]); g > 0 {
		for i := range gravity {
			v.gravity[i] = gravity[i] / g
		}
	}
	table := func() (out [][][]float64) {
		for range links {
			var rows [][]float64
			for range w.names {
				rows = append(rows, make([]float64, rivalColumns))
			}
			out = append(out, rows)
		}
		return out
	}
	v.last, v.with, v.mean = table(), table(), table()
	return v
}

func (v *rivals) clearMean() {
	for _, link := range v.mean {
		for _, row := range link {
			clear(row)
		}
	}
}

// step filters the columns at positions q.
func (v *rivals) step(q []float64, pole, gain float64) {
	v.pose.Place(q)
	for l, link := range v.links {
		v.pose.Jacobian(v.jac, kinematics.Point{Link: link})
		r := v.pose.Frame(link).R
		for j := range v.jac {
			f, m := v.jac[j].Linear, v.jac[j].Angular
			if f == ([3]float64{}) && m == ([3]float64{}) {
				continue // the joint does not move the link
			}
			var x [rivalColumns]float64
			copy(x[baseForce:], f[:])
			copy(x[baseMoment:], m[:])
			for k := range 3 {
				for i := range 3 {
					x[linkForce+k] += f[i] * r[i][k]
					x[linkMoment+k] += m[i] * r[i][k]
				}
				// The moment of the force along i at the point along k is (R·k) × i.
				p := [3]float64{r[0][k], r[1][k], r[2][k]}
				x[products+3*k] = m[1]*p[2] - m[2]*p[1]
				x[products+3*k+1] = m[2]*p[0] - m[0]*p[2]
				x[products+3*k+2] = m[0]*p[1] - m[1]*p[0]
			}
			with, last := v.with[l][j], v.last[l][j]
			for c, now := range x {
				if v.running {
					with[c] = pole*with[c] + gain*(now+last[c])
				} else {
					with[c] = now
				}
				last[c] = now
			}
		}
	}
	v.running = true
}

// gather adds the newest row to the mean.
func (v *rivals) gather() {
	for l := range v.mean {
		for j, row := range v.mean[l] {
			for c, x := range v.with[l][j] {
				row[c] += x
			}
		}
	}
}

// add takes the mean of a joint's n rows into the sums of the links: its external torque is y, with a weight, at a time since the sums began.
func (v *rivals) add(sums []linkSums, j int, y, weight, n, seconds float64) {
	var row [12]float64
	for l := range v.mean {
		x := v.mean[l][j]
		s := &sums[l]
		for _, part := range []struct {
			to *normal
			at int
		}{{&s.base, baseForce}, {&s.link, linkForce}} {
			for c := range 6 {
				row[c] = x[part.at+c] / n
				row[6+c] = row[c] * seconds
			}
			part.to.add(row[:], y, weight)
		}
		for c := range 3 {
			row[c] = x[baseForce+c] / n
		}
		for c := range 9 {
			row[3+c] = x[products+c] / n
		}
		s.point.add(row[:], y, weight)
	}
}

// known is the information that the unknowns of a force are known by before: 10 kN, 10 kN·m.
const known = 1e-8

// score returns the logarithm of the likelihood, with the price of its unknowns, that the first n unknowns of equations have, and the square that they
// explain.
func (s *sums) score(x *normal, n int) (score, explained float64) {
	part := normal{a: x.a[:n], b: x.b[:n]}
	prior := make([]float64, n)
	for i := range prior {
		prior[i] = known
	}
	_, _, explained = part.solve(prior)
	return explained/2 - price(n, s.values), explained
}

// price is what unknowns cost: Schwarz's criterion.
func price(unknowns int, values float64) float64 {
	return float64(unknowns) / 2 * math.Log(max(values, 2))
}

// force is a force that explains the torques.
type force struct {
	score, explained float64
	link             int
	fixed            bool    // constant, at a fixed point, and better by betterBy than others on its link
	ahead            float64 // by how much its score is above the best on another link
}

// best returns the best force on any link. The choice of the link has its own price.
func (v *rivals) best(of *sums) force {
	all := force{score: math.Inf(-1)}
	second, choice := math.Inf(-1), math.Log(float64(len(v.links)))
	for l := range v.links {
		s, own := &of.links[l], force{score: math.Inf(-1), link: v.links[l]}
		for _, h := range []struct {
			x     *normal
			n     int
			fixed bool
		}{{&s.base, 6, false}, {&s.base, 12, false}, {&s.link, 6, false}, {&s.link, 12, false}, {&s.point, 12, true}} {
			if x, square := of.score(h.x, h.n); x-choice > own.score {
				own.fixed = h.fixed && x-choice > own.score+betterBy
				own.score, own.explained = x-choice, square
			}
		}
		if own.score > all.score {
			own, all = all, own
		}
		second = max(second, own.score)
	}
	all.ahead = all.score - second
	return all
}

// pointDeviation is the largest standard deviation of a point that is told, m, by the noise alone: the errors of parameters add to it.
const pointDeviation = 0.01

// point returns the force along the axes of the base, constant, that explains most at a fixed point of a link: its size, N, with its deviation,
// and the point in the link's frame. It is told only if its point is known to pointDeviation.
func (v *rivals) point(s *sums, link int) (size, sigma float64, at [3]float64, told bool) {
	l := slices.Index(v.links, link)
	if l < 0 {
		return 0, 0, at, false
	}
	prior := make([]float64, 12)
	for i := range prior {
		prior[i] = known
	}
	x, cov, _ := s.links[l].point.solve(prior)
	square := x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
	if square == 0 {
		return 0, 0, at, false
	}
	told = true
	for k := range at {
		spread := 0.0
		for i := range 3 {
			at[k] += x[3+3*k+i] * x[i] / square
			for j := range 3 {
				spread += x[i] * x[j] * cov[3+3*k+i][3+3*k+j] / (square * square)
			}
		}
		told = told && spread < pointDeviation*pointDeviation
	}
	for i := range 3 {
		for j := range 3 {
			sigma += x[i] * x[j] * cov[i][j] / square
		}
	}
	size, sigma = math.Sqrt(square), math.Sqrt(sigma)
	return size, sigma, at, told && size > 6*sigma
}

// weight is a force along gravity, N, with its deviation, at a fixed point of a link, in its frame.
type weight struct {
	force, sigma, score, explained float64
	point                          [3]float64
}

// weight returns what a vertical force at a fixed point of a link explains.
func (v *rivals) weight(s *sums, link int) weight {
	for l, at := range v.links {
		if at != link || v.gravity == ([3]float64{}) {
			continue
		}
		// Column 0 is the force along gravity, column 1+k that at the unit point along k.
		var turn [4][12]float64
		for i, g := range v.gravity {
			turn[0][i] = g
			for k := range 3 {
				turn[1+k][3+3*k+i] = g
			}
		}
		from, x := &s.links[l].point, newNormal(4)
		for r := range 4 {
			for i := range 12 {
				x.b[r] += turn[r][i] * from.b[i]
				for c := range r + 1 {
					for k := range 12 {
						x.a[r][c] += turn[r][i] * from.a[max(i, k)][min(i, k)] * turn[c][k]
					}
				}
			}
		}
		theta, cov, e := x.solve([]float64{known, known, known, known})
		w := weight{theta[0], math.Sqrt(cov[0][0]), e/2 - price(4, s.values), e, [3]float64{}}
		for k := range w.point {
			w.point[k] = theta[1+k] / theta[0]
		}
		return w
	}
	return weight{score: math.Inf(-1)}
}
