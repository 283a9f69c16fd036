package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/identify"
	"ident/identify/project"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/yaml"
	"ident/studies/arms"
)

// simulatedSplits returns one split of each simulated arm under a seed: two drawn motions with industrial sensors, one to fit and one to
// predict, with a rough robot file. The arms are those of package arms and robots of the folder of measured logs whose files have bodies.
// Files go to place.
func simulatedSplits(dir, place string, seed uint64) ([]subject, error) {
	robots := arms.All()
	for _, file := range []string{"kuka_lwr4/model/kuka_lwr4_identified.urdf", "kuka_lwr4/model/kuka_lwr4_cogimon.urdf", "panda/model/panda_mdh_gaz_phat.urdf", "ur10e/model/ur10e.urdf"} {
		r, err := format.Open(filepath.Join(dir, file), robot.ReadOptions{})
		if err != nil {
			return nil, err
		}
		for _, at := range r.Moving() {
			if j := &r.Links[at].Joint; j.Fv == 0 && j.Fs == 0 { // as the arms of package arms
				size := 0.1 * r.Links[at].Inertial.Mass()
				j.Ia, j.Fv, j.Fs, j.Fo = size, 3*size, 4*size, 0.2*size
			}
		}
		robots = append(robots, r)
	}
	var out []subject
	for i, r := range robots {
		folder := filepath.Join(place, fmt.Sprintf("arm%d-%d", i+1, seed))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		exact, rough := filepath.Join(folder, "exact.yaml"), filepath.Join(folder, "arm.yaml")
		if err := writeRobot(exact, r); err != nil {
			return nil, err
		}
		if err := writeRobot(rough, arms.Kinds()[1].File(r, rng)); err != nil {
			return nil, err
		}
		s := subject{name: fmt.Sprintf("industrial %d %s #%d", i+1, r.Name, seed), robot: rough, set: func(*project.Settings) {}}
		for j, name := range []string{"train", "test"} {
			path := filepath.Join(folder, name)
			text, err := json.Marshal(motion(r, rng))
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(path+".json", text, 0o644); err != nil {
				return nil, err
			}
			virtual := &project.Settings{Robot: exact, Seed: 2*seed + uint64(j)}
			if _, err := identify.Simulate(context.Background(), virtual, identify.SimulateOptions{Motion: path + ".json", Output: path + ".parquet", Sensors: "industrial", Repeats: 2}); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
		}
		s.train, s.validate = []string{filepath.Join(folder, "train.parquet")}, []string{filepath.Join(folder, "test.parquet")}
		out = append(out, s)
	}
	return out, nil
}

func writeRobot(path string, r *robot.Robot) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := yaml.Write(file, r); err != nil {
		return err
	}
	return file.Close()
}

// estimatorTable states, by robot and for all, how many times the error of the better of two pinned estimators the automatic choice has on
// motion that was not seen, over all joints and in the geometric mean of the joints' own errors, and how often it takes ordinary least
// squares.
func estimatorTable(w io.Writer, done []fitted) {
	by := map[string]map[string]*fitted{}
	for i := range done {
		f := &done[i]
		if f.Refused != "" || f.Unseen <= 0 {
			continue
		}
		if by[f.Subject] == nil {
			by[f.Subject] = map[string]*fitted{}
		}
		by[f.Subject][f.Choice] = f
	}
	type ratios struct{ total, joints []float64 }
	ways := []string{"automatic", "wls", "ols"}
	all := map[string]map[string]*ratios{}
	for name, of := range by {
		if len(of) < len(ways) {
			continue
		}
		total, joints := min(of["wls"].Unseen, of["ols"].Unseen), min(geometric(of["wls"].Apart), geometric(of["ols"].Apart))
		kind, _, _ := strings.Cut(name, " ")
		for _, k := range []string{kind, "all"} {
			if all[k] == nil {
				all[k] = map[string]*ratios{}
			}
			for _, way := range ways {
				if all[k][way] == nil {
					all[k][way] = &ratios{}
				}
				r := all[k][way]
				r.total, r.joints = append(r.total, of[way].Unseen/total), append(r.joints, geometric(of[way].Apart)/joints)
			}
		}
	}
	fmt.Fprintln(w, "| robot | splits | estimator | over all joints: mean, worst | by joint: mean, worst |\n|---|---|---|---|---|")
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		for _, way := range ways {
			r := all[kind][way]
			fmt.Fprintf(w, "| %s | %d | %s | %.3f, %.3f | %.3f, %.3f |\n", kind, len(r.total), way, geometric(r.total), slices.Max(r.total), geometric(r.joints), slices.Max(r.joints))
		}
	}
}

// geometric returns the geometric mean of the positive values.
func geometric(of []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range of {
		if v > 0 {
			sum, n = sum+math.Log(v), n+1
		}
	}
	return math.Exp(sum / float64(max(n, 1)))
}
