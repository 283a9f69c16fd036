package estimate

import "ident/internal/triangle"

// Factor is the triangular summary of rows [W y]: R, Z = Qᵀy, the residual sum of
// squares and the count. Reductions, solutions and changes of rows are made of them.
type Factor = triangle.Factor

// Work is the working memory for reducing rows. The zero value is ready to use; only one goroutine at a time may use it.
type Work = triangle.Work
