// Package projection holds the least squares of package doctor: projections on columns that are added one by one,
// equations of several joints with weights found by maximum likelihood, and cubics through neighbouring rows.
package projection
