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

// A robot file before anything is recorded: can its bodies exist, and what could torques determine.
func ExampleDescribe() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	s := &project.Settings{Robot: filepath.Join(dir, "arm.urdf")}
	d, err := identify.Describe(s, identify.DescribeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	b, err := identify.DescribeBase(context.Background(), s, identify.BaseOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d joints, bodies that can exist: %t, %d base parameters, the second %s\n", d.Document.Name, d.Document.DOF, d.Document.OK, b.Document.Count, b.Document.Relations[1].Expression)
	// Output:
	// puma560: 6 joints, bodies that can exist: true, 36 base parameters, the second XX2 - YY2 - 0.186451·(M3 + M4 + M5 + M6)
}
