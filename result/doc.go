// Package result holds the outcome of an identification as a plain value and a JSON
// document.
//
// Describe fills the tables of a Result from a solution: base parameters with intervals,
// and standard parameters lifted so that those which no data determine keep the robot
// file's values and the others follow; set.FromStandard of the lifted parameters is the
// estimate. Lifted bodies that cannot exist are named. DescribePossibility,
// DescribeConsistent, DescribeGains and DescribePayloads add their tables, DescribeNotes the
// remarks of the estimator. Judge answers with verdicts, against Limits.
//
// Identified is the robot that carries a result's parameters, for export, and checks
// that a written robot file still has them.
package result
