package summary

import (
	"cmp"
	"slices"

	"ident/estimate"
)

// maxFindings is the number of findings that a joined run keeps.
const maxFindings = 32

// Joined returns the summary with all runs joined into one, for a robot with more logs than a fit can keep separately.
// Time blocks are merged with their neighbours, in the order of the runs, until there are at most the given number. Of
// the fingerprints the smallest are kept, at most the given number. The rows are those of all runs, and Seconds is the
// sum of theirs; the hashes of the files are lost, and all but the first finding of each kind and joint. It panics
// where there is no run.
func (s *Summary) Joined(name string, blocks, prints int) *Summary {
	first := s.Runs[0]
	one := Run{Name: name, Start: first.Start, Absolute: first.Absolute, Rate: first.Rate, Segments: 1}
	var all []Block
	for _, r := range s.Runs {
		all = append(all, r.Blocks...)
		one.Last += r.Last - r.First
		one.Seconds += r.Seconds
		one.Resampled = one.Resampled || r.Resampled
		one.Prints = append(one.Prints, r.Prints...)
		one.Findings = append(one.Findings, r.Findings...)
		for k, at := range r.ResolvedSpeeds {
			if k == len(one.ResolvedSpeeds) {
				one.ResolvedSpeeds = append(one.ResolvedSpeeds, at)
			}
			one.ResolvedSpeeds[k] = max(one.ResolvedSpeeds[k], at)
		}
	}
	var work estimate.Work
	one.Blocks = coarsened(all, blocks, 1, &work)
	if slices.ContainsFunc(one.Blocks, func(b Block) bool { return len(b.State) != len(one.Blocks[0].State) }) {
		one.Blocks = slices.Clone(one.Blocks)
		for i := range one.Blocks {
			one.Blocks[i].State = nil
		}
	}
	slices.Sort(one.Prints)
	one.Prints = slices.Clone(slices.Compact(one.Prints))
	one.Prints = one.Prints[:min(len(one.Prints), prints)]
	kind := func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Joint, b.Joint))
	}
	slices.SortStableFunc(one.Findings, kind)
	one.Findings = slices.CompactFunc(one.Findings, func(a, b Finding) bool { return kind(a, b) == 0 })
	one.Findings = slices.Clone(one.Findings[:min(len(one.Findings), maxFindings)])
	out := *s
	out.Runs = []Run{one}
	return &out
}
