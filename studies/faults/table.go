package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// print writes the table of the study.
func print(records []record, kinds int) {
	slices.SortFunc(records, func(a, b record) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Subject, b.Subject))
	})
	families := map[string][]record{}
	var order []string
	clean, said, seconds := 0, 0, 0.0
	for _, r := range records {
		seconds += r.Seconds
		if r.Kind == "" {
			if clean++; r.Class != "silent" {
				said++
				fmt.Println(r.line())
			}
			continue
		}
		if families[r.Family] == nil {
			order = append(order, r.Family)
		}
		families[r.Family] = append(families[r.Family], r)
	}
	fmt.Printf("\n| family | harmful | named | in a group | unexplained | silent | of these graded sound | another fault named | other values can mend | mended | harmless: named | silent | wrong |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var all []record
	for _, f := range order {
		row(f, families[f])
		all = append(all, families[f]...)
	}
	row("all", all)
	worse := 0
	for _, r := range all {
		if r.Mended > spoilt*r.Faulty {
			worse++
			fmt.Println("repair that harms:", r.line())
		}
	}
	for _, class := range []string{"unexplained", "silent", "wrong"} {
		var texts []string
		for _, r := range all {
			if r.Harmful && r.Class == class {
				texts = append(texts, r.Kind+" on "+r.Subject+pick(class != "silent", " ("+r.Text+")", "")+pick(r.Grade != "", " ["+r.Grade+"]", ""))
			}
		}
		fmt.Printf("\n%s: %s\n", class, strings.Join(texts, "; "))
	}
	fmt.Printf("\n%d runs of %d kinds; %d of %d sound logs named; %d repairs raise the error; %.2f s of judging a log\n", len(all), kinds, said, clean, worse, seconds/float64(max(len(records), 1)))
}

// row is the line of a family.
func row(name string, records []record) {
	count := func(of func(r record) bool) int {
		n := 0
		for _, r := range records {
			if of(r) {
				n++
			}
		}
		return n
	}
	class := func(harmful bool, classes ...string) int {
		return count(func(r record) bool { return r.Harmful == harmful && slices.Contains(classes, r.Class) })
	}
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, count(func(r record) bool { return r.Harmful }), class(true, "named"), class(true, "group"), class(true, "unexplained"), class(true, "silent"),
		count(func(r record) bool { return r.Harmful && r.Grade == "sound" }), class(true, "wrong"),
		count(func(r record) bool { return r.Harmful && r.Mendable }),
		count(func(r record) bool {
			return r.Harmful && r.Mendable && r.Mended > 0 && r.Mended <= restored*max(r.Clean, leastClean)
		}),
		class(false, "named", "group"), class(false, "silent"), class(false, "wrong"))
}

// leastClean is an error below which a fit of a repaired log counts as restored without a comparison: a thousandth of the torque.
const leastClean = 1e-3
