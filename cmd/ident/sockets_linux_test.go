package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noSocketVariable has the program of the tests be killed as soon as it opens a socket.
const noSocketVariable = "IDENT_TEST_NO_SOCKET"

// TestNoSocket runs commands that the kernel kills at their first socket. The laboratory, which serves a page, shows
// that it does.
func TestNoSocket(t *testing.T) {
	dir, arm, motion := exampleFiles(t)
	program := program(t)
	run := func(args ...string) error {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), noSocketVariable+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("%s: %s", strings.Join(args, " "), out)
		}
		return err
	}
	for _, name := range []string{"index.html", "ident.wasm.gz"} {
		write(t, filepath.Join(dir, "lab", name), "")
	}
	var exit *exec.ExitError
	switch err := run("lab", "lab", "--address"); {
	case !errors.As(err, &exit):
		t.Fatalf("the laboratory without a socket: %v", err)
	case exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGSYS:
		t.Skip("this kernel has no filter of calls")
	}
	for _, args := range [][]string{
		{"simulate", arm, "--trajectory", motion, "--rate", "50", "-o", "log.csv"},
		{"check", "log.csv"},
		{"fit", "log.csv", "-o", "a.ident"},
		{"validate", "a.ident", "log.csv", "--html", "page.html"},
		{"compare", "a.ident", "a.ident", "--html", "compared.html"},
		{"export", "a.ident", "-o", "new.urdf"},
		{"verify", "a.ident"},
		{"reduce", "log.csv", "-o", "log.idr"},
		{"design-trajectory", arm, "--starts", "1", "--harmonics", "2", "-o", "next.csv"},
		{"codegen", arm, "--model", "bias", "--lang", "c", "-o", "generated"},
		{"loads", "a.ident", "next.csv"},
		{"robot", arm, "--html", "robot.html"},
		{"version"},
		{"help", "privacy"},
		{"mcp", "."},
	} {
		if err := run(args...); err != nil {
			t.Errorf("%s: %v", strings.Join(args, " "), err)
		}
	}
}

// killOnSocket has the kernel kill this program at its first socket, if the environment says so.
func killOnSocket() {
	if os.Getenv(noSocketVariable) == "" {
		return
	}
	const number = 0 // offset of the number of a call in the data of a filter
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_SOCKET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	rules := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return
	}
	_, _, _ = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&rules)))
}
