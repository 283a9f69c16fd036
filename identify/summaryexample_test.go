package identify_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/estimate/summary"
	"ident/identify"
	"ident/identify/project"
)

// Two halves of a log are reduced apart, merged and fitted.
func ExampleProject_Reduce() {
	dir, err := os.MkdirTemp("", "arm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, arm := context.Background(), filepath.Join(dir, "arm.urdf")
	recorded, err := datasets.ExampleLog()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	var parts []*summary.Summary
	opt := identify.ReduceOptions{}
	for i, name := range []string{"first.parquet", "second.parquet"} {
		path, half := filepath.Join(dir, name), recorded.Rows()/2
		if err := datasets.Copy(ctx, path, recorded.Slice(i*half, (i+1)*half), nil); err != nil {
			log.Fatal(err)
		}
		part, err := identify.New(&project.Settings{Robot: arm}, true, path).Reduce(ctx, opt)
		if err != nil {
			log.Fatal(err)
		}
		parts, opt.Like = append(parts, part), part
	}
	all, err := summary.Merge(parts[1], parts[0])
	if err != nil {
		log.Fatal(err)
	}
	fit, err := identify.FitSummary(ctx, all, new(project.Settings))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all.Runs), "runs,", len(fit.Result.BaseParameters), "base parameters")
	// Output: 2 runs, 58 base parameters
}
