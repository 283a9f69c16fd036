package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/fleet/virtual"
	"ident/internal/output"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// Results replace earlier ones, and of nothing else.
func TestClaimResults(t *testing.T) {
	own := map[string]string{
		"index.html": "<!doctype html>\n<html lang=\"en\"><head>\n<meta name=\"generator\" content=\"ident-fleet\">\n", "counts.json": "{\n\t\"schema\": \"ident-fleet.counts/1\",\n",
		"robots/a%2Fb.json": "{\n\t\"schema\": \"ident-fleet.robot/1\",\n", "parameters.parquet": "PAR1 ident-fleet PAR1", "quarantine-00000-of-00002.parquet": "PAR1 ident-fleet PAR1",
	}
	check := func(dir, path string) {
		t.Helper()
		err := claimResults(t.Context(), dir, false)
		if !errors.Is(err, output.ErrForeign) || !strings.HasPrefix(err.Error(), filepath.Join(dir, path)+" ") {
			t.Errorf("%s: %v", path, err)
		}
		if err := claimResults(t.Context(), dir, true); err != nil {
			t.Errorf("%s, overwritten: %v", path, err)
		}
	}
	for path, text := range own {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "notes.md"), "mine")
		for path, text := range own {
			put(t, filepath.Join(dir, path), text)
		}
		if err := claimResults(t.Context(), dir, false); err != nil {
			t.Errorf("earlier results: %v", err)
		}
		at := filepath.Join(dir, path)
		put(t, at, "mine")
		check(dir, path)
		put(t, at, text)
		if err := os.Chmod(at, 0o444); err != nil {
			t.Fatal(err)
		}
		check(dir, path)
		far := filepath.Join(t.TempDir(), "far")
		put(t, far, text)
		if err := errors.Join(os.Remove(at), os.Symlink(far, at)); err != nil {
			t.Skip("no links here:", err)
		}
		check(dir, path)
	}
	if err := claimResults(t.Context(), filepath.Join(t.TempDir(), "new"), false); err != nil {
		t.Error(err)
	}
}

// A virtual fleet replaces an earlier one.
func TestClaimFleet(t *testing.T) {
	dir := t.TempDir()
	o := virtual.Options{Robots: 2, Logs: 4, Seed: 1}
	for range 2 {
		if err := claimFleet(dir, false); err != nil {
			t.Fatal(err)
		}
		if _, err := virtual.Write(t.Context(), dir, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "manifest.csv"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := claimFleet(dir, false); !errors.Is(err, output.ErrForeign) {
		t.Error(err)
	}
	other := t.TempDir()
	put(t, filepath.Join(other, "manifest.csv"), "robot,log,file\n")
	if err := claimFleet(other, false); !errors.Is(err, output.ErrForeign) || claimFleet(other, true) != nil {
		t.Error(err)
	}
}
