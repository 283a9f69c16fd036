package identify

import (
	"math"
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
