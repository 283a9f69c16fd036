// Package curves keeps the torques of a result on disk, for its page and plots to be drawn again.
//
// residuals.parquet has the rows of all runs below each other: of a long run one row in as many as its stride says.
// long.parquet has the rest of long runs: the least and the largest value of each curve in buckets of rows, and the
// stretches at full rate about the largest residuals. A result without long runs has no such file, and results before
// version 0.3 have none at all.
package curves
