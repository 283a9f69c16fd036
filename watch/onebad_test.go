package watch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// One bad sample of a position, a velocity or a torque of a joint, of any size, is no event of another joint.
func TestOneBadSample(t *testing.T) {
	arms := drawnArms(t)
	for k := range 150 {
		a := arms[k%len(arms)]
		rng := rand.New(rand.NewPCG(uint64(k), 6363))
		c, _ := a.motion(t, uint64(k), 1, 2)
		j, row := rng.IntN(len(c.Q)), 400+rng.IntN(400)
		size := math.Pow(10, -3+4*rng.Float64()) * (1 - 2*float64(rng.IntN(2)))
		channel := k / len(arms) % 3
		switch channel {
		case 0:
			c.Q[j][row] += size
		case 1:
			c.DQ[j][row] += size
		case 2:
			c.Tau[j][row] += 100 * size
		}
		told := false
		for _, e := range a.events(t, c) {
			told = true
			if e.Joint != a.model.Robot.JointNames()[j] {
				t.Errorf("draw %d, %s, a %s of joint %d by %.3g: %s of joint %s: %s", k, a.name, groups[channel], j, size, e.Type, e.Joint, e.Text)
			}
		}
		if channel == 0 && math.Abs(size) > 0.1 && !told {
			t.Errorf("draw %d, %s: a position of joint %d that jumps by %.3g is no event", k, a.name, j, size)
		}
	}
}

// events watches rows.
func (a *drawnArm) events(t *testing.T, c Columns) (all []Event) {
	t.Helper()
	w, err := New(a.model, a.noise, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(c, func(r *Row) error {
		all = append(all, r.Events...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A joint that stops at once has no bad sample, although a drive that smooths its velocity shows that late.
func TestSmoothedStop(t *testing.T) {
	a := drawnArms(t)[0]
	smooth := func(v []float64) []float64 {
		out := make([]float64, len(v))
		last := v[0]
		for k := range v {
			last += (1 - math.Exp(-1/(0.01*armRate))) * (v[k] - last)
			out[k] = last
		}
		return out
	}
	quiet := NewCalibrator(a.model, 0)
	for seed := range uint64(2) {
		c, _ := a.motion(t, 2000+seed, 1, 20)
		for j := range c.DQ {
			c.DQ[j] = smooth(c.DQ[j])
		}
		quiet.Add(c)
	}
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	watched := *a
	watched.noise = n
	c, _ := a.motion(t, 2010, 1.4, 4)
	rng := rand.New(rand.NewPCG(1, 6464))
	for j := range c.Q {
		for k := 1000; k < len(c.T); k++ {
			c.Q[j][k], c.DQ[j][k] = c.Q[j][999]+1e-6*rng.NormFloat64(), 0
		}
		c.DQ[j] = smooth(c.DQ[j])
	}
	hit := false
	for _, e := range watched.events(t, c) {
		hit = hit || e.Type == Collision || e.Type == Contact
		if e.Type == Sensor && e.T < 2.01 {
			t.Errorf("%s at %.3f s", e.Text, e.T)
		}
	}
	if !hit {
		t.Error("a stop of all joints is no contact")
	}
}
