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

// The inverse dynamics of a robot in C and Python, with its base parameters as arguments.
func ExampleGenerate() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	s := &project.Settings{Robot: filepath.Join(dir, "arm.urdf")}
	g, err := identify.Generate(context.Background(), s, identify.GenerateOptions{Languages: []string{"c", "python"}, Base: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := g.Write(filepath.Join(dir, "generated"), false); err != nil {
		log.Fatal(err)
	}
	m := g.Document.Models[0]
	fmt.Printf("%s of %d parameters: %d multiplications, %d additions, in %d files\n", m.Function, len(g.Document.Parameters), m.Counts.Mul, m.Counts.Add, len(g.Document.Files))
	// Output:
	// inverse_dynamics of 36 parameters: 276 multiplications, 256 additions, in 3 files
}
