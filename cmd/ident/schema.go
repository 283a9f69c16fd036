package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/exports"
	"ident/cmd/ident/internal/schema"
	"ident/cmd/ident/internal/table"
	"ident/codegen/source"
	"ident/estimate/summary/drift"
	"ident/excite"
	"ident/identify"
	"ident/identify/code"
	"ident/identify/description"
	"ident/identify/design"
	"ident/identify/elastic"
	"ident/identify/experiment"
	"ident/identify/folder"
	"ident/identify/gravity"
	"ident/internal/output"
	"ident/mechanics/loads"
	"ident/result"
)

// comments are those of the documents' types, out of the source: go test ./cmd/ident -run TestSchemaPage -update-json
// writes them.
//
//go:embed comments.json
var comments []byte

// document is one kind of JSON document that the program writes.
type document struct {
	name    string // of ident schema
	version string // of the document's key "schema"
	from    string // command that writes it
	of      reflect.Type
}

// documents lists them in the order of the commands.
func documents() []document {
	return []document{
		{"robot", "ident.robot/1", "ident robot ROBOT --json", reflect.TypeFor[description.Robot]()},
		{"solutions", "ident.solutions/1", "ident robot ROBOT --solve POSE --json", reflect.TypeFor[description.Solutions]()},
		{"base-params", "ident.base-params/1", "ident base-params ROBOT --json", reflect.TypeFor[description.BaseDocument]()},
		{"evaluate", identify.EvaluationSchema, "ident evaluate ROBOT|RESULT STATES -o OUT --json", reflect.TypeFor[identify.EvaluationDocument]()},
		{"codegen", "ident.codegen/1", "ident codegen ROBOT --json", reflect.TypeFor[code.Document]()},
		{"vectors", source.VectorsSchema, "ident codegen ROBOT --vectors N -o OUT, beside the text", reflect.TypeFor[source.VectorsDocument]()},
		{"design", "ident.design/1", "ident design-trajectory ROBOT --json", reflect.TypeFor[design.Document]()},
		{"trajectory", excite.Schema, "ident design-trajectory ROBOT -o FILE.json", reflect.TypeFor[excite.TrajectoryDocument]()},
		{"polynomials", excite.PolynomialSchema, "ident design-trajectory ROBOT --shape spline -o FILE.json", reflect.TypeFor[excite.PolynomialsDocument]()},
		{"motions", excite.CompositeSchema, "ident design-trajectory ROBOT --segments 2 -o FILE.json", reflect.TypeFor[excite.CompositeDocument]()},
		{"simulate", "ident.simulate/1", "ident simulate ROBOT --trajectory FILE --json", reflect.TypeFor[experiment.Document]()},
		{"trials", "ident.trials/1", "ident simulate ROBOT --trajectory FILE --trials N --json", reflect.TypeFor[identify.TrialsReport]()},
		{"init", "ident.init/1", "ident init ROBOT LOG --json", reflect.TypeFor[initDoc]()},
		{"convert", "ident.convert/1", "ident convert LOG -o OUT --json", reflect.TypeFor[convertDoc]()},
		{"metadata", output.MetadataSchema, "every command that writes a table of text, as LOG.csv.meta.json beside LOG.csv", reflect.TypeFor[output.Metadata]()},
		{"check", "ident.check/1", "ident check LOG --json", reflect.TypeFor[checkDoc]()},
		{"fit", result.Schema, "ident fit LOG --json, and result.json in the folder of a result", reflect.TypeFor[result.Result]()},
		{"fit-elastic", elastic.FitSchema, "ident fit LOG --elastic --json, and elastic.json in the folder of a result", reflect.TypeFor[elastic.Result]()},
		{"validate-elastic", elastic.ValidationSchema, "ident validate RESULT LOG --json, of a result of elastic joints", reflect.TypeFor[elastic.Validation]()},
		{"fit-models", "ident.fit-models/1", "ident fit LOG --model A,B --json", reflect.TypeFor[table.Models]()},
		{"follow", "ident.follow/1", "ident fit LOG --follow --json, one document a line", reflect.TypeFor[followedLine]()},
		{"gravity", gravity.Schema, "ident gravity LOG --json, and -o FILE.json", reflect.TypeFor[gravity.Document]()},
		{"summary", identify.SummarySchema, "ident reduce LOG -o PART.idr --json, and ident merge", reflect.TypeFor[identify.SummaryDocument]()},
		{"drift", drift.Schema, "ident drift PART.idr --json", reflect.TypeFor[drift.Report]()},
		{"watch", "ident.watch/1", "ident watch RESULT LOG --json, one document a line", reflect.TypeFor[watchLine]()},
		{"tool", identify.ToolSchema, "ident tool LOG --json, and -o FILE.json", reflect.TypeFor[identify.ToolDocument]()},
		{"plot", "ident.plot/1", "ident plot RESULT --json", reflect.TypeFor[plotDoc]()},
		{"validate", "ident.validate/1", "ident validate RESULT LOG --json", reflect.TypeFor[validateDoc]()},
		{"compare", result.ComparisonSchema, "ident compare RESULT RESULT --json", reflect.TypeFor[result.Comparison]()},
		{"verify", folder.VerifySchema, "ident verify RESULT --json", reflect.TypeFor[folder.VerifyDocument]()},
		{"export", "ident.export/1", "ident export RESULT --to json", reflect.TypeFor[exports.Document]()},
		{"draws", identify.DrawsSchema, "ident export RESULT --draws N --to json", reflect.TypeFor[identify.DrawsDocument]()},
		{"loads", loads.Schema, "ident loads RESULT|ROBOT MOTION --json", reflect.TypeFor[loads.Report]()},
		{"options", "ident.options/1", "ident schema options: every option of every command", reflect.TypeFor[optionsDoc]()},
		{"version", "ident.version/1", "ident version --json", reflect.TypeFor[buildFacts]()},
	}
}

// schema returns the document's JSON Schema.
func (d document) schema() *schema.Schema {
	var c schema.Comments
	if err := json.Unmarshal(comments, &c); err != nil {
		panic(fmt.Sprintf("ident: the comments of the documents: %v", err))
	}
	return schema.Of(d.version, d.of, c)
}

func newSchema(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [DOCUMENT]",
		Short: "print the JSON Schema of a document that --json prints",
		Long: `Print the JSON Schema (draft 2020-12) of a document, or list the documents. Fields that a
later version adds are no change of a schema's number. ident schema options prints a document
in place of its schema: every command's options with type, default, unit, range and choices.`,
		Example: `  ident schema
  ident schema fit
  ident schema options`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, d := range documents() {
				names = append(names, d.name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "options" {
				return printOptions(s)
			}
			var names []string
			for _, d := range documents() {
				if len(args) == 0 {
					fmt.Fprintf(s.out, "%-12s %-22s %s\n", d.name, d.version, d.from)
				} else if d.name == args[0] || d.version == args[0] {
					return folder.WriteJSON(s.data, d.schema())
				}
				names = append(names, d.name)
			}
			if len(args) == 0 {
				return nil
			}
			return unknownName("document", args[0], names)
		},
	}
}
