package causes

import (
	"context"
	"math"

	"ident/robot"
)

// Validate fits the training logs freely and returns the error on the torques of the test logs: the root of the sum of
// squares over that of the torques, all joints together. Use it to judge repairs, with stretches of one log as train and
// test.
func Validate(ctx context.Context, r *robot.Robot, train, test []Log, opt Options) (float64, error) {
	if err := opt.complete(r); err != nil {
		return 0, err
	}
	t, err := newFit(ctx, r, train, opt)
	if err != nil {
		return 0, err
	}
	u, err := newFit(ctx, r, test, opt)
	if err != nil {
		return 0, err
	}
	at := u.stack(u.under(opt.Gravity), nil, nil)
	ss, all := 0.0, 0.0
	for e, j := range u.joints {
		y := u.y[e]
		for k, v := range y {
			hat := 0.0
			for c, x := range at[j] {
				if x != nil {
					hat += t.chi[c] * x[k]
				}
			}
			ss += (v - hat) * (v - hat)
			all += v * v
		}
	}
	return math.Sqrt(ss / max(all, math.SmallestNonzeroFloat64)), ctx.Err()
}

// LeftOut returns the error of a free fit on rows left out, relative to the changes of each torque: the geometric mean
// over the joints. Use it to compare torques that were scaled, reversed, shifted or exchanged.
func LeftOut(ctx context.Context, r *robot.Robot, logs []Log, opt Options) (float64, error) {
	if err := opt.complete(r); err != nil {
		return 0, err
	}
	t, err := newFit(ctx, r, logs, opt)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, s := range t.share {
		sum += math.Log(s) / 2 / float64(len(t.share))
	}
	return math.Exp(sum), ctx.Err()
}
