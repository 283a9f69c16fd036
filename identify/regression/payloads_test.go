package regression

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

var payloadSeeds = flag.Uint64("payload-seeds", 0, "seeds of the test of several payloads of one log; 0 for a few")

// bodies are two payloads in the frame of their link.
func bodies() [2]robot.Inertial {
	return [2]robot.Inertial{weight(), robot.InertialFromCentral(1.1, [3]float64{-0.1, 0.03, 0.2}, [3][3]float64{{0.01, 0, 0}, {0, 0.012, 0}, {0, 0, 0.008}})}
}

// phases is a run in which the last link has no payload, the first, a third that is not meant, and the second by turns.
func phases(t *testing.T, r *robot.Robot, seed uint64, noise float64) (Run, []regressor.Term) {
	t.Helper()
	rec := *simulate(t, r, newTrajectory(len(r.Links), 3, 0.1), steady(100, 40))
	rng := rand.New(rand.NewPCG(seed, 24))
	last := len(r.Links) - 1
	chi := map[string]float64{}
	var terms []regressor.Term
	for n, body := range bodies() {
		term := regressor.Payload + ":" + regressor.Term(r.Links[last].Name) + regressor.Term("="+string(rune('1'+2*n))) // 1 and 3
		terms = append(terms, term)
		for p, name := range robot.InertialNames {
			chi[robot.ParameterName(regressor.PayloadPrefix(1+2*n)+name, last)] = body[p]
		}
	}
	on := make([]float64, len(rec.t))
	for i, at := range rec.t {
		on[i] = []float64{0, 1, 2, 3}[int(at/2.5)%4]
	}
	run := added(t, &rec, "phases", terms, chi, regressor.Batch{PayloadAttached: on})
	cols, err := run.Log.Columns(run.Log.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	cols = slices.Clone(cols)
	for c, ch := range run.Log.Channels() {
		if strings.HasPrefix(ch.Name, "tau") && noise > 0 {
			cols[c] = slices.Clone(cols[c])
			for i := range cols[c] {
				cols[c][i] += noise * rng.NormFloat64()
			}
		}
	}
	run.Log = datasets.FromColumns("phases", append(slices.Clone(run.Log.Channels()), datasets.Channel{Name: "grip"}), append(cols, on), nil)
	run.Payload = observation.PayloadFlag{Channel: "grip", Numbers: []int{1, 3}}
	return run, terms
}

// Two payloads of one log come out exactly without noise, and within three deviations with; rows with a third one are left out, and each
// payload is a body of its own where bodies have to be possible.
func TestPayloadsOfOneLog(t *testing.T) {
	long.Only(t, "TestPayloadIsRecovered has one payload")
	seeds := *payloadSeeds
	if seeds == 0 {
		seeds = uint64(long.Of(5, 1))
	}
	r := arm(4)
	checked, beyond, most := 0, 0, 0.0
	for seed := range seeds + 1 {
		noise := 0.2
		if seed == seeds {
			noise = 0
		}
		run, terms := phases(t, r, seed, noise)
		cfg := exact()
		cfg.Cutoff = 8
		out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), terms...), []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Result.Payloads) != 2 {
			t.Fatalf("%d payloads", len(out.Result.Payloads))
		}
		for n, p := range out.Result.Payloads {
			if p.Number != 1+2*n || !p.Complete || noise == 0 && !p.Possible {
				t.Fatalf("payload %d: number %d, complete %v, possible %v", n, p.Number, p.Complete, p.Possible)
			}
			for i, v := range p.Parameters {
				want := bodies()[n][i]
				if noise == 0 {
					if !(math.Abs(v.Value-want) < 1e-7) {
						t.Errorf("%s is %.9g, want %.9g", v.Name, v.Value, want)
					}
					continue
				}
				z := math.Abs(v.Value-want) / v.Sigma
				checked++
				if most = max(most, z); !(z <= 3) {
					beyond++
				}
			}
			if m := p.Mass; noise > 0 {
				at := slices.IndexFunc(out.Result.BaseParameters, func(b result.BaseParameter) bool { return b.Name == p.Parameters[robot.M].Name })
				sigma := m.Sigma / math.Sqrt(grown(&out.Result, at))
				if !(sigma > 0 && sigma < 0.1) {
					t.Errorf("mass %g ± %g", m.Value, sigma)
				}
			}
		}
		if noise == 0 {
			prior := physical.NewPrior(r, out.Base.Columns, "")
			bodies := 0
			for _, b := range prior.Blocks {
				if len(b.Columns) == 10 {
					bodies++
				}
			}
			if bodies != len(r.Links)+2 {
				t.Errorf("%d bodies, want those of %d links and two payloads", bodies, len(r.Links))
			}
		}
	}
	// As in TestFurtherTermsWithinDeviations.
	if limit := 0.008*float64(checked) + 4*math.Sqrt(0.008*float64(checked)) + 1; float64(beyond) > limit {
		t.Errorf("%d of %d parameters are beyond three deviations, the limit is %.1f", beyond, checked, limit)
	}
	t.Logf("%d logs: %d of %d parameters beyond three deviations, the largest distance %.2f", seeds, beyond, checked, most)
}

// A payload of the model that is never on is refused by its number.
func TestPayloadThatIsNeverOn(t *testing.T) {
	r := arm(3)
	run, terms := phases(t, r, 1, 0)
	run.Payload.Numbers = []int{1, 3, 5}
	terms = append(terms, terms[0][:len(terms[0])-1]+"5")
	var need *NeedError
	if _, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), terms...), []Run{run}, nil, exact()); !errors.As(err, &need) || !strings.Contains(err.Error(), "payload 5 of the model is in no training row") {
		t.Error(err)
	}
	for list, part := range map[string]string{"payload:L=1,payload:L": "give every payload a number", "payload:L=2,payload:K=2": "a number of its own", "payload:L,payload:L=1": "give every payload a number"} {
		parsed, err := regressor.ParseTerms(strings.NewReplacer("L", r.Links[2].Name, "K", r.Links[1].Name).Replace(list))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := regressor.NewDynamic(r, parsed); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", list, err)
		}
	}
}
