package datasets

import (
	"math"
	"testing"
)

// The heads of other programs' tables: bars between cells, a head behind MATLAB's sign of comments, units behind a slash (ISO 80000-1), and
// units of drives and of spreadsheets.
func TestHeadsOfPrograms(t *testing.T) {
	for _, text := range []string{
		"t|q1|tau1\n0|1.5|2\n0.01|1.6|3\n",
		"% t q1 tau1\n0 1.5 2\n0.01 1.6 3\n",
		"% written by a program\n% t,q1,tau1\n0,1.5,2\n0.01,1.6,3\n",
		"t / ms,q1 / mrad,tau1 / mNm\n0,1500,2000\n10,1600,3000\n",
		"t [s],q1,tau1 [kgf·cm]\n0,1.5,20.394324259\n0.01,1.6,30.591486389\n",
		"t [s],q1,tau1 [oz.in]\n0,1.5,283.2238654\n0.01,1.6,424.8357981\n",
		"t [d],q1,tau1\n0,1.5,2\n1.1574074074074074e-7,1.6,3\n",
	} {
		_, values := opened(t, text, Options{})
		for name, want := range map[string][]float64{"t": {0, 0.01}, "q1": {1.5, 1.6}, "tau1": {2, 3}} {
			got := values[name]
			if len(got) != 2 || math.Abs(got[0]-want[0]) > 1e-8 || math.Abs(got[1]-want[1]) > 1e-8 {
				t.Errorf("%s is %v in\n%s", name, got, text)
			}
		}
	}
	// A name with a slash keeps it if no unit follows.
	if name, unit := splitUnit("force / moment"); name != "force / moment" || unit != "" {
		t.Errorf("%q, %q", name, unit)
	}
}
