package excite

import (
	"fmt"
	"strings"
	"testing"
)

// A motion from a file whose duration or coefficients no robot has is an error that names what is wrong.
func TestMotionsAreValid(t *testing.T) {
	series := func(period, q0, a string) string {
		return fmt.Sprintf(`{"schema":"ident.trajectory/1","period_s":%s,"joints":[{"name":"elbow","q0":%s,"a":[%s,0.1],"b":[0.2,-0.1]}]}`, period, q0, a)
	}
	knots := `{"schema":"ident.polynomials/1","knots_s":[0,%s],"joints":[{"name":"elbow","c":[[0,0,0,%s,0,0]]}]}`
	if _, err := ReadMotion([]byte(series("10", "0", "0.3"))); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		series("1e17", "0", "0.3"):       "lasts 1e+17 s",
		series("1e308", "0", "0.3"):      "lasts",
		series("1e-300", "0", "0.3"):     "acceleration",
		series("10", "-1e300", "0.3"):    "starts at -1e+300",
		series("10", "0", "1e160"):       `"elbow"`,
		fmt.Sprintf(knots, "1e12", "1"):  "lasts 1e+12 s",
		fmt.Sprintf(knots, "1e-9", "1"):  "velocity",
		fmt.Sprintf(knots, "1", "-1e99"): "velocity",
		`{"schema":"ident.motions/1","form":"sequence","parts":[` + series("10", "0", "0.3") + "," + series("1e9", "0", "0.3") + `]}`: "part 2",
	} {
		if m, err := ReadMotion([]byte(text)); err == nil || m != nil && err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
