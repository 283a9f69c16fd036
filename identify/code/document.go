package code

import (
	"slices"

	"ident/regressor"
	"ident/symbolic"
)

// Document is the JSON document of ident codegen.
type Document struct {
	Schema     string           `json:"schema"`
	Robot      string           `json:"robot"`
	Name       string           `json:"name"`
	Parameters []string         `json:"parameters"`
	Base       bool             `json:"base"`
	Models     []Model          `json:"models"`
	Files      []string         `json:"files"`
	Notes      []string         `json:"notes"`
	Terms      []regressor.Term `json:"terms"`
}

// Model is one program of the document.
type Model struct {
	Model     string          `json:"model"`
	Function  string          `json:"function"`
	Arguments []string        `json:"arguments"`
	Counts    symbolic.Counts `json:"operations"`
}

// Arguments lists the arguments of a program: vectors by their group and symbols by their names.
func Arguments(p *symbolic.Program) []string {
	names := []string{}
	for _, in := range p.Inputs {
		name := in.Group
		if name == "" || in.Kind == symbolic.Geometry {
			name = in.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
