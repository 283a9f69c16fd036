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
	Output   string       // folder
	Settings string       // the text of ident.yaml
	Refuse   intake.Least // findings that refuse a log although they are warnings; see [intake.DefaultRefuse]
	Shards   int          // of the manifest's logs; 0 for 64
	Files    int          // of each table of results; 0 for 1
	Attempts int          // at a file system that fails; 0 for 3

	FailPart float64 // of the attempts at a log that fail, for tests
	FailSeed uint64
}

var once sync.Once

// Register makes the pipeline's functions and types known to Beam, before beam.Init. Beam calls them by reflection, microseconds an
// element: its typed registration takes the compiler a minute and two gigabytes.
func Register() {
	once.Do(func() {
		for _, t := range []any{list{}, shard{}, take{}, refusalShard{}, writeQuarantine{}, writeCounts{}, Part{}, Taken{}, Counts{}, intake.Entry{}, intake.Refusal{}} {
			beam.RegisterType(reflect.TypeOf(t))
		}
		for _, f := range []any{listedID, takenID, refusedID, logsOf, fate, plus} {
			beam.RegisterFunction(f)
		}
	})
}

// Build adds the pipeline to a scope.
func Build(s beam.Scope, o Options) {
	if o.Shards == 0 {
		o.Shards = 64
	}
	entries, badRows := beam.ParDo2(s.Scope("List"), &list{Manifest: o.Manifest}, beam.Impulse(s))
	shards := beam.GroupByKey(s, beam.ParDo(s.Scope("Shard"), &shard{o.Shards}, entries))
	parts, refused := beam.ParDo2(s.Scope("Take"), &take{Settings: o.Settings, Refuse: o.Refuse, Attempts: o.Attempts, FailPart: o.FailPart, FailSeed: o.FailSeed}, shards)
	quarantine := beam.Flatten(s, badRows, refused)

	q := s.Scope("Quarantine")
	beam.ParDo0(q, &writeQuarantine{o.Output, o.Files}, beam.GroupByKey(q, beam.ParDo(q, &refusalShard{o.Files}, quarantine)))

	c := s.Scope("Count")
	ids := beam.CoGroupByKey(c, beam.ParDo(c, listedID, entries), beam.ParDo(c, takenID, beam.ParDo(c, logsOf, beam.DropKey(c, parts))), beam.ParDo(c, refusedID, quarantine))
	beam.ParDo0(c, &writeCounts{o.Output}, beam.Combine(c, plus, beam.ParDo(c, fate, ids)))
}

// logsOf are the logs of a part.
func logsOf(p Part, emit func(Taken)) {
	for _, t := range p.Logs {
		emit(t)
	}
}
