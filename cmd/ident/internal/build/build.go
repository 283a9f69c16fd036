// Package build tells the sources that the program was built from.
package build

import (
	"runtime"
	"runtime/debug"

	"ident/internal/vectorunit"
	"ident/project"
)

// Facts is the JSON document of ident version.
type Facts struct {
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

// Read returns the facts that the compiler wrote into the program.
func Read() Facts {
	d := Facts{Schema: "ident.version/1", Version: project.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
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
