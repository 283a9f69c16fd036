package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// exchangeable reports whether the folder at place could be exchanged with one beside it: both on one file
// system, place the writer's own and without attributes that a new folder would lack.
func exchangeable(place string) bool {
	var of, above unix.Stat_t
	if unix.Lstat(place, &of) != nil || unix.Stat(filepath.Dir(place), &above) != nil {
		return false
	}
	if of.Dev != above.Dev || int(of.Uid) != os.Geteuid() || filepath.Base(place) == "." || filepath.Base(place) == ".." {
		return false
	}
	names := make([]byte, 1024)
	n, err := unix.Listxattr(place, names)
	switch {
	case errors.Is(err, unix.ENOTSUP):
		return true
	case err != nil:
		return false
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		if name != "" && name != "security.selinux" { // the label of a new folder beside it is the same
			return false
		}
	}
	return true
}

// exchange gives the folders stage and place each other's name in one step, with the permissions and group of
// place; false where the system does not, and nothing has changed.
func exchange(stage, place string) bool {
	info, err := os.Stat(place)
	if err != nil || os.Chmod(stage, info.Mode().Perm()) != nil {
		return false
	}
	mine, err := os.Stat(stage)
	if err != nil {
		return false
	}
	if gid := info.Sys().(*syscall.Stat_t).Gid; gid != mine.Sys().(*syscall.Stat_t).Gid {
		if os.Chown(stage, -1, int(gid)) != nil {
			return false
		}
	}
	if info.Mode()&^(fs.ModeDir|fs.ModePerm) != mine.Mode()&^(fs.ModeDir|fs.ModePerm) {
		return false // set-group-ID and sticky bits
	}
	return unix.Renameat2(unix.AT_FDCWD, stage, unix.AT_FDCWD, place, unix.RENAME_EXCHANGE) == nil
}

// inUse reports whether a process has its working folder at place or below: an exchange would leave it, a
// shell for example, in the folder that is removed. Processes of other users are not seen. True where it cannot be
// known.
func inUse(place string) bool {
	real, err := filepath.Abs(place)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return true
	}
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil || len(links) == 0 {
		return true
	}
	for _, link := range links {
		at, err := os.Readlink(link)
		if err == nil && (at == real || strings.HasPrefix(at, real+"/")) {
			return true
		}
	}
	return false
}
