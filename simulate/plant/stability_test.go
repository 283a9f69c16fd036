package plant

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// A loop with a number beyond those of a float64 is left to its motion: to balance its matrix would never end.
func TestStabilityBeyondNumbers(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		l := &linear{n: 1, period: 1e-3, delay: 5e-4, a: mat.NewDense(2, 2, []float64{0, 1, 0, 0}), b: mat.NewDense(2, 1, []float64{0, 1}), k: mat.NewDense(1, 2, []float64{x, -1})}
		if growth, _ := l.growth(1); growth != 0 && x != math.MaxFloat64 {
			t.Errorf("gain %g: growth %g", x, growth)
		}
		l.a.Set(1, 0, x)
		l.growth(1)
	}
}
