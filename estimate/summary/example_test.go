package summary_test

import (
	"bytes"
	"fmt"

	"ident/estimate"
	"ident/estimate/summary"
)

// Two runs of one joint, y = 2·x, reduced apart and merged.
func Example() {
	part := func(name string, x ...float64) *summary.Summary {
		shape := estimate.NewReduction(1, [][]int{{0}})
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 2 * x[i]
		}
		block, work := shape.NewBlock(0), estimate.Work{}
		block.Joints[0].Add([][]float64{x}, y, &work)
		return &summary.Summary{
			Robot: summary.Robot{Name: "drive", SHA256: "5a"},
			Model: summary.Model{Terms: []string{"links"}, Columns: []string{"ZZ1"}, Base: 1, Masks: [][]int{{0}}},
			Runs:  []summary.Run{{Name: name, Blocks: []summary.Block{{Joints: block.Joints}}}},
		}
	}
	all, err := summary.Merge(part("tuesday.csv", 1, 2), part("monday.csv", 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := summary.Encode(&file, all); err != nil {
		fmt.Println(err)
		return
	}
	back, err := summary.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, _ := back.Reduction()
	x, _, err := rows.Minimum(estimate.OLS)
	fmt.Printf("%s, %s: %d rows, ZZ1 = %.3f %v\n", back.Runs[0].Name, back.Runs[1].Name, back.Rows(), x[0], err)
	// Output: monday.csv, tuesday.csv: 3 rows, ZZ1 = 2.000 <nil>
}
