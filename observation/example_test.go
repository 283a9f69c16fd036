package observation_test

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/observation"
)

// The first stages of the signal path: a clock cut into segments, and the source of
// velocities chosen on the data.
func Example() {
	log, err := datasets.ExampleLog()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	run := observation.Run{Name: "example", Log: log, Last: log.Rows(), Roles: datasets.Roles{T: "t",
		Q: []string{"q1"}, DQ: []string{"dq1"}, DDQ: []string{""}, Tau: []string{"tau1"}}}
	segments, dropped, err := observation.Segments(0, &run, run.Channels(true, false), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := observation.Settings{Model: observation.Dynamic, Path: observation.Path{Cutoff: 10, MotionCutoff: 10, Order: 2, Velocity: observation.Auto, Acceleration: observation.Auto, Differentiator: observation.Central}}
	choice, err := observation.Choose(context.Background(), settings, &run, &segments[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d segment of %d samples, %d rows dropped\n", len(segments), segments[0].N, dropped)
	fmt.Printf("velocity %s, acceleration %s\n", choice.Velocity, choice.Acceleration)
	// Output:
	// 1 segment of 6001 samples, 0 rows dropped
	// velocity measured, acceleration velocity
}
