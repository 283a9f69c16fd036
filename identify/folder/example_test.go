package folder_test

import (
	"fmt"

	"ident/identify/folder"
)

// A result lies beside its log, whatever the log's format.
func ExampleDefault() {
	fmt.Println(folder.Default("day/log.csv.gz"), folder.Default("day/log.parquet"))
	// Output: day/log.ident day/log.ident
}
