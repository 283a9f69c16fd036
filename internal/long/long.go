// Package long chooses the number of draws of a statistical test by the variable IDENT_LONG: every draw with
// IDENT_LONG=all, what the gate has time for with IDENT_LONG=1, and fewer for whoever works on the code.
// The bounds of such tests follow from the number of draws, so that a fault is found later
// with fewer of them, but a sound estimator fails no more often.
package long

import (
	"flag"
	"os"
	"testing"
)

// Set reports whether IDENT_LONG asks for the tests of the gate.
func Set() bool { return os.Getenv("IDENT_LONG") != "" }

// All reports whether IDENT_LONG is "all", which asks for every draw and case, up to a quarter of an hour for a test.
// The gate has a part of them.
func All() bool { return os.Getenv("IDENT_LONG") == "all" }

// Of returns gate where IDENT_LONG is set, few with -short, and some otherwise.
func Of(gate, some, few int) int {
	switch {
	case testing.Short():
		return few
	case Set():
		return gate
	}
	return some
}

// Draws returns all with IDENT_LONG=all, and otherwise what Of does.
func Draws(all, gate, some, few int) int {
	if All() && !testing.Short() {
		return all
	}
	return Of(gate, some, few)
}

// OnlyAll skips a test, or a part of one, that needs IDENT_LONG=all, and no -short. The reason says which tests of
// the gate stand for it.
func OnlyAll(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() || !All() {
		t.Skip("with IDENT_LONG=all alone: " + reason)
	}
}

// Only skips a test, or a part of one, that is for the gate: it needs IDENT_LONG, and no -short. The reason says
// which tests of an ordinary run stand for it.
func Only(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() || !Set() {
		t.Skip("with IDENT_LONG=1 alone: " + reason)
	}
}

// NotShort skips a test with -short. The reason says which quicker tests stand for it.
func NotShort(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: " + reason)
	}
}

// Properties has property tests draw 40 cases in place of rapid's 100 where IDENT_LONG is not set, and a fifth of them
// with -short as before. It is for TestMain; the flag -rapid.checks, which is read after that, says otherwise.
func Properties() {
	if checks := flag.Lookup("rapid.checks"); checks != nil && !Set() {
		if err := checks.Value.Set("40"); err != nil {
			panic(err)
		}
	}
}
