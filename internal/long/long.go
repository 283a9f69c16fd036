// Package long chooses the number of draws of a statistical test by the variable IDENT_LONG: every draw with
// IDENT_LONG=all, what the gate has time for with IDENT_LONG=1, and fewer for whoever works on the code.
// The bounds of such tests follow from the number of draws, so that a fault is found later
// with fewer of them, but a sound estimator fails no more often.
package long

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Set reports whether IDENT_LONG asks for the tests of the gate.
func Set() bool { return os.Getenv("IDENT_LONG") != "" }

// All reports whether IDENT_LONG is "all", which asks for every draw and case, up to a quarter of an hour for a test.
// The gate has a part of them.
func All() bool { return os.Getenv("IDENT_LONG") == "all" }

// Of returns gate where IDENT_LONG is set, and few otherwise.
func Of(gate, few int) int {
	if Set() {
		return gate
	}
	return few
}

// Draws returns all with IDENT_LONG=all, and otherwise what Of does.
func Draws(all, gate, few int) int {
	if All() {
		return all
	}
	return Of(gate, few)
}

// OnlyAll skips a test, or a part of one, that needs IDENT_LONG=all. The reason says which tests of the gate stand for it.
func OnlyAll(t testing.TB, reason string) {
	t.Helper()
	if !All() {
		t.Skip("with IDENT_LONG=all alone: " + reason)
	}
}

// Only skips a test, or a part of one, that is for the gate: it needs IDENT_LONG. The reason says which tests of an
// ordinary run stand for it.
func Only(t testing.TB, reason string) {
	t.Helper()
	if !Set() {
		t.Skip("with IDENT_LONG=1 alone: " + reason)
	}
}

// Pace has the collector start later than in the commands of ident (GOGC=200), unless GOGC is set: a fit of a short log
// allocates ten times the memory that it holds. It is for TestMain of packages that fit and check logs.
func Pace() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// Properties has property tests draw 10 cases in place of rapid's 100 where IDENT_LONG is not set. It is for TestMain;
// the flag -rapid.checks, which is read after that, says otherwise.
func Properties() {
	if checks := flag.Lookup("rapid.checks"); checks != nil && !Set() {
		if err := checks.Value.Set("10"); err != nil {
			panic(err)
		}
	}
}
