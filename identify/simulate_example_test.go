package identify_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/identify"
	"ident/identify/project"
)

// A virtual log along the motion of a measured one, with the sensors of a collaborative arm.
func ExampleSimulate() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	s := &project.Settings{Robot: filepath.Join(dir, "arm.urdf"), Seed: 3}
	doc, err := identify.Simulate(context.Background(), s, identify.SimulateOptions{Motion: filepath.Join(dir, "log.parquet"), Rate: 100, Sensors: "cobot", Output: filepath.Join(dir, "virtual.parquet")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d samples of %d joints at %g Hz: %s …\n", doc.Samples, len(doc.Joints), doc.Rate, doc.Channels[:3])
	// Output:
	// 2000 samples of 6 joints at 100 Hz: [t q1 q2] …
}
