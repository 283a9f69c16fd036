// Package fourier transforms real sequences of any length, of two, three, five and few other factors in n·log n operations,
// by Stockham's method, which sorts as it goes (Cochran et al., Proc. IEEE 55, 1967). gonum's transform passes small
// structures by value; where the stack happens to place them across cache lines it takes six times as long.
package fourier
