module ident/flexible

go 1.26.0

require (
	gonum.org/v1/gonum v0.17.0
	ident v0.0.0
	pgregory.net/rapid v1.3.0
)

require (
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sys v0.48.0 // indirect
)

replace ident => ../
