package identify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/spatial"
	"ident/internal/swaytest"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/result"
)

// standingLog writes the log of a sway of a quadruped other than the file's, with the noise of usual sensors, and the file,
// whose base does not float.
func standingLog(t *testing.T, dir string) (robotFile, log string, mass float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(64, 20))
	truth := testrobot.Quadruped(t, rng)
	var feet []regressor.Foot
	for j := range truth.Links {
		mass += truth.Links[j].Inertial.Mass()
		if strings.HasSuffix(truth.Links[j].Name, "_calf") {
			feet = append(feet, regressor.Foot{Link: j, Centre: testrobot.QuadrupedFoot, Radius: testrobot.QuadrupedRadius})
		}
	}
	m, err := regressor.NewDynamic(truth, []regressor.Term{regressor.Links, regressor.Fs})
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(m.Columns()))
	for c, col := range m.Columns() {
		if chi[c], _ = regressor.ValueOf(truth, col); col.Term == regressor.Fs {
			chi[c] = 0.2
		}
	}
	sway := swaytest.New(t, truth, feet, m, chi, 1, swaytest.Options{Seconds: 12, Start: []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7}})
	var b strings.Builder
	b.WriteString("t")
	for _, j := range truth.Moving()[6:] {
		fmt.Fprintf(&b, ",q_%[1]s,tau_%[1]s", truth.Links[j].Joint.Name)
	}
	b.WriteString(",imu_wx,imu_wy,imu_wz,imu_ax,imu_ay,imu_az\n")
	turn := spatial.RotZ(0.03) // of the sensor, which nobody knows
	for i := range sway.Up[0] {
		fmt.Fprintf(&b, "%.3f", float64(i)*sway.DT)
		for k := range sway.Q {
			// A drive holds its torque from this sample to the next.
			tau := sway.Torque[k][i]
			if i+1 < len(sway.Torque[k]) {
				tau = (tau + sway.Torque[k][i+1]) / 2
			}
			fmt.Fprintf(&b, ",%.6f,%.4f", sway.Q[k][i]+1e-4*rng.NormFloat64(), tau+0.1*rng.NormFloat64())
		}
		for _, x := range []struct {
			of    [3][]float64
			sigma float64
		}{{sway.Base.Rate, 3e-3}, {sway.Base.SpecificForce, 0.05}} {
			for _, v := range spatial.MulTVec(turn, spatial.Vec{x.of[0][i], x.of[1][i], x.of[2][i]}) {
				fmt.Fprintf(&b, ",%.5f", v+x.sigma*rng.NormFloat64())
			}
		}
		b.WriteString("\n")
	}
	urdf := testrobot.QuadrupedURDF(nil)
	from, to := strings.Index(urdf, `<link name="world"/>`), strings.Index(urdf, `<link name="trunk">`)
	urdf = urdf[:from] + urdf[to:]
	robotFile, log = filepath.Join(dir, "dog.urdf"), filepath.Join(dir, "sway.csv")
	for path, text := range map[string]string{robotFile: urdf, log: b.String()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return robotFile, log, mass
}

// A robot that stands is fitted from its files, weighed, written and read again. A wrong radius is refused.
func TestStandingFit(t *testing.T) {
	dir := t.TempDir()
	robotFile, log, mass := standingLog(t, dir)
	open := func(radius string) *identify.Project {
		p, err := identify.Open(robotFile, log)
		if err != nil {
			t.Fatal(err)
		}
		for _, leg := range testrobot.QuadrupedLegs {
			p.Settings.Feet = append(p.Settings.Feet, leg+"_calf=0/0/-0.2")
		}
		p.Settings.Feet[3] += ":" + radius
		p.Settings.TotalMass = fmt.Sprintf("%.3f±0.02", mass)
		return p
	}
	fit, err := open("0.025").Fit(t.Context(), identify.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	res := fit.Result
	if fit.Failed() || res.Fit.RelativeError.Stacked > 1 {
		t.Errorf("grade %+v, error %.3g %%", res.Grade, res.Fit.RelativeError.Stacked)
	}
	var found []string
	for _, f := range res.Findings {
		found = append(found, f.ID)
	}
	if len(found) != 1 || found[0] != "imu-mount" {
		t.Errorf("findings %v, want the mount of the sensor", found)
	}
	for _, b := range res.BaseParameters {
		if b.Name == "M6R" && (math.Abs(b.Value-mass) > 3*b.Sigma || b.Sigma > 0.021) {
			t.Errorf("a mass of %.3f ± %.3f kg, weighed %.3f ± 0.02", b.Value, b.Sigma, mass)
		}
	}
	out := filepath.Join(dir, "out")
	if err := fit.Write(t.Context(), out, identify.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	again, err := project.OpenFitted(out, folder.Seals{})
	if err != nil {
		t.Fatal(err)
	}
	if id := again.Identified(); len(id.Robot.Links) != 18 || again.Set.Count() != len(res.BaseParameters) {
		t.Errorf("read again: %d links, %d base parameters of %d", len(id.Robot.Links), again.Set.Count(), len(res.BaseParameters))
	}
	saved, err := identify.OpenResult(out, folder.Seals{})
	if err == nil {
		if _, err = saved.Validate(t.Context(), []string{log}, identify.ValidateOptions{}); err == nil || !strings.Contains(err.Error(), "stands") {
			t.Errorf("the result predicted a log: %v", err)
		}
	}
	_, err = open("0.029").Fit(t.Context(), identify.FitOptions{})
	var refused *project.FindingsError
	if !errors.As(err, &refused) || refused.Findings[0].ID != "foot-radius" {
		t.Errorf("a radius wrong by 4 mm: %v", err)
	}
	if res.Grade.Value == result.Unusable {
		t.Error("unusable")
	}
}
