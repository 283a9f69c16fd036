package main

import (
	"runtime"
	"runtime/debug"

	"ident/identify/project"
	"ident/internal/vectorunit"
)

// buildFacts is the JSON document of ident version.
type buildFacts struct {
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

// readBuild returns the facts that the compiler wrote into the program.
func readBuild() buildFacts {
	d := buildFacts{Schema: "ident.version/1", Version: project.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
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
	if vectorunit.AVX2() {
		return "AVX2"
	}
	return "portable code"
}
