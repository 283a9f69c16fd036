// Package notebooks is no program: it imports the packages of the notebooks' cells,
// so that this module's go.mod and go.sum are complete and a cell needs no network.
package notebooks

import (
	_ "gonum.org/v1/gonum/floats"
	_ "gonum.org/v1/gonum/mat"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/plotter"

	_ "ident/baseparams"
	_ "ident/datasets"
	_ "ident/doctor"
	_ "ident/dynamics"
	_ "ident/estimate"
	_ "ident/excite"
	_ "ident/filter"
	_ "ident/flexible"
	_ "ident/identify"
	_ "ident/notebooks/show"
	_ "ident/physical"
	_ "ident/plant"
	_ "ident/regressor"
	_ "ident/report"
	_ "ident/result"
	_ "ident/robot"
	_ "ident/servo"
	_ "ident/simulate"
	_ "ident/tasks"
)
