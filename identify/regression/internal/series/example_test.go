package series_test

import (
	"fmt"

	"ident/identify/regression/internal/series"
)

// Ten rows of one joint, of which at most four are kept.
func Example() {
	kept := series.New(series.Plan{Joints: 1, Rows: 10, Limit: 4, Runs: 1, Period: 0.1, Seconds: 0.9})
	var rows series.Rows
	rows.Measured, rows.Predicted = make([][]float64, 1), make([][]float64, 1)
	for i := range 10 {
		rows.T = append(rows.T, float64(i)/10)
		rows.Measured[0] = append(rows.Measured[0], float64(i))
		rows.Predicted[0] = append(rows.Predicted[0], 0)
	}
	kept.Add(&rows)
	run := kept.Finish("log", "train")
	fmt.Println(run.Stride, run.Measured[0], len(run.Long.From))
	// Output: 4 [0 4 8] 10
}
