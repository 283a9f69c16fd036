package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"
	jobs "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"ident/internal/output"
)

// engine is a runner outside of this program, reached through a job server of Beam.
type engine struct {
	runner, endpoint string
	connection       *grpc.ClientConn
	server           jobs.JobServiceClient
}

// answer is how long a job server may take for an answer.
const answer = 10 * time.Second

// runnerName returns the value of Beam's option.
func runnerName() string { return flag.Lookup("runner").Value.String() }

// byJobServer lists the Beam runners that submit a pipeline to a job server.
func byJobServer(runner string) bool {
	switch strings.ToLower(runner) {
	case "flink", "flinkrunner", "spark", "sparkrunner", "universal", "portable", "portablerunner":
		return true
	}
	return false
}

// reach connects to the job server and asks it a question, so that a wrong address is known before anything is done.
func reach(ctx context.Context, runner, endpoint string) (*engine, error) {
	if endpoint == "" {
		return nil, fmt.Errorf("--runner %s needs the address of its job server: --endpoint HOST:PORT", runner)
	}
	c, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, fmt.Errorf("--endpoint %s: %w", endpoint, err)
	}
	e := &engine{runner, endpoint, c, jobs.NewJobServiceClient(c)}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	_, err = e.server.GetJobs(ctx, &jobs.GetJobsRequest{})
	switch s := status.Convert(err); {
	case err == nil:
		return e, nil
	case s.Code() == codes.Unimplemented && !strings.Contains(s.Message(), "unknown service"):
		return e, nil // a job server that lists no jobs
	case s.Code() == codes.Unavailable, s.Code() == codes.DeadlineExceeded:
		err = fmt.Errorf("no job server answers at %s (%s); start Beam's, and give its address by --endpoint", endpoint, oneLine(s.Message()))
	default:
		err = fmt.Errorf("%s is no job server of Beam's: %s", endpoint, oneLine(s.Message()))
	}
	return nil, errors.Join(err, c.Close())
}

// cancel ends the job of a name, which would go on without anybody to wait for it.
func (e *engine) cancel(name string) {
	ctx, done := context.WithTimeout(context.Background(), answer)
	defer done()
	list, err := e.server.GetJobs(ctx, &jobs.GetJobsRequest{})
	if err != nil {
		return // the job server is gone, or lists no jobs
	}
	for _, j := range list.GetJobInfo() {
		switch {
		case j.GetJobName() != name:
		case j.GetState() == jobs.JobState_DONE, j.GetState() == jobs.JobState_FAILED, j.GetState() == jobs.JobState_CANCELLED:
		default:
			e.server.Cancel(ctx, &jobs.CancelJobRequest{JobId: j.GetJobId()}) // what it answers changes nothing here
		}
	}
}

// execute runs the pipeline on the runner of the options. Where it ends early, by an error or a signal, it ends the
// engine's job as well.
func execute(ctx context.Context, p *beam.Pipeline, e *engine) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if e == nil || jobopts.IsLoopback() { // the workers are in this process, and neither they nor Beam remove their files
		done, err := scratch()
		if err != nil {
			return err
		}
		defer done()
	}
	if e == nil {
		return await(ctx, p)
	}
	if *jobopts.JobName == "" {
		*jobopts.JobName = fmt.Sprintf("ident-fleet-%d-%d", os.Getpid(), time.Now().UnixNano())
	}
	if !jobopts.IsLoopback() && *jobopts.WorkerBinary == "" { // Beam would compile one, of sources that are not here
		self, err := os.Executable()
		if err != nil {
			return err
		}
		*jobopts.WorkerBinary = self
	}
	err := await(ctx, p)
	if err == nil {
		return nil
	}
	e.cancel(*jobopts.JobName)
	if ctx.Err() != nil {
		return err
	}
	if e.gone() {
		return fmt.Errorf("the job server at %s has gone, and the job with it: run it again", e.endpoint)
	}
	return fmt.Errorf("the job failed on %s at %s: %s; -v prints the engine's messages; ident-fleet has Beam %s, an engine of another version may not take its jobs",
		e.runner, e.endpoint, oneLine(err.Error()), core.SdkVersion)
}

// scratch makes a folder for all temporary files of this process, which done removes.
func scratch() (done func(), err error) {
	folder, remove, err := output.Scratch("")
	if err != nil {
		return nil, err
	}
	before, set := os.LookupEnv("TMPDIR")
	done = func() {
		if os.Unsetenv("TMPDIR"); set {
			os.Setenv("TMPDIR", before)
		}
		remove()
	}
	if err := os.Setenv("TMPDIR", folder); err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// gone reports whether the job server answers no more.
func (e *engine) gone() bool {
	ctx, done := context.WithTimeout(context.Background(), answer)
	defer done()
	_, err := e.server.GetJobs(ctx, &jobs.GetJobsRequest{})
	return status.Code(err) == codes.Unavailable || status.Code(err) == codes.DeadlineExceeded
}

// await runs the pipeline until it ends or a signal comes. Runners do not all heed the context: the program ends instead.
func await(ctx context.Context, p *beam.Pipeline) error {
	ended := make(chan error, 1)
	go func() { ended <- beamx.Run(ctx, p) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return errors.New("interrupted")
	}
}

// oneLine returns the gist of a message of many lines, because engines send the whole trace of an exception.
func oneLine(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "...") {
			continue
		}
		kept = append(kept, line)
	}
	if len(kept) > 3 {
		kept = append(kept[:2], kept[len(kept)-1])
	}
	if text = strings.Join(kept, " "); len(text) > 400 {
		text = strings.ToValidUTF8(text[:400], "") + "…"
	}
	return text
}
