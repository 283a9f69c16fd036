package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"ident/internal/vectorunit"
	"ident/project"
)

// versionDoc is the JSON document of ident version.
type versionDoc struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Go       string `json:"go"`                 // version of the compiler
	System   string `json:"system"`             // operating system and architecture
	Revision string `json:"revision,omitempty"` // commit that the program was built from
	Time     string `json:"time,omitempty"`     // of that commit
	Modified bool   `json:"modified,omitempty"` // the checkout had changes
	Vectors  string `json:"vectors"`            // instructions that are used here
	Cores    int    `json:"cores"`
}

func newVersion(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "the version, and what the program was built from",
		Long: `Print the version, the commit and the compiler that the program was built by, the system,
and the vector unit that it uses here. Reports of errors are easier to follow with it.`,
		Example: `  ident version
  ident version --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d := buildFacts()
			if asJSON {
				return project.WriteJSON(s.data, d)
			}
			fmt.Fprintf(s.out, "ident %s\n%s, %s, %d cores, %s\n", d.Version, d.Go, d.System, d.Cores, d.Vectors)
			if d.Revision != "" {
				changed := ""
				if d.Modified {
					changed = ", with changes"
				}
				fmt.Fprintf(s.out, "commit %s of %s%s\n", d.Revision, d.Time, changed)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document to standard output")
	return c
}

// buildFacts are those that the compiler wrote into the program.
func buildFacts() versionDoc {
	d := versionDoc{Schema: "ident.version/1", Version: Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Vectors: vectorUnit(), Cores: runtime.GOMAXPROCS(0)}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return d
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			d.Revision = s.Value
		case "vcs.time":
			d.Time = s.Value
		case "vcs.modified":
			d.Modified = s.Value == "true"
		}
	}
	return d
}

// vectorUnit names the instructions that the program works with here.
func vectorUnit() string {
	switch vectorunit.Best() {
	case vectorunit.AVX512:
		return "AVX-512"
	case vectorunit.AVX2:
		return "AVX2"
	}
	return "portable code"
}
