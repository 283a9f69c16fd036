package codegen

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/servo"
	"ident/symbolic"
)

// lawCase is a robot with a state, a reference, gains and limits.
type lawCase struct {
	r                         *robot.Robot
	at                        servo.Sample
	kp, kv, limit             []float64
	pose                      robot.Transform // of the reference's tip
	twist, acceleration       [6]float64
	tip                       *Frame
	computed, operational, up []float64 // torques by package servo, within limits
}

// rotors are terms of which the servo's model has all parameters.
var rotors = []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo}

func newLawCase(t *testing.T, seed uint64, n int) *lawCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 51))
	c := &lawCase{r: testrobot.Weigh(testrobot.Random(rng, n, false), rng)}
	for j := range c.r.Links {
		o := &c.r.Links[j].Joint
		o.Ia, o.Fv, o.Fs, o.Fo = 0.1+rng.Float64(), rng.Float64(), rng.Float64(), rng.NormFloat64()
	}
	draw := func(scale float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = scale * rng.NormFloat64()
		}
		return x
	}
	q := draw(1)
	c.at = servo.Sample{Q: q, DQ: draw(1), QR: draw(0.1), DQR: draw(1), DDQR: draw(2)}
	for i := range q {
		c.at.QR[i] += q[i]
		c.kp, c.kv, c.limit = append(c.kp, 100*rng.Float64()), append(c.kv, 20*rng.Float64()), append(c.limit, []float64{0, 5, 50, 1e4}[rng.IntN(4)])
	}
	model, err := plant.NewModel(c.r)
	if err != nil {
		t.Fatal(err)
	}
	clipped := func(tau []float64) []float64 {
		for i, l := range c.limit {
			if l > 0 {
				tau[i] = math.Max(-l, math.Min(l, tau[i]))
			}
		}
		return tau
	}
	law, err := servo.NewComputedTorque(model, c.kp, c.kv)
	if err != nil {
		t.Fatal(err)
	}
	c.computed = make([]float64, n)
	law.Torque(c.at, c.computed)
	c.computed = clipped(c.computed)
	c.up = make([]float64, n)
	model.InverseDynamics(c.up, q, make([]float64, n), make([]float64, n))
	model.AddFriction(c.up, c.at.DQR)
	c.up = clipped(c.up)
	if n < 6 {
		return c
	}
	tree, tip := model.Tip()
	o, err := servo.NewOperational(model, n, c.kp[0], c.kv[0])
	if err != nil {
		t.Fatal(err)
	}
	c.operational = make([]float64, n)
	if smallest := o.Accelerations(make([]float64, n), c.at); smallest < 0.05 {
		return newLawCase(t, seed+1000, n) // too near a singular state for ten digits
	}
	o.Torque(c.at, c.operational)
	c.operational = clipped(c.operational)
	c.tip = LinkFrame(tip.Link, tip.At, -1)
	pose := tree.NewPose()
	pose.Place(c.at.QR)
	pose.Move(c.at.DQR, c.at.DDQR)
	c.pose = pose.Frame(tip.Link)
	c.pose.P = pose.Position(tip)
	v, a := pose.Twist(tip), pose.Acceleration(tip)
	for i := range 3 {
		c.twist[i], c.twist[3+i], c.acceleration[i], c.acceleration[3+i] = v.Linear[i], v.Angular[i], a.Linear[i], a.Angular[i]
	}
	return c
}

// program builds a law and returns it with its inputs.
func (c *lawCase) program(t *testing.T, m Model) (*symbolic.Program, []float64) {
	t.Helper()
	p, err := Build(t.Context(), m, c.r, Options{Terms: rotors, Frame: c.tip})
	if err != nil {
		t.Fatal(err)
	}
	in := make([]float64, len(p.Inputs))
	for i, x := range p.Inputs {
		k := x.Index
		switch x.Group {
		case "q":
			in[i] = c.at.Q[k]
		case "dq":
			in[i] = c.at.DQ[k]
		case "qr":
			in[i] = c.at.QR[k]
		case "dqr":
			in[i] = c.at.DQR[k]
		case "ddqr":
			in[i] = c.at.DDQR[k]
		case "free": // the joints' own demand of the servo
			in[i] = c.at.DDQR[k] + c.kv[0]*(c.at.DQR[k]-c.at.DQ[k]) + c.kp[0]*(c.at.QR[k]-c.at.Q[k])
		case "kp":
			in[i] = c.kp[k]
		case "kv":
			in[i] = c.kv[k]
		case "gains":
			in[i] = []float64{c.kp[0], c.kv[0], 0}[k]
		case "limit":
			in[i] = c.limit[k]
		case "Tr":
			in[i] = append(c.pose.R[k/4][:], c.pose.P[k/4])[k%4]
		case "vr":
			in[i] = c.twist[k]
		case "ar":
			in[i] = c.acceleration[k]
		case "K":
			if !x.Known {
				t.Fatalf("%s has no value", x.Name)
			}
			in[i] = x.Value
		default:
			t.Fatalf("input %s of group %q", x.Name, x.Group)
		}
	}
	return p, in
}

// The laws as programs give the torques of package servo's laws, with the drives' limits, on random arms of one to eight joints; what a limit takes is in the excess.
func TestControlLaws(t *testing.T) {
	limited := 0
	for seed := range uint64(long.Of(120, 16)) {
		c := newLawCase(t, seed, 1+int(seed%8))
		for _, law := range []struct {
			m    Model
			want []float64
		}{{ComputedTorque, c.computed}, {GravityCompensation, c.up}, {OperationalControl, c.operational}} {
			if law.want == nil {
				continue
			}
			p, in := c.program(t, law.m)
			out := p.Eval(in)
			size := 0.0
			for _, v := range law.want {
				size = math.Max(size, math.Abs(v))
			}
			for _, v := range out[1] {
				size = math.Max(size, math.Abs(v))
			}
			for i, v := range law.want {
				tolerance := 1e-11 * (1 + size)
				if law.m == OperationalControl {
					tolerance *= 1e3 // the square of a condition number below 100
				}
				if !(math.Abs(out[0][i]-v) < tolerance) {
					t.Errorf("seed %d, %s: joint %d has %.15g, package servo %.15g", seed, law.m, i+1, out[0][i], v)
				}
				if out[1][i] != 0 {
					limited++
					if math.Abs(math.Abs(out[0][i])-c.limit[i]) > tolerance || c.limit[i] == 0 || out[0][i]*out[1][i] < 0 {
						t.Errorf("seed %d, %s: joint %d gives %g and is %g above its limit of %g", seed, law.m, i+1, out[0][i], out[1][i], c.limit[i])
					}
				}
			}
		}
	}
	if limited == 0 {
		t.Error("no drive was at its limit")
	}
}

// The laws as C and as a C++ header give the program's own torques.
func TestControlLawsAsText(t *testing.T) {
	for _, language := range []string{"c", "cpp"} {
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			u := source.Unit{Name: "laws", Maker: "ident"}
			var states [][][]float64
			c := newLawCase(t, 3, long.Of(6, 2))
			for _, m := range ControlModels() {
				if m == OperationalControl && c.operational == nil {
					continue // with IDENT_LONG
				}
				p, in := c.program(t, m)
				p.Name = strings.ReplaceAll(string(m), "-", "_")
				u.Programs, states = append(u.Programs, p), append(states, [][]float64{in})
			}
			for k, got := range foreign.Run(t, language, u, states) {
				p := u.Programs[k]
				for o, want := range p.Eval(states[k][0]) {
					compareTo(t, p.Name, split(p, got[0])[o], want, 1e3)
				}
			}
		})
	}
}

// The laws of closed robots, with formulas and by Newton's steps, give the torques of the regressor's rows: those of the bodies and rotors at the law's
// accelerations, those of friction, of passive joints too, at the reference's rates.
func TestControlLawsOfClosedRobots(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 2))
	for _, r := range append(closedRobots(t), threeRRR(rng)) {
		opt := Options{Terms: rotors}
		b := newSubject(t, rng, r, opt)
		_, q, _ := fullMotion(t, r, b.s)
		driven := b.numeric.Loops().Driven()
		torques := func(dq, ddq []float64, friction bool) []float64 {
			s := b.s
			s.dq, s.ddq = dq, ddq
			chi := slices.Clone(s.chi)
			for c, col := range b.numeric.Columns() {
				if friction != (col.Term == regressor.Fv || col.Term == regressor.Fs || col.Term == regressor.Fo) {
					chi[c] = 0
				}
			}
			return apply(regressorRows(b.numeric, s), chi)
		}
		n := len(driven)
		draw := func() []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			return x
		}
		qr, dqr, ddqr, kp, kv, w := draw(), draw(), draw(), draw(), draw(), make([]float64, n)
		for i, k := range driven {
			w[i] = ddqr[i] + kv[i]*(dqr[i]-b.s.dq[i]) + kp[i]*(qr[i]-q[k])
		}
		// Friction has no accelerations; its rows are taken at rest of them.
		friction := torques(dqr, make([]float64, n), true)
		for _, law := range []struct {
			m      Model
			bodies []float64
		}{{ComputedTorque, torques(b.s.dq, w, false)}, {GravityCompensation, torques(make([]float64, n), make([]float64, n), false)}} {
			p := build(t, law.m, r, opt)
			in := make([]float64, len(p.Inputs))
			for i, x := range p.Inputs {
				switch x.Group {
				case "q":
					in[i] = q[driven[x.Index%n]]
					if strings.Contains(strings.Join(p.Doc, " "), "without formulas") {
						in[i] = q[x.Index]
					}
				case "K":
					in[i] = b.params[x.Index]
				default:
					in[i] = map[string][]float64{"dq": b.s.dq, "qr": qr, "dqr": dqr, "ddqr": ddqr, "kp": kp, "kv": kv, "limit": make([]float64, n)}[x.Group][x.Index]
				}
			}
			want, size := make([]float64, n), 0.0
			for i := range want {
				want[i] = law.bodies[i] + friction[i]
				size = math.Max(size, math.Abs(law.bodies[i])+math.Abs(friction[i]))
			}
			compareTo(t, r.Name+", "+string(law.m), p.Eval(in)[0], want, 1e3*(1+size)) // states are closed to 1e-12
		}
	}
}

// The tips of closed robots, and tips with too few joints, are refused.
func TestNoControlLaw(t *testing.T) {
	if _, err := Build(t.Context(), OperationalControl, testrobot.SR400(t), Options{}); !errors.Is(err, ErrOpenOnly) {
		t.Errorf("%s: %v", OperationalControl, err)
	}
	r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 3, false)
	if _, err := Build(t.Context(), OperationalControl, r, Options{}); !errors.Is(err, ErrDeterminant) {
		t.Errorf("six rows of three joints: %v", err)
	}
}
