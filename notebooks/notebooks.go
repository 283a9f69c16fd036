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
	_ "ident/estimate"
	_ "ident/excite"
	_ "ident/filter"
	_ "ident/identify/regression"
	_ "ident/mechanics/dynamics"
	_ "ident/mechanics/flexible"
	_ "ident/mechanics/tasks"
	_ "ident/notebooks/show"
	_ "ident/physical"
	_ "ident/regressor"
	_ "ident/report"
	_ "ident/result"
	_ "ident/robot"
	_ "ident/simulate"
	_ "ident/simulate/plant"
	_ "ident/simulate/servo"
)
