package result_test

import (
	"fmt"

	"ident/result"
)

// The questions that a result answers: a condition number beyond its limit fails it.
func Example() {
	res := result.Result{Schema: result.Schema, Condition: result.Condition{Scaled: 2e5, Raw: 1e7}}
	res.Fit.RelativeError.Stacked = 4
	res.Judge(result.DefaultLimits())
	for _, v := range res.Verdicts {
		if v.ID == "condition-number" || v.ID == "torque-error" {
			fmt.Printf("%s: pass %t, %g where the limit is %g\n", v.ID, v.Pass, v.Value, v.Limit)
		}
	}
	fmt.Println("failed:", res.Failed())
	// Output:
	// torque-error: pass true, 4 where the limit is 20
	// condition-number: pass false, 200000 where the limit is 10000
	// failed: true
}
