package replayed_test

import (
	"context"
	"fmt"

	"ident/project"
	"ident/project/replayed"
)

// A result beside a log that it has not seen, with its verdict.
func Example() {
	f, err := project.OpenFitted("log.ident")
	if err != nil {
		fmt.Println("no result here")
		return
	}
	d, err := replayed.Of(context.Background(), f, []string{"other.csv"}, replayed.Options{Track: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Verdicts[0].Why)
	// Output: no result here
}
