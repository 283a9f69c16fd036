package source

import "ident/internal/output"

// WriteFiles writes files into a folder, which is made where it is missing. Of files that lie there it replaces only
// those whose head says that ident, whatever its version, has generated them: before any is written,
// another one is an error, and so is a link and a file without write permission, unless overwrite allows to replace them.
// A failure takes away the files and the folders that were not there before.
func WriteFiles(dir string, files []File, overwrite bool) error {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return output.WriteFiles(dir, names, func(i int) []byte { return files[i].Text }, overwrite)
}
