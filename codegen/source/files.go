package source

import "ident/internal/output"

// WriteFiles writes files into a folder, and creates the folder if it is missing. It replaces only existing files whose
// head says that ident (of any version) generated them. Any other file, a link and a file without write permission are
// errors before anything is written, unless overwrite is set. After a failure it removes the files and folders that it
// has created.
func WriteFiles(dir string, files []File, overwrite bool) error {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return output.WriteFiles(dir, names, func(i int) []byte { return files[i].Text }, overwrite)
}
