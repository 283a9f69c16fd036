package standing

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/observation"
	"ident/observation/feet"
	"ident/regressor"
	"ident/robot"
)

// A StanceError says that a log is not of a robot that stands on its feet, so that it has no rows or none that a fit can use.
type StanceError struct {
	Log   string
	Gates []feet.Gate // those that are fatal
}

// Error returns the log and the reason of its first gate.
func (e *StanceError) Error() string { return fmt.Sprintf("%s: %s", e.Log, e.Gates[0].Why) }

// refused returns a StanceError in place of an error of a fit whose logs have fatal gates.
func (f *fitting) refused(tracks []*track, err error) error {
	for _, t := range tracks {
		var fatal []feet.Gate
		for _, g := range f.gates(t) {
			if g.Fatal {
				fatal = append(fatal, g)
			}
		}
		if len(fatal) > 0 {
			return &StanceError{t.log.Name, fatal}
		}
	}
	return err
}

const (
	// bearsShare is the part of the weight that a foot bears where it stands, unless Settings.LeastForce says another force: a
	// fifth of its share where four stand. Friction of 0.2 N·m in legs of 0.2 m, on 16 kg, is a seventh of it.
	bearsShare = 0.05
	// landing is the time, s, around a change of a foot's stance in which it does not count as sticking: a foot that lands
	// slides and bounces for some hundredths of a second, and a low-pass at 10 Hz mixes as many.
	landing = 0.1
)

// bears finds for each foot and sample whether its force along the normal of the ground exceeds a limit. Forces are those that hold the bodies of the robot file at rest under the torques, with the legs' rows alone.
func (f *fitting) bears(log *feet.Log, torque [][]float64) ([][]bool, error) {
	r, count, joints := f.robot.Robot, len(log.Q[0]), len(log.Q)
	model, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	in := regressor.Batch{Q: channels(joints+6, count), DQ: channels(joints+6, count), DDQ: channels(joints+6, count)}
	copy(in.Q[6:], log.Q)
	zero := [3][]float64(channels(3, count))
	force, up := [3][]float64(channels(3, count)), [3][]float64(channels(3, count))
	g := f.gravity()
	for i := range count {
		v := spatial.MulVec(f.robot.Sensor.Turn, spatial.Vec{log.Force[0][i], log.Force[1][i], log.Force[2][i]})
		size := max(spatial.Norm(v), 1e-9)
		for k := range 3 {
			up[k][i], force[k][i] = v[k]/size, g*v[k]/size
		}
	}
	f.base.Fill(&in, &regressor.BaseMotion{Rate: zero, Acceleration: zero, SpecificForce: force})
	block, contacts := model.NewBlock(count), f.sticking.NewContacts(count)
	model.EvalBatch(block, in, model.NewWorkspace())
	f.sticking.Eval(contacts, in, up, f.sticking.NewWorkspace())
	needed, weight := channels(joints, count), 0.0
	for c, col := range model.Columns() {
		value, _ := regressor.ValueOf(r, col)
		if col.Param == robot.M {
			weight += g * value
		}
		for k := range joints {
			for at, of := range model.Mask(6 + k) {
				if of == c {
					for i, v := range block.Joint[6+k][at] {
						needed[k][i] += value * v
					}
				}
			}
		}
	}
	least := f.settings.LeastForce
	if least == 0 {
		least = bearsShare * weight
	}
	out := make([][]bool, len(f.robot.Feet))
	for foot := range out {
		out[foot] = make([]bool, count)
		for i := range count {
			out[foot][i] = f.normal(contacts, foot, i, up, func(k int) float64 { return needed[k][i] - torque[k][i] }) > least
		}
	}
	return out, nil
}

// lies is the part of the samples at which a flag says that a foot is in the air, and from which on loads contradict it. Dynamic torques of a
// leg in the air and flags that follow a plan make a few in a hundred.
const lies = 0.1

// contradicted returns a gate for each foot that bears a load where the log's flags, which the track has, say that it is in the air.
func (f *fitting) contradicted(log *feet.Log, t *track) ([]feet.Gate, error) {
	loads, err := f.bears(log, t.torque)
	if err != nil {
		return nil, err
	}
	var out []feet.Gate
	for foot, sticks := range t.sticks {
		air, loaded := 0, 0
		for i, on := range sticks {
			if !on {
				air++
				if loads[foot][i] {
					loaded++
				}
			}
		}
		if share := float64(loaded) / max(float64(air), 1); share > lies {
			out = append(out, feet.Gate{Kind: feet.LegsStand, Fatal: true, Foot: f.robot.Feet[foot].Name, Value: share, Limit: lies,
				Why: fmt.Sprintf("the torques put a load on %s in %.0f %% of the samples at which its flag says that it is in the air", f.robot.Feet[foot].Name, 100*share),
				Fix: "flags of stance that are true and in the order of {feet}, or {standing} auto"})
		}
	}
	return out, nil
}

// touching is how far, m, a round foot may be from the plane of others and still touch the ground: rubber gives by one or two millimetres,
// and lengths of legs miss as much.
const touching = 0.003

// heights returns, for each foot and sample, how far a round foot that bears no load is above the plane of those that do, m. It is NaN for a
// foot that bears one, for a sole, and if fewer than three round feet of the same radius bear one.
func (f *fitting) heights(log *feet.Log, bears [][]bool) ([][]float64, error) {
	tree, err := kinematics.New(f.robot.Robot)
	if err != nil {
		return nil, err
	}
	pose, q, on := tree.NewPose(), make([]float64, 6+len(log.Q)), []int(nil)
	centre := func(foot int) spatial.Vec {
		of := &f.robot.Feet[foot]
		return pose.Frame(of.Link).Apply(f.robot.Robot.Links[of.Link].UserFrame.Apply(of.Centre))
	}
	heights := channels(len(bears), len(log.Q[0]))
	for i := range log.Q[0] {
		on = on[:0]
		for foot, of := range f.robot.Feet {
			heights[foot][i] = math.NaN()
			if stands(bears[foot], i) && !of.Sole {
				on = append(on, foot)
			}
		}
		if len(on) < 3 || len(on) == len(bears) {
			continue
		}
		for k := range log.Q {
			q[6+k] = log.Q[k][i]
		}
		pose.Place(q)
		at := centre(on[0])
		normal := spatial.Cross(spatial.Sub(centre(on[1]), at), spatial.Sub(centre(on[2]), at))
		normal = spatial.Scale(1/spatial.Norm(normal), normal)
		if spatial.Dot(normal, pose.Frame(f.base.Body()).Apply(spatial.Vec{})) < spatial.Dot(normal, at) {
			normal = spatial.Scale(-1, normal)
		}
		for foot, of := range f.robot.Feet {
			if !stands(bears[foot], i) && !of.Sole && of.Radius == f.robot.Feet[on[0]].Radius {
				heights[foot][i] = spatial.Dot(normal, spatial.Sub(centre(foot), at))
			}
		}
	}
	return heights, nil
}

// stands reports whether a foot stands at a sample by its flags, which are nil for a foot that always does.
func stands(flags []bool, i int) bool { return flags == nil || flags[i] }

// touch marks the round feet that bear little but stand still in one plane with three that bear a load. Nothing else tells a foot that gives
// its load to the others before it is lifted from one in the air, and its contact force is not zero.
func touch(bears [][]bool, heights [][]float64, dt float64) {
	for foot, h := range heights {
		for i := 1; i+1 < len(h); i++ {
			if math.Abs(h[i]) < touching && math.Abs(h[i+1]-h[i-1]) < 2*dt*feet.SlipLimit {
				bears[foot][i] = true
			}
		}
	}
}

// grazing returns the samples at which a round foot that does not stand is near enough to the ground to touch it: its force is then neither
// zero nor that of a foot that sticks.
func grazing(heights [][]float64) [][]bool {
	out := make([][]bool, len(heights))
	for foot, h := range heights {
		out[foot] = make([]bool, len(h))
		for i, v := range h {
			out[foot][i] = math.Abs(v) < touching
		}
	}
	return out
}

// normal returns the force on a foot along the normal of the ground that gives the joints torques.
func (f *fitting) normal(c *regressor.Contacts, foot, i int, up [3][]float64, torque func(k int) float64) float64 {
	forces := f.robot.Feet[foot].Forces()
	of, velocity := feet.NewForce(forces), make([]float64, forces)
	for k := 6; k < len(c.Jacobian[c.First[foot]]); k++ {
		for d := range velocity {
			velocity[d] = c.Jacobian[c.First[foot]+d][k][i]
		}
		of.Add(velocity, torque(k-6))
	}
	x := of.Value()
	return x[0]*up[0][i] + x[1]*up[1][i] + x[2]*up[2][i]
}

// settled returns the samples at which a foot has stuck for some samples before and after.
func settled(sticks []bool, margin int) []bool {
	out := make([]bool, len(sticks))
	for i, on := range sticks {
		out[i] = !on
	}
	for i, near := range observation.Widen(out, margin) {
		out[i] = !near
	}
	return out
}
