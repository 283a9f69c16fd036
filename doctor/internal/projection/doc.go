// Package projection holds the least squares of package doctor: projections on columns that are added one by one,
// equations of several joints with weights found by maximum likelihood, cubics through neighbouring rows, medians and quanta.
package projection
