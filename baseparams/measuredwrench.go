package baseparams

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ident/internal/spatial"
	"ident/regressor"
	"ident/robot"
)

// AtBase means the wrench under the whole robot, in a list of links whose supporting wrenches are measured.
const AtBase = -1

// NullSpaceWith is NullSpace with six-axis sensors in addition to the joint torques: for each link in at, they measure
// the force and the moment that carry the link and all beyond it; for AtBase, those under the robot. There are no
// Reasons, because those are about torques.
//
// A sensor acts like six joints at rest with measured torques. These vanish in every motion if and only if their entries
// of the mass matrix with the moving joints, and their gravity torques, do. That gives two more sources of the products
// Φᵀ·I·V of NullSpace: all six Φ at the sensor with the motions V due to the moving joints and gravity, and beyond it,
// for each joint's Φ, all six V of the sensor's joints. Products of sensor joints with each other are not visible, so
// the motions V are kept with and without those.
func NullSpaceWith(r *robot.Robot, terms []regressor.Term, at []int, opt Options) (*Set, error) {
	checkSensors(r, at)
	if !slices.Contains(at, AtBase) {
		return structural(r, terms, at)
	}
	// The base becomes a link of its own, first in the list, and without mass.
	stand := inserted(r, []int{AtBase}, 1)
	stand.Links[0].Joint.Kind = robot.Fixed
	sensed := make([]int, len(at))
	for i, j := range at {
		sensed[i] = j + 1
	}
	s, err := structural(stand, terms, sensed)
	if err != nil {
		return nil, err
	}
	var virtual []int
	for c := range s.Columns {
		if s.Columns[c].Link == 0 {
			virtual = append(virtual, c)
		}
	}
	return s.Without(virtual).named(r, terms)
}

// QRWith is QR of a robot's dynamic model with the measured wrenches of NullSpaceWith: six virtual massless joints at
// rest replace each sensor, and their torques are additional rows. If ctx is done, its error is returned soon.
func QRWith(ctx context.Context, r *robot.Robot, terms []regressor.Term, at []int, opt Options) (*Set, error) {
	checkSensors(r, at)
	if r.Closed() {
		return nil, closedLoops("QR with measured wrenches", r)
	}
	sensors := slices.Clone(at)
	slices.Sort(sensors)
	sensors = slices.Compact(sensors)
	v := inserted(r, sensors, len(sensorJoints))
	m, err := regressor.NewDynamic(v, terms)
	if err != nil {
		return nil, err
	}
	still := make([]bool, len(v.Links))
	for j := range v.Links {
		still[j] = v.Links[j].Name == virtualName
	}
	var real []int
	for c, col := range m.Columns() {
		if !still[col.Link] {
			real = append(real, c)
		}
	}
	m = m.Select(real)
	s, err := qrTree(ctx, m, opt.Seed, still)
	if err != nil {
		return nil, err
	}
	return s.named(r, terms)
}

func checkSensors(r *robot.Robot, at []int) {
	for _, j := range at {
		if j < AtBase || j >= len(r.Links) {
			panic(fmt.Sprintf("baseparams: a sensor at link %d of %d", j, len(r.Links)))
		}
	}
}

// named renames the columns as without virtual links.
func (s *Set) named(r *robot.Robot, terms []regressor.Term) (*Set, error) {
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	s.Columns = m.Columns()
	return s, nil
}

// virtualName marks virtual links. No file can give it.
const virtualName = "\x00virtual"

var sensorJoints = [...]robot.Kind{robot.Prismatic, robot.Prismatic, robot.Prismatic, robot.Revolute, robot.Revolute, robot.Revolute}

// inserted returns the robot with n virtual massless links in front of each listed link (ascending); for AtBase, between
// the base and all that it carries. They slide along, then turn about, the axes y, z and x of the frame in front of
// which they stand: the axes rotate cyclically from each to the next, and six of these rotations cancel.
func inserted(r *robot.Robot, at []int, n int) *robot.Robot {
	cycle := robot.Identity()
	if n > 1 {
		cycle.R = spatial.Mat{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}
	}
	c := r.Clone()
	c.Links, c.Lumped, c.Extra = nil, nil, nil
	to := make([]int, len(r.Links)) // new index
	base := -1
	insert := func(ant int, place robot.Transform) int {
		for i := range n {
			at := place.Mul(cycle)
			if i > 0 {
				at = cycle
			}
			c.Links = append(c.Links, robot.Link{Name: virtualName, Antecedent: ant, Placement: at, UserFrame: robot.Identity(),
				Joint: robot.Joint{Name: virtualName, Kind: sensorJoints[i]}})
			ant = len(c.Links) - 1
		}
		return ant
	}
	if slices.Contains(at, AtBase) {
		base = insert(-1, robot.Identity())
	}
	for j, l := range r.Links {
		if l.Antecedent >= 0 {
			l.Antecedent = to[l.Antecedent]
		} else {
			l.Antecedent = base
		}
		l.MDH = nil
		if slices.Contains(at, j) {
			l.Antecedent = insert(l.Antecedent, l.Placement)
			l.Placement = robot.Identity()
		}
		to[j] = len(c.Links)
		c.Links = append(c.Links, l)
	}
	for i := range c.Mimics {
		c.Mimics[i].Joint, c.Mimics[i].Of = to[c.Mimics[i].Joint], to[c.Mimics[i].Of]
	}
	for i := range c.Drives {
		d := &c.Drives[i]
		d.Number = to[d.Number]
		weights := make(map[int]float64, len(d.Weights))
		for _, j := range slices.Sorted(maps.Keys(d.Weights)) {
			weights[to[j]] = d.Weights[j]
		}
		d.Weights = weights
	}
	return c
}

// sense adds to the rates of a link those of the joints that represent its sensor.
func (c *chain) sense(l *member) {
	l.measured = true
	n := motionLen + c.tags
	var all [][]float64
	for _, v := range l.rates {
		all = append(all, slices.Clone(v))
	}
	for k := range motionLen {
		twist := make([]float64, n)
		twist[k] = 1
		all = append(all, twist)
	}
	l.rates, _ = split(all, n, c.margin)
}

// wrenchRows returns the six components of the momentum of unit parameters for each motion that the moving joints and
// gravity give a link.
func (c *chain) wrenchRows(l *member) [][]float64 {
	var rows [][]float64
	for _, v := range l.driven {
		w, u := v[:3], v[3:motionLen]
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			force := make([]float64, robot.NumInertial+c.tags)
			force[robot.M] = u[k]
			force[robot.MX+j], force[robot.MX+i] = w[i], -w[j]
			moment := make([]float64, robot.NumInertial+c.tags)
			for a := range 3 {
				moment[inertiaAt[k][a]] = w[a]
			}
			moment[robot.MX+i], moment[robot.MX+j] = u[j], -u[i]
			rows = append(rows, force, moment)
		}
	}
	return rows
}

// inertiaAt places the entries of the inertia matrix among the ten parameters.
var inertiaAt = [3][3]int{{robot.XX, robot.XY, robot.XZ}, {robot.XY, robot.YY, robot.YZ}, {robot.XZ, robot.YZ, robot.ZZ}}
