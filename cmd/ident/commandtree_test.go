package main

import (
	"io"
	"strings"
	"testing"
)

// A command that is made alone is the one of its name, with the options and the group that it has among all.
func TestCommandAlone(t *testing.T) {
	s := streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, inUse: new(inUse)}
	all := newRoot(s)
	for _, g := range commandGroups() {
		for _, m := range g.makers {
			whole, _, err := all.Find([]string{m.name})
			if err != nil || whole.Name() != m.name {
				t.Fatalf("%s: %v among all commands, %v", m.name, whole.Name(), err)
			}
			root := rootOf(s, []string{m.name, "--help"})
			alone, _, err := root.Find([]string{m.name})
			if err != nil || alone.Name() != m.name || alone.GroupID != g.title || strings.Join(flagNames(alone), " ") != strings.Join(flagNames(whole), " ") {
				t.Errorf("%s alone is %v of %q with %v, %v", m.name, alone.Name(), alone.GroupID, flagNames(alone), err)
			}
			if own := len(root.Commands()); m.name != "man" && own != 1 {
				t.Errorf("%d commands were made for %s", own, m.name)
			}
		}
	}
	for _, args := range [][]string{nil, {"help", "fit"}, {"man"}, {"chek"}, {"__complete", "fit"}} {
		if n := len(commandNames(rootOf(s, args))); n != len(commandNames(all)) {
			t.Errorf("%d of %d commands for %q", n, len(commandNames(all)), args)
		}
	}
}
