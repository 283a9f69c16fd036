package plant

import (
	"fmt"
	"math"

	"ident/robot"
)

// Stribeck is the part of friction at rest that motion takes away: Fst·exp(−(dq/v)²).
// Slices have one entry for each coordinate; nil stands for none.
type Stribeck struct {
	Torque []float64 // Fst, N·m or N, zero or more
	Speed  []float64 // v, rad/s or m/s, positive where Torque is
}

// friction holds the friction of one coordinate and of the joints that mimic it.
type friction struct {
	offset, viscous, coulomb float64
	stribeck, speed          float64
	loss                     float64 // part of the drive's torque that its gear takes
}

// sticks reports whether friction can hold the joint at all.
func (f *friction) sticks() bool { return f.coulomb+f.stribeck > 0 || f.loss > 0 }

// atRest returns the largest torque that holds the joint under a torque of its drive.
func (f *friction) atRest(tau float64) float64 {
	return f.coulomb + f.stribeck + f.loss*math.Abs(tau)
}

// sliding returns the torque against motion at a velocity with the given sign.
func (f *friction) sliding(sign, dq, tau float64) float64 {
	t := f.coulomb + f.loss*math.Abs(tau)
	if f.stribeck > 0 {
		z := dq / f.speed
		t += f.stribeck * math.Exp(-z*z)
	}
	return f.viscous*dq + sign*t
}

// gather puts the friction of the moving joints on the tree's coordinates, and that of a robot's driven joints on these.
func gather(r *robot.Robot, links []int) []friction {
	if r.Closed() {
		var out []friction
		for _, j := range links {
			n := &r.Links[j].Joint
			out = append(out, friction{viscous: n.Fv, coulomb: n.Fs, offset: n.Fo})
		}
		return out
	}
	lead, ratio := map[int]int{}, map[int]float64{}
	for _, m := range r.Mimics {
		lead[m.Joint], ratio[m.Joint] = m.Of, m.Multiplier
	}
	var out []friction
	coord := map[int]int{}
	for _, j := range r.Moving() {
		if _, follows := lead[j]; !follows {
			coord[j] = len(out)
			out = append(out, friction{})
		}
	}
	for _, j := range r.Moving() {
		n := &r.Links[j].Joint
		i, k := j, 1.0
		if of, follows := lead[j]; follows {
			i, k = of, ratio[j]
		}
		f := &out[coord[i]]
		f.viscous += k * k * n.Fv
		f.coulomb += math.Abs(k) * n.Fs
		f.offset += k * n.Fo
	}
	return out
}

// frictionOf returns the friction of each coordinate. It must take power: Fv and Fs must not be negative.
func frictionOf(r *robot.Robot, links []int, s Stribeck) ([]friction, error) {
	for _, j := range r.Moving() {
		n := &r.Links[j].Joint
		if n.Fv < 0 || n.Fs < 0 || math.IsNaN(n.Fv+n.Fs+n.Fo) || math.IsInf(n.Fv+n.Fs+n.Fo, 0) {
			return nil, fmt.Errorf("joint %q has the friction Fv %g, Fs %g, Fo %g: a robot moves by friction that takes power; give finite values, Fv and Fs not negative", n.Name, n.Fv, n.Fs, n.Fo)
		}
	}
	out := gather(r, links)
	if s.Torque == nil {
		return out, nil
	}
	if len(s.Torque) != len(out) || len(s.Speed) != len(out) {
		panic(fmt.Sprintf("plant: Stribeck friction of %d and %d joints for a robot of %d", len(s.Torque), len(s.Speed), len(out)))
	}
	for i := range out {
		if !(s.Torque[i] >= 0) || s.Torque[i] > 0 && !(s.Speed[i] > 0) {
			return nil, fmt.Errorf("coordinate %d has Stribeck friction %g at %g: want zero or more, at a positive speed", i+1, s.Torque[i], s.Speed[i])
		}
		out[i].stribeck, out[i].speed = s.Torque[i], s.Speed[i]
	}
	return out, nil
}
