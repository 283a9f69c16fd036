// Package series keeps the rows of a run for drawings and for the file of residuals, in a bounded memory: all rows of a
// short run, every second, fourth and so on of a longer one ([Series]), and beside these the least and largest values of
// stretches and the rows about the largest residuals, so that no drawing of millions of rows hides a peak.
package series
