// Command ident-fleet identifies the robots of a fleet on Apache Beam.
//
//	ident-fleet run --manifest logs.csv -o results/      identify the fleet; Beam's own options choose runner and workers
//	ident-fleet simulate -o fleet/ --robots 30           write a virtual fleet to try it on
//	ident-fleet plan --robots 1000000                    machines and cost, from figures of a log
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"ident/fleet"
	"ident/fleet/intake"
	"ident/fleet/store"
	"ident/fleet/virtual"
	"ident/identify/project"
	"ident/internal/hint"
	"ident/internal/output"
)

const usage = `usage:
  ident-fleet run --manifest logs.csv -o results/
  ident-fleet simulate -o fleet/ [--robots 300] [--logs 10000]
  ident-fleet plan [--robots 1000000] [--logs-a-day 10]

Options of a command: ident-fleet run -h. Those of Beam (--runner, --endpoint, …), which a run takes too: ident-fleet beam -h.

Run with this program (Beam's Go SDK 2.77.0): Prism, which is part of it; Flink 1.19.0 by the job server of Beam 2.62.0 (fleet/flink/run).
Not run: Spark, Dataflow, clusters of several machines, Google Cloud Storage, S3.
`

func main() {
	fleet.Register()
	os.Exit(command(os.Args[1:]))
}

// options are those of all commands: a program has one set of Beam's.
type options struct {
	manifest, out, config     string
	window                    float64
	shards, files, attempts   int
	robots, logs              int
	seed                      uint64
	verbose, overwrite        bool
	provision                 string
	logsADay, cpu, rate, mega float64
	price, seconds            float64
}

// command runs a command line and returns the exit code.
func command(args []string) int {
	name := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	var o options
	f := flag.CommandLine      // where Beam's options are
	beams := map[string]bool{} // options that Beam has declared
	f.VisitAll(func(f *flag.Flag) { beams[f.Name] = true })
	f.Usage = func() { printUsage(f, name, beams) }
	f.StringVar(&o.manifest, "manifest", "", "CSV file with the columns robot, log, file (the robot's) and start")
	f.StringVar(&o.out, "o", "", "folder for the results")
	f.StringVar(&o.config, "config", "", "settings of every fit (default ident.yaml beside the manifest)")
	f.Float64Var(&o.window, "window-days", 28, "length of the windows in which changes are looked for")
	f.IntVar(&o.shards, "shards", 64, "groups of logs that are read by one worker at a time")
	f.IntVar(&o.files, "files", 1, "files of each table of results")
	f.IntVar(&o.attempts, "attempts", 3, "attempts to read a log whose file system fails")
	f.IntVar(&o.robots, "robots", 300, "robots of a virtual fleet or of a plan")
	f.IntVar(&o.logs, "logs", 10_000, "logs of a virtual fleet, all robots together")
	f.Float64Var(&o.seconds, "seconds", 10, "length of a log of a virtual fleet")
	f.Uint64Var(&o.seed, "seed", 1, "seed of a virtual fleet")
	f.BoolVar(&o.overwrite, "overwrite", false, "replace files that ident-fleet did not write, files without write permission, and what links lead to")
	f.BoolVar(&o.verbose, "v", false, "print the runner's messages")
	f.StringVar(&o.provision, "provision_endpoint", "", "address that an engine gives to a worker that it starts")
	f.Float64Var(&o.logsADay, "logs-a-day", 10, "of a robot, for a plan")
	f.Float64Var(&o.cpu, "cpu-seconds", 0.027, "CPU time of a log, for a plan")
	f.Float64Var(&o.mega, "log-megabytes", 0.075, "size of a log's file, for a plan")
	f.Float64Var(&o.rate, "busy", 0.7, "part of the time that a worker's CPU is busy, for a plan")
	f.Float64Var(&o.price, "price", 0.05, "of a CPU for an hour, for a plan, in any currency")
	if err := f.Parse(args); err != nil {
		return 2
	}
	if !o.verbose {
		log.LogLevel = "error"
	}
	beam.Init() // a worker does not return from here
	ctx := context.Background()
	var err error
	switch {
	case name == "" && o.provision != "":
		err = work(ctx, o.provision)
	case name == "run" && o.manifest != "" && o.out != "":
		err = o.run(ctx)
	case name == "simulate" && o.out != "":
		if err = claimFleet(o.out, o.overwrite); err != nil {
			break
		}
		_, err = virtual.Write(ctx, o.out, virtual.Options{Robots: o.robots, Logs: o.logs, Seconds: o.seconds, Damaged: 0.03, Changed: 0.02, Seed: o.seed})
	case name == "plan":
		o.plan(os.Stdout)
	default:
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ident-fleet:", hint.Describe(err, func(key string) string { return "--" + key }))
		return 1
	}
	return 0
}

// optionsOf lists the options of each command.
var optionsOf = map[string][]string{
	"run":      {"manifest", "o", "config", "window-days", "shards", "files", "attempts", "overwrite", "v"},
	"simulate": {"o", "robots", "logs", "seconds", "seed", "overwrite"},
	"plan":     {"robots", "logs-a-day", "cpu-seconds", "log-megabytes", "busy", "price"},
}

// printUsage prints how the program is called, and the options of a command; beam stands for those of Beam.
func printUsage(all *flag.FlagSet, name string, beams map[string]bool) {
	fmt.Fprint(all.Output(), usage+"\n")
	shown := flag.NewFlagSet(name, flag.ContinueOnError)
	shown.SetOutput(all.Output())
	all.VisitAll(func(f *flag.Flag) {
		if name == "beam" && beams[f.Name] || slices.Contains(optionsOf[name], f.Name) {
			shown.Var(f.Value, f.Name, f.Usage)
			shown.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	shown.PrintDefaults()
}

// run builds the pipeline, runs it and states the fate of the logs.
func (o *options) run(ctx context.Context) error {
	if err := claimResults(ctx, o.out, o.overwrite); err != nil {
		return err
	}
	config := o.config
	if config == "" {
		config = filepath.Join(filepath.Dir(o.manifest), "ident.yaml")
	}
	text, err := read(ctx, config)
	if err != nil {
		return fmt.Errorf("settings: %w; give --config FILE", err)
	}
	if err := tryOut(string(text)); err != nil {
		return fmt.Errorf("settings %s: %w", config, err)
	}
	var e *engine
	if r := runnerName(); byJobServer(r) {
		if e, err = reach(ctx, r, *jobopts.Endpoint); err != nil {
			return err
		}
		defer e.connection.Close()
	}
	var c fleet.Counts
	if strings.Contains(o.out, "://") {
		if err := store.Remove(ctx, store.Join(o.out, "counts.json")); err != nil { // they are the sign of a whole run
			return err
		}
		c, err = o.into(ctx, o.out, string(text), e)
	} else if *jobopts.Async {
		return errors.New("--async: give an object store as the output: results in a folder are put in place only when the job has ended")
	} else {
		err = output.Folder(o.out, results, "counts.json", o.overwrite, func(stage string) error {
			if stage, err = filepath.Abs(stage); err == nil {
				c, err = o.into(ctx, stage, string(text), e)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	fmt.Printf("%d logs listed = %d in results + %d in quarantine\n%s\n", c.Listed, c.Results, c.Quarantined, store.Join(o.out, "index.html"))
	if !c.Exact() {
		return fmt.Errorf("%d logs were lost and %d counted twice, such as %s", c.Lost, c.Doubled, c.Example)
	}
	return nil
}

// tryOut tells what is wrong with settings before a runner is asked: a worker's error comes late, and wrapped in a page of its own.
func tryOut(settings string) error {
	r, err := intake.NewReader(intake.Options{Settings: settings})
	if err != nil {
		if _, fault, is := strings.Cut(err.Error(), "/"+project.File+": "); is { // of the reader's own copy
			err = errors.New(fault)
		}
		return err
	}
	return r.Close()
}

// into runs the pipeline with results in a folder without any, and reads their counts.
func (o *options) into(ctx context.Context, at, settings string, e *engine) (c fleet.Counts, err error) {
	folder := ""
	if r := runnerName(); (r == "" || r == "prism") && !strings.Contains(at, "://") { // one process
		var done func()
		if folder, done, err = output.Scratch(at); err != nil {
			return c, err
		}
		defer done()
	}
	p, s := beam.NewPipelineWithRoot()
	fleet.Build(s, fleet.Options{Folder: folder, Manifest: o.manifest, Output: at, Settings: settings, Refuse: intake.DefaultRefuse(),
		Window: 86400 * o.window, Shards: o.shards, Files: o.files, Attempts: o.attempts})
	if err := execute(ctx, p, e); err != nil {
		return c, err
	}
	text, err := read(ctx, store.Join(at, "counts.json"))
	if err != nil {
		return c, fmt.Errorf("the job was handed over or cancelled: it has no counts: %w", err)
	}
	return c, json.Unmarshal(text, &c)
}

// read reads a file of any file system.
func read(ctx context.Context, name string) ([]byte, error) {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	from, err := files.OpenRead(ctx, name)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return io.ReadAll(from)
}

// plan prints machines and cost of a day's logs.
func (o *options) plan(to io.Writer) {
	logs := float64(o.robots) * o.logsADay
	hours := logs * o.cpu / 3600
	fmt.Fprintf(to, "logs a day            %.4g\n", logs)
	fmt.Fprintf(to, "to be read            %.4g GB a day, %.3g MB/s\n", logs*o.mega/1000, logs*o.mega/86400)
	fmt.Fprintf(to, "CPU hours a day       %.4g\n", hours)
	fmt.Fprintf(to, "CPUs, %2.0f %% busy       %.3g all day, %.3g for a night of 6 hours\n", 100*o.rate, hours/24/o.rate, hours/6/o.rate)
	fmt.Fprintf(to, "cost a day            %.4g\n", hours/o.rate*o.price)
	fmt.Fprintf(to, "cost a robot and year %.3g\n", 365*hours/o.rate*o.price/float64(o.robots))
}
