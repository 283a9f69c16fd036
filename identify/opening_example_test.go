package identify_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify"
)

// The whole path, from two files to the folder of a result.
func Example() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)

	p, err := identify.Open(filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.parquet"))
	if err != nil {
		log.Fatal(err)
	}
	p.Settings.TrainFraction = 0.6 // the rest validates
	fit, err := p.Fit(context.Background(), identify.FitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := fit.Write(context.Background(), filepath.Join(dir, "result"), identify.WriteOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d base parameters; %.0f %% of the training torques are left, %.0f %% of others\n", len(fit.Result.BaseParameters),
		fit.Result.Fit.RelativeError.Stacked, fit.Result.Validation.RelativeError.Stacked)
	// Output:
	// 58 base parameters; 1 % of the training torques are left, 1 % of others
}

// exampleFiles writes the embedded robot and the first third of its log into a temporary folder.
func exampleFiles() string {
	dir, err := os.MkdirTemp("", "arm")
	if err != nil {
		log.Fatal(err)
	}
	recorded, err := datasets.ExampleLog()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "arm.urdf"), datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := datasets.Copy(context.Background(), filepath.Join(dir, "log.parquet"), recorded.Slice(0, recorded.Rows()/3), nil); err != nil {
		log.Fatal(err)
	}
	return dir
}
