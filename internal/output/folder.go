package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	slashpath "path"
	"path/filepath"
	"slices"
	"strings"
)

// ErrForeign is wrapped by the errors about files and folders that are not the caller's to replace.
var ErrForeign = errors.New("it is not ident's own")

// Folder fills the folder at path. fill writes into the folder that it is given. owned lists the files of an existing
// folder (relative to it, with slashes) that the caller may replace, or says why the folder is not one of the caller's;
// owned files that fill did not write again are removed, every other file stays. It is an error, before anything has
// changed, if fill wrote a file whose name an unowned file has, or if an owned file is a link or has no write
// permission; overwrite allows both. The file named last, which lists the others, is put in place after all of them.
func Folder(path string, owned func(dir string) ([]string, error), last string, overwrite bool, fill func(dir string) error) (err error) {
	place, err := follow(filepath.Clean(path))
	if err != nil {
		return cannot(path, err)
	}
	exists := false
	if info, err := os.Stat(place); err == nil {
		if exists = info.IsDir(); !exists {
			return cannot(path, fmt.Errorf("%s is not a folder", place))
		}
	}
	if !exists {
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return cannot(path, err)
		}
	}
	stage, held, err := stageFor(place, exists)
	if err != nil {
		return cannot(path, err)
	}
	if held != nil {
		defer held.Close()
	}
	defer os.RemoveAll(stage)
	if err := fill(stage); err != nil {
		return &staged{err, stage, path}
	}
	if !exists {
		switch err := os.Rename(stage, place); {
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrExist): // ErrExist: another command has made the folder meanwhile
			return cannot(path, err)
		}
	}
	return replace(path, place, stage, owned, last, overwrite)
}

// stageFor makes the folder that is filled: beside place, with which it may be exchanged, or within place.
func stageFor(place string, exists bool) (string, *os.File, error) {
	beside := filepath.Dir(place)
	if exists {
		RemoveStale(place)
	}
	if !exists || exchangeable(place) {
		RemoveStale(beside)
		stage, held, err := createTempDir(beside)
		if err == nil || !exists {
			return stage, held, err
		}
	}
	return createTempDir(place) // also where the folder above place is not writable
}

// replace puts the files of stage into place: by an exchange of the folders where place holds owned files
// alone, so that a killed command leaves either the earlier files or the new ones; one by one elsewhere.
func replace(path, place, stage string, ownedOf func(string) ([]string, error), last string, overwrite bool) error {
	dir, err := openLocked(place)
	if err != nil {
		return cannot(path, err)
	}
	defer dir.Close() // and with it the lock, so that two writers do not mix their files

	owned, err := ownedOf(place)
	if err != nil {
		return err
	}
	for _, name := range owned {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("cannot write %s: %w: it claims the file %q, which lies outside of it", path, ErrForeign, name)
		}
	}
	if err := checkOwned(path, owned, overwrite); err != nil {
		return err
	}
	fresh, err := Files(stage)
	if err != nil {
		return cannot(path, err)
	}
	for _, name := range fresh {
		_, err := os.Lstat(filepath.Join(place, filepath.FromSlash(name)))
		if err == nil && !overwrite && !slices.Contains(owned, name) {
			return &Foreign{filepath.Join(path, filepath.FromSlash(name)), notOurs}
		}
	}
	if filepath.Dir(stage) == filepath.Dir(place) && holdsOnly(place, owned) && !inUse(place) && exchange(stage, place) {
		return rescue(path, place, stage, owned)
	}
	return merge(path, place, stage, fresh, owned, last)
}

// openLocked opens the folder at place and waits for its lock. A writer that held the lock may have put
// another folder there meanwhile.
func openLocked(place string) (*os.File, error) {
	for {
		dir, err := os.Open(place)
		if err != nil || !lock(dir) || named(dir) {
			return dir, err
		}
		dir.Close()
	}
}

// holdsOnly reports whether the folder at place holds regular files that are owned, their folders, and nothing else.
func holdsOnly(place string, owned []string) bool {
	folders := map[string]bool{".": true}
	for _, name := range owned {
		for dir := slashpath.Dir(name); !folders[dir]; dir = slashpath.Dir(dir) {
			folders[dir] = true
		}
	}
	err := filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(place, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() && folders[name] || d.Type().IsRegular() && slices.Contains(owned, name) {
			return nil
		}
		return ErrForeign
	})
	return err == nil
}

// rescue moves files that came into place between the look into it and its exchange with stage: they lie in
// stage now, which is about to be removed.
func rescue(path, place, stage string, owned []string) error {
	left, err := Files(stage)
	if err != nil {
		return &Error{path, fmt.Errorf("its earlier files are kept in %s: %w", keep(stage, place), err)}
	}
	for _, name := range left {
		if slices.Contains(owned, name) {
			continue
		}
		to := filepath.Join(place, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = os.Rename(filepath.Join(stage, filepath.FromSlash(name)), to)
		}
		if err != nil {
			return &Error{path, fmt.Errorf("%s came into it meanwhile, and is kept in %s: %w", name, keep(stage, place), err)}
		}
	}
	return nil
}

// keep gives the folder stage, which is removed otherwise, a visible name beside place that nothing has, and returns it.
func keep(stage, place string) string {
	const names = 1000
	kept := place + ".kept"
	for n := 2; os.Rename(stage, kept) != nil && n < names; n++ {
		kept = fmt.Sprintf("%s.kept%d", place, n)
	}
	return kept
}

// merge moves the fresh files of stage into place one by one, and removes the owned ones that stage does not have.
func merge(path, place, stage string, fresh, owned []string, last string) error {
	if i := slices.Index(fresh, last); i >= 0 {
		fresh = append(slices.Delete(fresh, i, i+1), last)
	}
	for _, name := range fresh {
		to := filepath.Join(place, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return cannot(path, err)
		}
		to, err := follow(to)
		if err != nil {
			return cannot(path, err)
		}
		if err := os.Rename(filepath.Join(stage, filepath.FromSlash(name)), to); err != nil {
			return cannot(path, err)
		}
	}
	for _, name := range owned {
		if slices.Contains(fresh, name) {
			continue
		}
		if err := os.Remove(filepath.Join(place, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove %s of the earlier result: %w", name, err)
		}
		if i := strings.LastIndex(name, "/"); i > 0 {
			os.Remove(filepath.Join(place, filepath.FromSlash(name[:i]))) // fails where files are left, which then stay
		}
	}
	return nil
}

// Files lists the files below dir, with slashes, sorted.
func Files(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}
