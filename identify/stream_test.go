package identify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ident/identify/project"
)

// A line of units below the names of a stream counts for all rows, in whatever pieces the text comes.
func TestStreamUnits(t *testing.T) {
	for _, pieces := range [][]string{{"t,q\ns,deg\n0,180\n", "1,90\n"}, {"t,q\n", "s,deg\n", "0,180\n", "1,90\n"}} {
		s := stream{settings: &project.Settings{}, name: "-"}
		var got []float64
		for _, p := range pieces {
			if err := s.sections([]byte(p), func(p section) error {
				log, _, err := s.log(p)
				if err != nil || log == nil {
					return err
				}
				q, err := log.Column("q")
				got = append(got, q...)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		s.close()
		if len(got) != 2 || math.Abs(got[0]-math.Pi) > 1e-15 || math.Abs(got[1]-math.Pi/2) > 1e-15 {
			t.Errorf("%q: %v, want π and π/2", pieces, got)
		}
	}
}

// Lines that are no rows are left out with their numbers, names that come again are read in their order, and text above them names nothing.
func TestStreamLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []float64 // channel q
		lost       []int     // lines
	}{
		{"garbage", "t,q\n0,1\nTraceback (most recent call last):\n1,2\n1,2,3\n\x00\n2,3\n", []float64{1, 2, 3}, []int{3, 5, 6}},
		{"the names again", "t,q\n0,1\nt,q\n1,2\n", []float64{1, 2}, []int{3}},
		{"the names in another order", "t,q\n0,1\nq,t\n2,1\n", []float64{1, 2}, nil},
		{"names that none can read", "t,q\n0,1\nt,q,q\n1,2\n", []float64{1, 2}, []int{3}},
		{"a log of another program above", "[INFO] up, running, well\nt,q\n0,1\n", []float64{1}, []int{1}},
		{"cut JSON", "{\"t\": 0, \"q\": 1}\n{\"t\": 1, \"q\"\nnull\n{}\n[1]\n{\"q\": 2, \"t\": 1}\n", []float64{1, 2}, []int{2, 3, 4, 5}},
		{"JSON from the middle of a line", "\": 3, \"q\": 4}\n{\"t\": 0, \"q\": 1}\n", []float64{1}, []int{1}},
		{"cells in another form", "t,q\n0,1\n1,2026-11-29\n2,12:30:01.5\n3,4\n4,1.234.567\n5,\"6\n6,7\n", []float64{1, 4, 7}, []int{3, 4, 6, 7}},
		{"text before the sender begins", "t,q\n!,!\n!,!\n!,!\n0,1\n1,2\n2,3\n3,4\n", []float64{1, 2, 3, 4}, []int{2, 3, 4}},
		{"a line without an end", "t,q\n0,1\n" + strings.Repeat("9", maxLine+1) + "\n1,2\n", []float64{1, 2}, []int{3}},
	} {
		for _, whole := range []bool{true, false} {
			s := stream{settings: &project.Settings{}, name: "-"}
			var got []float64
			var lines []int
			pieces := []string{c.text}
			if !whole {
				pieces = slices.Collect(strings.Lines(c.text))
			}
			for _, p := range pieces {
				if err := s.sections([]byte(p), func(p section) error {
					log, lost, err := s.log(p)
					for _, l := range lost {
						lines = append(lines, l.line)
					}
					if err != nil || log == nil {
						return err
					}
					q, err := log.Column("q")
					got = append(got, q...)
					return err
				}); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
			}
			s.close()
			if !slices.Equal(got, c.want) || !slices.Equal(lines, c.lost) {
				t.Errorf("%s, at once %v: %v without lines %v, want %v without %v", c.name, whole, got, lines, c.want, c.lost)
			}
		}
	}
}
