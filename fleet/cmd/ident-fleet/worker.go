package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// work returns a worker that an engine starts as a process of its own (--environment_type=PROCESS): by an id, Beam's
// option, and the address at which the rest is told. In containers Beam's own program asks and starts a worker with the
// answers.
func work(ctx context.Context, provision string) error {
	ctx = grpcx.WriteWorkerID(ctx, flag.Lookup("id").Value.String())
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return fmt.Errorf("--provision_endpoint %s: %w", provision, err)
	}
	var options runtime.RawOptionsWrapper
	if err := tools.ProtoToOptions(info.GetPipelineOptions(), &options); err != nil {
		return err
	}
	runtime.GlobalOptions.Import(options.Options)
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(),
		harness.Options{StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities()})
}
