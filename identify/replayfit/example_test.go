package replayfit_test

import (
	"context"
	"fmt"

	"ident/identify/project"
	"ident/identify/replayfit"
)

// A result beside a log that it has not seen, with its verdict.
func Example() {
	f, err := project.OpenFitted("log.ident")
	if err != nil {
		fmt.Println("no result here")
		return
	}
	d, err := replayfit.Of(context.Background(), f, []string{"other.csv"}, replayfit.Options{Track: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Verdicts[0].Why)
	// Output: no result here
}
