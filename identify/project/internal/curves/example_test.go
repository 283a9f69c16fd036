package curves_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"ident/identify/project/internal/curves"
	"ident/result"
)

// The torques of a run, kept and read back.
func Example() {
	dir, err := os.MkdirTemp("", "curves")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	run := result.ResidualRun{Log: "monday", Role: "train", Stride: 1, T: []float64{0, 0.01}, Measured: [][]float64{{5, 6}}, Predicted: [][]float64{{5.1, 5.8}}}
	if err := curves.Write(context.Background(), dir, []result.ResidualRun{run}); err != nil {
		log.Fatal(err)
	}
	back, err := curves.Read(context.Background(), dir, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back[0].Log, back[0].Measured[0])
	// Output: monday [5 6]
}
