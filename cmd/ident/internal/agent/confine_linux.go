package agent

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confinedVariable marks a process that is confined already.
const confinedVariable = "IDENT_CONFINED"

// rights of a file of the first version of Landlock, without those that need a newer kernel.
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
)

// Confine replaces this process by one that the kernel confines (Landlock): it and all that it starts write below the folders
// alone, read there and what is needed to run, and open no TCP connection. It returns nil in the confined process, and
// errors.ErrUnsupported if the kernel cannot confine.
func Confine(folders Folders) error {
	if os.Getenv(confinedVariable) == "1" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("the kernel offers no Landlock (%w): %w", errno, errors.ErrUnsupported)
	}
	attr := unix.LandlockRulesetAttr{Access_fs: readRights | writeRights}
	size := unsafe.Sizeof(attr.Access_fs)
	if version >= 2 { // from a version that can move files between folders
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.Access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.Access_net)
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock", errno)
	}
	defer unix.Close(int(rules))
	allow := func(path string, rights uint64) error {
		at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) {
			return nil
		}
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		defer unix.Close(at)
		below := unix.LandlockPathBeneathAttr{Allowed_access: rights & attr.Access_fs, Parent_fd: int32(at)}
		if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&below)), 0, 0, 0); errno != 0 {
			return &os.PathError{Op: "confine to", Path: path, Err: errno}
		}
		return nil
	}
	for _, folder := range folders {
		if err := allow(folder, attr.Access_fs&^unix.LANDLOCK_ACCESS_FS_EXECUTE); err != nil {
			return err
		}
	}
	for path, rights := range map[string]uint64{
		self: readRights & fileRights, "/dev/null": fileRights, "/usr/share/zoneinfo": readRights, "/sys/kernel/mm": readRights,
		"/lib": readRights, "/lib64": readRights, "/usr/lib": readRights, "/etc/ld.so.cache": readRights & fileRights,
	} {
		if err := allow(path, rights); err != nil {
			return err
		}
	}
	runtime.LockOSThread() // the rules are those of a thread, which becomes the new process
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("landlock", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock", errno)
	}
	return unix.Exec(self, os.Args, append(os.Environ(), confinedVariable+"=1"))
}
