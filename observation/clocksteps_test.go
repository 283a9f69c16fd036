package observation_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
)

// A clock that was set back or forward while the robot moved on is read as if it had gone on; two logs in one file, and one with a gap, are left
// as they are.
func TestReadClockThatWasSet(t *testing.T) {
	logs := long.Of(600, 60)
	read, kept := 0, 0
	for seed := range uint64(logs) {
		rng := rand.New(rand.NewPCG(seed, 59))
		dt := 0.001 * math.Pow(20, rng.Float64())
		digits := 1e6
		if rng.IntN(2) == 0 {
			digits = 1e3
		}
		joints, rows := 1+rng.IntN(5), 2000
		kind := []string{"back", "forward", "joined", "gap"}[seed%4]
		at := 200 + rng.IntN(rows-400)
		by := (0.02 + 3*dt) * math.Pow(1e4, rng.Float64())
		lost := int(max(0.3/dt, 100) * (1 + rng.Float64()))
		cols := make([][]float64, 1+joints)
		names := []datasets.Channel{{Name: "t"}}
		roles := datasets.Roles{T: "t"}
		noise := math.Pow(10, -5+rng.Float64())
		type wave struct{ a, w, p float64 }
		waves := make([][3]wave, joints)
		for j := range joints {
			name := string(rune('a' + j))
			names, roles.Q = append(names, datasets.Channel{Name: name}), append(roles.Q, name)
			for h := range 3 {
				waves[j][h] = wave{0.5 * rng.NormFloat64(), 0.6 * float64(h+1), 7 * rng.Float64()}
			}
		}
		for k := range rows {
			time, place := float64(k)*dt, float64(k)*dt
			if k >= at {
				switch kind {
				case "back":
					time -= by
				case "forward":
					time += by
				case "joined":
					time, place = float64(k-at)*dt, float64(k)*dt+3.3
				case "gap":
					time, place = float64(k+lost)*dt, float64(k+lost)*dt
				}
			}
			cols[0] = append(cols[0], math.Round(time*digits)/digits)
			for j := range joints {
				q := noise * rng.NormFloat64()
				for _, w := range waves[j] {
					q += w.a * math.Sin(w.w*place+w.p)
				}
				cols[1+j] = append(cols[1+j], q)
			}
		}
		l, err := observation.ReadClock(datasets.FromColumns("log", names, cols, nil), roles)
		if err != nil {
			t.Fatal(err)
		}
		times, err := l.Column("t")
		if err != nil {
			t.Fatal(err)
		}
		set := false
		for _, n := range l.Notes() {
			set = set || strings.Contains(n.Text, "was set")
		}
		switch kind {
		case "joined", "gap":
			if kept++; set {
				t.Errorf("%d: %s: %v", seed, kind, l.Notes())
			}
		default:
			if !set {
				t.Logf("%d: %s by %.3g s, %.3g s a row: not read", seed, kind, by, dt)
				continue
			}
			read++
			if off := math.Abs(times[rows-1] - float64(rows-1)*dt); off > dt+1/digits {
				t.Errorf("%d: %s by %.6g s, %.3g s a row: the last row is off by %.3g s", seed, kind, by, dt, off)
			}
		}
	}
	t.Logf("%d of %d clocks that were set are read, %d others kept", read, logs/2, kept)
	if read < logs*9/20 {
		t.Errorf("%d of %d clocks that were set are read", read, logs/2)
	}
}
