//go:build unix && !solaris && !aix

package output

import (
	"os"
	"syscall"
)

// lock waits for the advisory lock of f; false where the file system has no locks.
func lock(f *os.File) bool { return flock(f, syscall.LOCK_EX) }

// tryLock takes the lock of f if nobody holds it.
func tryLock(f *os.File) bool { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

func flock(f *os.File, how int) bool {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			return err == nil
		}
	}
}

// hold keeps the lock of a file beyond its closing, until release.
func hold(f *os.File) (release func()) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return func() {}
	}
	syscall.CloseOnExec(fd)
	return func() { syscall.Close(fd) }
}
