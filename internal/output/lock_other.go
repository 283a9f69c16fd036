//go:build !unix || solaris || aix

package output

import "os"

// lock and tryLock report that there are no advisory locks here: temporary files of killed commands stay.
func lock(*os.File) bool    { return false }
func tryLock(*os.File) bool { return false }

// hold keeps nothing where there are no locks.
func hold(*os.File) (release func()) { return func() {} }
