package experiment

import (
	"context"

	"ident/datasets"
	"ident/simulate"
	"ident/simulate/sensors"
)

// record runs an experiment, with its faults if stage is not nil, into a log in memory.
func record(ctx context.Context, x *simulate.Simulation, stage *sensors.Stage, name string, meta map[string]string) (*datasets.Log, error) {
	channels, _ := x.Outline().Channels()
	cols := make([][]float64, len(channels))
	err := x.Blocks(ctx, func(e *simulate.Record) error {
		if stage != nil {
			e = stage.Apply(e)
		}
		_, block := e.Channels()
		for i, c := range block {
			cols[i] = append(cols[i], c...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return datasets.FromColumns(name, channels, cols, meta), nil
}
