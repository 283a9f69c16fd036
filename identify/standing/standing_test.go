package standing

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"ident/estimate"
	"ident/filter"
	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/swaytest"
	"ident/internal/testrobot"
	"ident/observation/feet"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// swaying returns a quadruped that is described by a file and has other bodies in truth, and logs of its sways with a
// multiple of usual noise.
func swaying(t testing.TB, seed uint64, seconds, noise float64) (Robot, []float64, Log) {
	t.Helper()
	return swayingOn(t, seed, seed, noise, -1, swaytest.Options{Seconds: seconds})
}

// swayingOn is swaying, of the robot of the file itself if the seed is 0, for a motion of its own seed, with the foot lifted in the air and its leg in motion.
func swayingOn(t testing.TB, seed, motion uint64, noise float64, lifted int, opt swaytest.Options) (Robot, []float64, Log) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0x109))
	truth := testrobot.Quadruped(t, nil)
	if seed > 0 {
		truth = testrobot.Quadruped(t, rng)
	}
	r := Robot{Robot: testrobot.Quadruped(t, nil), Terms: []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs},
		Sensor: feet.Sensor{Turn: spatial.Eye(), At: spatial.Vec{-0.03, 0, 0.04}}}
	for _, leg := range testrobot.QuadrupedLegs {
		for j := range truth.Links {
			if truth.Links[j].Name == leg+"_calf" {
				r.Feet = append(r.Feet, regressor.Foot{Name: leg, Link: j, Centre: testrobot.QuadrupedFoot, Radius: testrobot.QuadrupedRadius})
			}
		}
	}
	m, err := regressor.NewDynamic(truth, r.Terms)
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(m.Columns()))
	for c, col := range m.Columns() {
		chi[c], _ = regressor.ValueOf(truth, col)
		switch col.Term {
		case regressor.Ia:
			chi[c] = 0.01
		case regressor.Fv:
			chi[c] = 0.1
		case regressor.Fs:
			chi[c] = 0.2
		}
	}
	standing := slices.Clone(r.Feet)
	if lifted >= 0 {
		standing = slices.Delete(standing, lifted, lifted+1)
	}
	opt.Start = []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7}
	sway := swaytest.New(t, truth, standing, m, chi, motion, opt)
	rng = rand.New(rand.NewPCG(seed, motion))
	add := func(x []float64, sigma float64) []float64 {
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = v + noise*sigma*rng.NormFloat64()
		}
		return out
	}
	l := Log{Name: "sway", DT: sway.DT}
	for k := range sway.Q {
		l.Q, l.Torque = append(l.Q, add(sway.Q[k], 1e-4)), append(l.Torque, add(sway.Torque[k], 0.1))
	}
	count := len(sway.Up[0])
	for k := range 3 {
		l.Gyro[k], l.Force[k] = make([]float64, count), make([]float64, count)
	}
	for i := range count {
		w, dw, f := vec(&sway.Base.Rate, i), vec(&sway.Base.Acceleration, i), vec(&sway.Base.SpecificForce, i)
		f = spatial.Add(f, spatial.Add(spatial.Cross(dw, r.Sensor.At), spatial.Cross(w, spatial.Cross(w, r.Sensor.At))))
		for k := range 3 {
			l.Gyro[k][i], l.Force[k][i] = w[k], f[k]
		}
	}
	for k := range 3 {
		l.Gyro[k], l.Force[k] = add(l.Gyro[k], 3e-3), add(l.Force[k], 0.05)
	}
	if lifted >= 0 {
		l.Sticks = make([][]bool, len(r.Feet))
		l.Sticks[lifted] = make([]bool, count)
	}
	return r, chi, l
}

func vec(x *[3][]float64, i int) spatial.Vec { return spatial.Vec{x[0][i], x[1][i], x[2][i]} }

// deviations returns, by base parameter, the error in standard deviations.
func deviations(f *Fit, chi []float64) []float64 {
	var z []float64
	for k, x := range f.Set.FromStandard(chi) {
		z = append(z, (f.Solution.X[k]-x)/math.Sqrt(f.Solution.Covariance[k][k]))
	}
	return z
}

// within returns the share of parameters whose intervals hold the truth.
func within(f *Fit, chi []float64) float64 {
	n := 0
	for k, z := range deviations(f, chi) {
		if math.Abs(z) <= estimate.StudentQuantile(f.Solution.DegreesOfFreedom[k]) {
			n++
		}
	}
	return float64(n) / float64(len(f.Solution.X))
}

// Without noise a sway gives the parameters back as far as the low-pass of the motion allows, and with usual noise the
// intervals hold.
func TestSwayRecovers(t *testing.T) {
	const seconds = 15
	r, _, l := swaying(t, 1, seconds, 0)
	s := DefaultSettings()
	s.Held = false
	f, err := FitLogs(t.Context(), r, []Log{l}, s)
	if err != nil {
		t.Fatal(err)
	}
	if f.Set.Count() != 130 || f.Percent > 0.05 {
		t.Errorf("without noise: %d parameters and an error of %.3g %%, want 130 and none", f.Set.Count(), f.Percent)
	}
	r, chi, l := swaying(t, 1, seconds, 1)
	if f, err = FitLogs(t.Context(), r, []Log{l}, s); err != nil {
		t.Fatal(err)
	}
	if share := within(f, chi); share < 0.88 {
		t.Errorf("%.3g of the intervals hold", share)
	}
	for k, z := range deviations(f, chi) {
		if math.Abs(z) > 5 {
			t.Errorf("%s is %.3g standard deviations off", f.Set.Name(k), z)
		}
	}
	if g := f.Gates(0); len(g) > 0 {
		t.Errorf("a sound sway: %+v", g)
	}
	out, err := f.Outcome(t.Context(), []Log{l}, physical.BodyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Result.Valid(); err != nil {
		t.Error(err)
	}
	if n := len(out.Result.Joints); n != 12 || len(out.Residuals[0].Measured) != n || len(out.Residuals[0].T) != f.Samples {
		t.Errorf("%d joints, %d curves", n, len(out.Residuals[0].Measured))
	}
	for _, leg := range testrobot.QuadrupedLegs {
		if !slices.ContainsFunc(out.Result.Notes, func(n string) bool { return strings.Contains(n, "point mass at "+leg) }) {
			t.Errorf("the notes do not say what foot %s hides: %q", leg, out.Result.Notes)
		}
	}
}

// Each foot in the air in turn shows the masses that feet hide, and the tilt of the base is found beside the parameters: sways that hardly
// turn the base leave it to an accelerometer with a bias.
func TestLiftedFeet(t *testing.T) {
	var logs []Log
	var r Robot
	var chi []float64
	for lifted := range testrobot.QuadrupedLegs {
		var l Log
		r, chi, l = swayingOn(t, 3, uint64(lifted+1), 1, lifted, swaytest.Options{Seconds: 10, Size: 0.3, Swing: 0.5})
		l.Name = testrobot.QuadrupedLegs[lifted]
		for i := range l.Force[0] {
			l.Force[0][i] += 0.1
		}
		logs = append(logs, l)
	}
	s := DefaultSettings()
	s.Held = false
	f, err := FitLogs(t.Context(), r, logs, s)
	if err != nil {
		t.Fatal(err)
	}
	if share := within(f, chi); share < 0.88 {
		t.Errorf("%.3g of the intervals hold", share)
	}
	for k, z := range deviations(f, chi) {
		if math.Abs(z) > 5 {
			t.Errorf("%s is %.3g standard deviations off", f.Set.Name(k), z)
		}
	}
	if len(f.Stance.Modes) != 5 || len(f.fitting.planted()) != 0 {
		t.Errorf("ways of standing: %v", f.Stance.Modes)
	}
	out, err := f.Outcome(t.Context(), logs, physical.BodyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(out.Result.Notes, func(n string) bool { return strings.Contains(n, "point mass") }) {
		t.Errorf("the notes say that a lifted foot hides a mass: %q", out.Result.Notes)
	}
	t.Logf("tilts %.2g m/s²", f.Tilt)
}

// Legs that are mirror images are known better by each other, and intervals hold; other links are no mirror images.
func TestMirroredLegs(t *testing.T) {
	r, chi, l := swayingOn(t, 0, 5, 1, -1, swaytest.Options{Seconds: 12})
	s := DefaultSettings()
	s.Held = false
	plain, err := FitLogs(t.Context(), r, []Log{l}, s)
	if err != nil {
		t.Fatal(err)
	}
	link := func(name string) int {
		return slices.IndexFunc(r.Robot.Links, func(l robot.Link) bool { return l.Name == name })
	}
	for _, pair := range [][2]string{{"fl", "fr"}, {"rl", "rr"}} {
		for _, part := range []string{"_hip_link", "_thigh_link", "_calf"} {
			m, err := NewMirrored(r.Robot, link(pair[0]+part), link(pair[1]+part))
			if err != nil {
				t.Fatal(err)
			}
			got, want := r.Robot.Links[m.Left].Inertial.InFrame(m.Image), r.Robot.Links[m.Right].Inertial
			for p := range want {
				if math.Abs(got[p]-want[p]) > 1e-12 {
					t.Errorf("%s%s: the image has %s %.6g, want %.6g", pair[0], part, robot.InertialNames[p], got[p], want[p])
				}
			}
			r.Mirrored = append(r.Mirrored, m)
		}
	}
	f, err := FitLogs(t.Context(), r, []Log{l}, s)
	if err != nil {
		t.Fatal(err)
	}
	ratio, n := 0.0, 0
	for k, c := range f.Set.Base {
		if col := f.Set.Columns[c]; col.Term == regressor.Links && col.Link > link("trunk") {
			ratio += math.Log(f.Solution.Covariance[k][k]/plain.Solution.Covariance[k][k]) / 2
			n++
		}
	}
	ratio = math.Exp(ratio / float64(n))
	t.Logf("standard deviations of the legs' bodies: %.3g of those without, %d combinations, %.3g hold", ratio, len(f.fitting.mirrors), within(f, chi))
	if share := within(f, chi); share < 0.88 || ratio > 0.8 || len(f.Unlike) > 0 {
		t.Errorf("%.3g of the intervals hold, and are %.3g as wide", share, ratio)
	}
	opt := swaytest.Options{Seconds: 12, Size: 0.3, Swing: 0.5}
	other, _, left := swayingOn(t, 4, 5, 1, 0, opt)
	_, _, right := swayingOn(t, 4, 6, 1, 1, opt)
	other.Mirrored = r.Mirrored
	if f, err = FitLogs(t.Context(), other, []Log{left, right}, s); err != nil || len(f.Unlike) == 0 {
		t.Errorf("legs of different bodies: %v, unlike %q", err, f.Unlike)
	}
	t.Logf("unlike: %q", f.Unlike)
	if _, err := NewMirrored(r.Robot, link("fl_calf"), link("rr_calf")); err == nil {
		t.Error("legs across are mirror images")
	}
}

// The intervals of 95 % hold for 93 to 97 % of the parameters of sways of many robots.
func TestSwayIntervals(t *testing.T) {
	long.Only(t, "twenty sways of 30 s")
	all, hold := 0, 0.0
	for seed := range uint64(20) {
		r, chi, l := swaying(t, 100+seed, 30, 1)
		s := DefaultSettings()
		s.Held = false
		f, err := FitLogs(t.Context(), r, []Log{l}, s)
		if err != nil {
			t.Fatal(err)
		}
		all += len(f.Solution.X)
		hold += within(f, chi) * float64(len(f.Solution.X))
	}
	share := hold / float64(all)
	t.Logf("%.2f %% of %d intervals hold", 100*share, all)
	if share < 0.93 || share > 0.97 {
		t.Errorf("%.3g of %d intervals hold", share, all)
	}
}

// The columns of a chunk are those of the whole log but for the margin of the low-pass.
func TestColumnsOfChunks(t *testing.T) {
	r, _, l := swaying(t, 0, 12, 1)
	f, err := FitLogs(t.Context(), r, []Log{l}, DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	of, track := f.fitting, f.tracks[0]
	low, err := filter.Butterworth(of.settings.Order, of.settings.Cutoff, 1/track.dt)
	if err != nil {
		t.Fatal(err)
	}
	count, margin, file := len(track.in.Q[0]), low.Tail(chunkRest), of.ofFile()
	const first, last = 400, 800
	whole, part, ws := of.model.NewBlock(count), of.model.NewBlock(last-first), of.model.NewWorkspace()
	pull := of.columns(track, 0, count, file, low, whole, ws)
	pulled := of.columns(track, first, last, file, low, part, ws)
	same := func(what string, whole, part []float64) {
		size := floats.Norm(whole, math.Inf(1))
		for i := first + margin; i < last-margin; i++ {
			if off := math.Abs(part[i-first] - whole[i]); off > 10*chunkRest*size {
				t.Fatalf("%s differs by %g of %g at sample %d", what, off, size, i)
			}
		}
	}
	for k := range whole.Joint {
		for m := range whole.Joint[k] {
			same("a column", whole.Joint[k][m], part.Joint[k][m])
		}
		for axis := range pull {
			same("a tilt", pull[axis][k], pulled[axis][k])
		}
	}
}

// A flag that says that a foot is in the air while it bears its load is told by the name of the foot; true ones are not.
func TestFlagsLie(t *testing.T) {
	r, _, l := swayingOn(t, 3, 1, 1, 2, swaytest.Options{Seconds: 6, Size: 0.3, Swing: 0.5})
	s := DefaultSettings()
	s.Held = false
	for _, said := range []int{2, 0} {
		l.Sticks = make([][]bool, 4)
		l.Sticks[said] = make([]bool, len(l.Q[0]))
		f := &fitting{robot: r, settings: s}
		var err error
		if f.base, err = regressor.FloatingBaseOf(r.Robot); err != nil {
			t.Fatal(err)
		}
		if f.sticking, err = regressor.NewSticking(r.Robot, r.Feet); err != nil {
			t.Fatal(err)
		}
		of, err := f.follow(&l)
		if err != nil {
			t.Fatal(err)
		}
		switch told := of.lies; {
		case said == 2 && len(told) > 0:
			t.Errorf("true flags: %+v", told)
		case said == 0 && (len(told) != 1 || told[0].Foot != r.Feet[0].Name || !told[0].Fatal):
			t.Errorf("a flag that lies: %+v", told)
		}
	}
}

// A foot without a load stands as long as it is still in the plane of those that bear the robot: until it rises.
func TestTouch(t *testing.T) {
	r, _, _ := swaying(t, 0, 0.1, 0)
	base, err := regressor.FloatingBaseOf(r.Robot)
	if err != nil {
		t.Fatal(err)
	}
	f := &fitting{robot: r, base: base}
	log := feet.Log{DT: 0.01}
	bears := make([][]bool, 4)
	for k := range 12 {
		log.Q = append(log.Q, slices.Repeat([]float64{[]float64{0, 0.9, -1.7}[k%3]}, 200))
	}
	for i := 100; i < 200; i++ { // the knee of the second leg bends, by 4 rad/s², and rests
		log.Q[5][i] -= 2 * math.Pow(0.01*float64(min(i, 150)-100), 2)
	}
	for foot := range bears {
		bears[foot] = slices.Repeat([]bool{foot != 1}, 200)
	}
	heights, err := f.heights(&log, bears)
	if err != nil {
		t.Fatal(err)
	}
	touch(bears, heights, log.DT)
	grazes := grazing(heights)
	for i := 1; i < 199; i++ {
		if want := i <= 100; bears[1][i] != want && (i < 100 || i > 102) || !bears[0][i] {
			t.Errorf("sample %d: the second foot touches: %t", i, bears[1][i])
		}
		if want := math.Abs(heights[1][i]) < touching; grazes[1][i] != want || grazes[0][i] || i > 110 && !(heights[1][i] > 0) {
			t.Errorf("sample %d: the second foot, %g m above the ground, grazes it: %t", i, heights[1][i], grazes[1][i])
		}
	}

	// Rows do not count while the foot is in the air and near enough to graze the ground.
	reach := 7
	track := &track{dt: log.DT, grazes: grazes, sticks: make([][]bool, 4)}
	for foot := range track.sticks {
		track.sticks[foot] = slices.Repeat([]bool{foot != 1}, 200)
	}
	mode := make([]bool, 4)
	for _, at := range []int{90, 190} {
		if steady, want := f.steady(mode, track, at, reach), at == 190; steady != want || mode[1] || !mode[0] {
			t.Errorf("sample %d counts: %t, standing %v", at, steady, mode)
		}
	}
}
