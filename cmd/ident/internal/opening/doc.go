// Package opening shows a log before it is fitted: a page on the loopback interface with what was read, the curves, the
// guesses as controls, the findings with their repairs as switches, and the project file that they make. The program
// makes every guess and every judgement; the page shows them and asks.
package opening
