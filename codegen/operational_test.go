package codegen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// The operational Jacobians as programs are those of package kinematics, of all three descriptions of an orientation, and the rates of a
// redundant arm are the pseudoinverse's with the same secondary motion.
func TestOperationalModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	r := testrobot.SevenElastic(8000, 4)
	for range 3 {
		s := randomState(rng, r, nil)
		f := LinkFrame(6, [3]float64{0.1, -0.2, 0.3}, -1)
		n := newNumericKinematics(t, r, s, *f)
		for _, a := range []kinematics.Angles{kinematics.EulerAngles, kinematics.RPYAngles, kinematics.ByQuaternion} {
			p, err := Build(context.Background(), OperationalJacobian, r, Options{Frame: f, Angles: a})
			if err != nil {
				t.Fatal(err)
			}
			want, err := n.jacobian().Operational(a, n.pose.Frame(6).R)
			if err != nil {
				t.Fatal(err)
			}
			got, size := p.Eval(s.inputs(t, r, p, nil))[0], 0.0
			for _, v := range want.RawMatrix().Data {
				size = math.Max(size, math.Abs(v))
			}
			compareTo(t, "operational Jacobian, "+a.String(), got, want.RawMatrix().Data, 100*size)
		}
		for _, rows := range [][]int{nil, {0, 1, 2}} {
			p, err := Build(context.Background(), RedundantRates, r, Options{Frame: f, Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			mask, v := kinematics.Full, kinematics.Twist{Linear: [3]float64{0.1, -0.2, 0.3}, Angular: [3]float64{0.4, 0.5, -0.6}}
			in := append(append([]float64{}, s.q...), v.Linear[:]...)
			if rows == nil {
				in = append(in, v.Angular[:]...)
			} else {
				mask = kinematics.Position
			}
			in = append(in, s.dq...)
			want, err := n.jacobian().Rates(v, mask, 1, s.dq)
			if err != nil {
				t.Fatal(err)
			}
			// The square J·Jᵀ loses twice the digits of J.
			compareTo(t, "redundant rates", p.Eval(in)[0], want, 1e5)
		}
	}
	planar := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}, {Antecedent: 1, D: 0.4}})
	for name, opt := range map[Model]Options{OperationalJacobian: {}, RedundantRates: {Rows: []int{0, 1, 5}}} {
		if _, err := Build(context.Background(), name, planar, opt); !errors.Is(err, ErrDeterminant) {
			t.Errorf("%s of a planar arm: %v", name, err)
		}
	}
}
