package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
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

// An option that several commands share has one letter and one kind of value in all of them.
func TestSharedOptionsMeanTheSame(t *testing.T) {
	s := streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, inUse: new(inUse)}
	letters := map[string]string{"o": "output", "v": "verbose", "q": "quiet", "h": "help"}
	switches := []string{"verbose", "quiet", "help", "json", "force", "overwrite", "follow"}
	files := []string{"output", "html", quietLogFlag}
	seen := map[string]int{}
	for _, c := range newRoot(s).Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		for _, name := range []string{"quiet", "verbose"} {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("%s has no --%s", c.Name(), name)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			seen[f.Name]++
			for letter, name := range letters {
				if (f.Shorthand == letter) != (f.Name == name) {
					t.Errorf("%s: -%s is --%s, and --%s in other commands", c.Name(), f.Shorthand, f.Name, name)
				}
			}
			kind := f.Value.Type()
			switch {
			case slices.Contains(switches, f.Name) && (kind != "bool" || f.DefValue != "false"):
				t.Errorf("%s: --%s is %s %s, a switch in other commands", c.Name(), f.Name, kind, f.DefValue)
			case slices.Contains(files, f.Name) && !strings.HasPrefix(kind, "string"):
				t.Errorf("%s: --%s is %s, a file in other commands", c.Name(), f.Name, kind)
			}
			if f.Name == "quiet" && f.Usage != "print nothing but errors" || f.Name == "verbose" && !strings.Contains(f.Usage, "note") {
				t.Errorf("%s: --%s: %s", c.Name(), f.Name, f.Usage)
			}
		})
	}
	for _, name := range append(switches, files...) {
		if name != "help" && seen[name] < 2 {
			t.Errorf("--%s was seen in %d commands", name, seen[name])
		}
	}
}
