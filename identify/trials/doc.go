// Package trials runs a virtual experiment many times, fits each record by several
// estimators, and tells how the estimates lie about the parameters of the robot that was
// simulated: their bias, their scatter, and how often the stated intervals hold the truth.
//
// # Figures
//
// Of N records, with the estimates x, their stated standard deviations σ and the truth x₀ of one base
// parameter,
//
//	bias      mean x − x₀, of a deviation scatter/√N
//	scatter   standard deviation of x
//	stated    root mean square of σ
//	coverage  part of the records whose 95 % interval holds x₀
//
// and over all parameters of an estimator: the coverage, that of the worst parameter, and the root mean square of
// bias/stated, 1/√N of an estimator without bias whose standard deviations are right. A record whose fit fails is
// counted with its reason and is in none of the figures.
package trials
