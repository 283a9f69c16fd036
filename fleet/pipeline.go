package fleet

import (
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ident/fleet/intake"
)

// Options are those of a run.
type Options struct {
	Manifest string
	Output   string       // folder of the results
	Settings string       // the text of ident.yaml
	Refuse   intake.Least // findings that refuse a log although they are warnings; see [intake.DefaultRefuse]
	Window   float64      // length of the windows in which drift is looked for, s; 0 means 28 days
	Shards   int          // number of parts that the manifest's logs are split into; 0 means 64
	Files    int          // number of files of each table of results; 0 means 1
	Attempts int          // how often to try a file system that fails; 0 means 3

	// Folder holds the summaries of logs between the stages, where all workers are on one machine; "" lets the runner move them.
	Folder string

	FailPart float64 // fraction of attempts at a log that fail on purpose, for tests
	FailSeed uint64
}

var once sync.Once

// Register makes the pipeline's functions and types known to Beam, before beam.Init. Beam calls them by reflection, microseconds an
// element: its typed registration takes the compiler a minute and two gigabytes.
func Register() {
	once.Do(func() {
		for _, t := range []any{list{}, shard{}, take{}, refusalShard{}, writeQuarantine{}, writeCounts{}, days{}, fit{}, judge{}, writeRobot{}, robotShard{}, writeParameters{}, writePage{}, mergeParts{},
			Part{}, Member{}, Taken{}, InDay{}, DayFate{}, Counts{}, Fitted{}, Judged{}, Estimate{}, Population{}, intake.Entry{}, intake.Refusal{}} {
			beam.RegisterType(reflect.TypeOf(t))
		}
		for _, f := range []any{listedID, takenID, refusedID, logsOf, settle, fate, plus, estimateOf, populate, alone} {
			beam.RegisterFunction(f)
		}
		registerCoders()
		beam.RegisterType(reflect.TypeOf((*merged)(nil)))
		beam.RegisterCoder(reflect.TypeOf((*merged)(nil)), encodeMerged, decodeMerged)
	})
}

// Build adds the pipeline to a scope.
func Build(s beam.Scope, o Options) {
	if o.Shards == 0 {
		o.Shards = 64
	}
	if o.Window == 0 {
		o.Window = 28 * 86400
	}
	entries, badRows := beam.ParDo2(s.Scope("List"), &list{Manifest: o.Manifest}, beam.Impulse(s))
	shards := beam.GroupByKey(s, beam.ParDo(s.Scope("Shard"), &shard{o.Shards}, entries))
	parts, refused := beam.ParDo2(s.Scope("Take"), &take{Settings: o.Settings, Folder: o.Folder, Refuse: o.Refuse, Attempts: o.Attempts, FailPart: o.FailPart, FailSeed: o.FailSeed}, shards)
	bounded, inDays, unusable := beam.ParDo3(s.Scope("Days"), &days{Settings: o.Settings, Folder: o.Folder}, beam.CombinePerKey(s.Scope("Days"), &mergeParts{}, parts))
	robots := beam.CombinePerKey(s.Scope("Merge"), &mergeParts{}, bounded)
	fitted, fates, unfit := beam.ParDo3(s.Scope("Fit"), &fit{Settings: o.Settings, Window: o.Window}, robots)
	ofDays, withDays := beam.ParDo2(s.Scope("Settle"), settle, beam.CoGroupByKey(s.Scope("Settle"), fates, inDays))
	quarantine := beam.Flatten(s, badRows, refused, unusable, unfit, withDays)
	taken := beam.Flatten(s, beam.ParDo(s, logsOf, fitted), ofDays)

	q := s.Scope("Quarantine")
	beam.ParDo0(q, &writeQuarantine{o.Output, o.Files}, beam.GroupByKey(q, beam.ParDo(q, &refusalShard{o.Files}, quarantine)))

	c := s.Scope("Count")
	ids := beam.CoGroupByKey(c, beam.ParDo(c, listedID, entries), beam.ParDo(c, takenID, taken), beam.ParDo(c, refusedID, quarantine))
	counts := beam.Combine(c, plus, beam.ParDo(c, fate, ids))
	beam.ParDo0(c, &writeCounts{o.Output}, counts)

	j := s.Scope("Judge")
	populations := beam.ParDo(j, populate, beam.GroupByKey(j, beam.ParDo(j, estimateOf, fitted)))
	judged := beam.ParDo(j, &judge{}, fitted, beam.SideInput{Input: populations})

	r := s.Scope("Results")
	beam.ParDo0(r, &writeRobot{o.Output}, judged)
	beam.ParDo0(r, &writeParameters{o.Output, o.Files}, beam.GroupByKey(r, beam.ParDo(r, &robotShard{o.Files}, judged)))
	beam.ParDo0(r, &writePage{o.Output}, beam.GroupByKey(r, beam.ParDo(r, alone, judged)), beam.SideInput{Input: counts}, beam.SideInput{Input: populations})
}

// logsOf are the logs of a robot's fit.
func logsOf(f Fitted, emit func(Taken)) {
	for _, t := range f.Logs {
		emit(t)
	}
}
