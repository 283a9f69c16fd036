package plant

import (
	"context"
	"errors"
	"math"
	"testing"

	"ident/simulate/servo"
)

// A mass under a PD law of period T without delay: with p = P·T²/m and d = D·T/m the loop's
// polynomial is z² + (p/2 + d − 2)·z + 1 + p/2 − d, which by Jury's criterion is stable for
// d > p/2 and d < 2. With P = 0 or nearly, the largest stable D is 2·m/T.
func TestStabilityOfSampledMass(t *testing.T) {
	p := newPlant(t, slide(3, 0, 0, 0), Options{})
	const period = 1e-3
	at := func(d, delay float64) error {
		law := servo.PD([]float64{1}, []float64{d * 3 / period}, []float64{1})
		return p.Follow(context.Background(), fixed{0}, Control{Law: law, Period: period, Delay: delay}, Run{Every: 1, Samples: 2}, func(Row) error { return nil })
	}
	if err := at(1.99, 0); err != nil {
		t.Error(err)
	}
	var bad *UnstableError
	if err := at(4, 0); !errors.As(err, &bad) || math.Abs(bad.Stable-0.5) > 1e-3 {
		t.Errorf("twice the largest gain: %v", err)
	}
	// A command that acts one period late: z²(z−1) + d·… ; velocity alone obeys z² − z + d = 0,
	// stable for d < 1.
	if err := at(0.99, period); err != nil {
		t.Error(err)
	}
	if err := at(2, period); !errors.As(err, &bad) || math.Abs(bad.Stable-0.5) > 1e-3 {
		t.Errorf("twice the largest gain with a delay of one period: %v", err)
	}
}
