// Command ident-fleet identifies the robots of a fleet on Apache Beam.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"ident/fleet"
	"ident/fleet/intake"
	"ident/fleet/virtual"
)

func main() {
	fleet.Register()
	os.Exit(command(os.Args[1:]))
}

var _ = filesystem.New

// command runs a command of the line.
func command(args []string) int {
	name := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	fs := flag.CommandLine // Beam's options are there
	manifest := fs.String("manifest", "", "CSV file with the columns robot, log, file and start")
	out := fs.String("o", "", "folder for the results")
	config := fs.String("config", "", "settings of every fit (default: ident.yaml beside the manifest)")
	robots := fs.Int("robots", 300, "robots of a virtual fleet")
	logs := fs.Int("logs", 10000, "logs of a virtual fleet")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	beam.Init() // a worker does not return from here
	ctx := context.Background()
	var err error
	switch name {
	case "run":
		err = run(ctx, fleet.Options{Manifest: *manifest, Output: *out}, *config)
	case "simulate":
		_, err = virtual.Write(ctx, *out, virtual.Options{Robots: *robots, Logs: *logs, Damaged: 0.03, Changed: 0.02, Seed: 1})
	default:
		fmt.Fprintln(os.Stderr, "usage: ident-fleet run --manifest logs.csv -o results/")
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ident-fleet:", err)
		return 1
	}
	return 0
}

// run builds the pipeline and runs it.
func run(ctx context.Context, o fleet.Options, config string) error {
	if config == "" {
		config = filepath.Join(filepath.Dir(o.Manifest), "ident.yaml")
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	o.Settings, o.Refuse = string(text), intake.DefaultRefuse()
	p, s := beam.NewPipelineWithRoot()
	fleet.Build(s, o)
	return beamx.Run(ctx, p)
}
