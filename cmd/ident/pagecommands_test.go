package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
)

// pageCommand is a command of a page, split at its blanks, without its comment and without what is piped into it.
type pageCommand struct {
	words  []string
	folder string // of "cd FOLDER &&" before it
	inline bool   // in the running text, where files and options may be left out
}

// otherPrograms are what pages call beside this module's own.
var otherPrograms = []string{"awk", "cat", "cd", "docker", "dpkg", "git", "npm", "pip", "pip3", "python3", "ros2", "./log_state"}

var (
	inlineCode  = regexp.MustCompile("`((?:IDENT_[A-Z]+=\\S+ )?(?:ident|go test|go run|go build|docs/build|\\.ci/|release/|web/build|benchmarks/peers/run)[^`]*)`")
	programName = regexp.MustCompile(`^(ident|go|\./\S+|\.?[a-z]+/\S+)$`)
	testName    = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)
	assignment  = regexp.MustCompile(`^[A-Z_]+=`)
)

// pageCommands returns the commands of a page: the lines of its blocks that call a program, and those in its running text. A block
// with a prompt has commands behind the prompt only.
func pageCommands(text string) []pageCommand {
	var blocks []string
	var prose, indented strings.Builder
	fence, kind, body := false, "", strings.Builder{}
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			if fence && slices.Contains([]string{"", "sh", "console"}, kind) {
				blocks = append(blocks, body.String())
			}
			fence, kind = !fence, strings.TrimPrefix(strings.TrimSpace(line), "```")
			body.Reset()
		case fence:
			body.WriteString(line)
		case strings.HasPrefix(line, "    "):
			indented.WriteString(line)
		default:
			prose.WriteString(line)
		}
	}
	blocks = append(blocks, indented.String())
	var commands []pageCommand
	add := func(line string, inline bool) {
		line, _, _ = strings.Cut(line, " #")
		folder := ""
		for _, part := range regexp.MustCompile(` (?:\||&&) ?`).Split(line, -1) {
			words := shellWords(strings.TrimSpace(part))
			first := slices.IndexFunc(words, func(w string) bool { return !assignment.MatchString(w) })
			if first >= 0 && (programName.MatchString(words[first]) || slices.Contains(otherPrograms, words[first])) {
				commands = append(commands, pageCommand{words, folder, inline})
			}
			if first == 0 && words[0] == "cd" {
				folder = words[1]
			}
		}
	}
	for _, block := range blocks {
		block = regexp.MustCompile(`(\\|\|)\n\s*`).ReplaceAllString(block, "$1 ")
		prompt := strings.Contains(block, "$ ident")
		for line := range strings.Lines(strings.ReplaceAll(block, "\\ ", "")) {
			if line, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok || !prompt {
				add(line, false)
			}
		}
	}
	for _, m := range inlineCode.FindAllStringSubmatch(strings.ReplaceAll(prose.String(), `\|`, "|"), -1) {
		add(strings.Join(strings.Fields(m[1]), " "), true)
	}
	return commands
}

// Every command on a page of the manual exists: those of ident read their options, those of go name packages, tests,
// switches and variables of this module, and scripts are files. Commands without a placeholder whose files are among those of the
// help's examples run as well with IDENT_LONG; the other tests of pages run what they own.
func TestPageCommands(t *testing.T) {
	long.Only(t, "TestHelp has the options, TestReadmeCommands the README")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/questions/*.md", "docs/tutorials/*.md", "python/*.md", "notebooks/*.md"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := t.TempDir()
	helpFiles(t, files)
	held, ran := 0, 0
	for _, page := range pages {
		if !filepath.IsAbs(page) {
			page = filepath.Join(root, strings.TrimPrefix(page, "../../"))
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			copied := false
			for _, c := range pageCommands(string(text)) {
				held++
				switch first := c.words[0]; first {
				case "ident", "./ident":
					holdIdent(t, c)
					if slices.Contains(owned, filepath.Base(page)) || slices.Contains(owned, filepath.Base(filepath.Dir(page))) || !runnable(files, c) {
						continue
					}
					if !copied {
						t.Chdir(t.TempDir())
						if err := os.CopyFS(".", os.DirFS(files)); err != nil {
							t.Fatal(err)
						}
						copied = true
					}
					ran++
					var out, errs bytes.Buffer
					if code := run(context.Background(), c.words[1:], streams{in: strings.NewReader(""), out: &out, err: &errs}); code != exitDone {
						t.Errorf("%q: exit code %d\n%s%s", c.words, code, out.String(), errs.String())
					}
				default:
					holdOther(t, filepath.Join(root, c.folder), c.words)
				}
			}
		})
	}
	if held < 250 || ran < 20 {
		t.Errorf("%d commands found, %d run", held, ran)
	}
}

// holdIdent has ident read the options of a command. Values that the page leaves to the reader are taken as they stand.
func holdIdent(t *testing.T, c pageCommand) {
	t.Helper()
	var words []string
	for _, w := range c.words[1:] {
		if w = strings.Trim(w, "[]…"); w != "" && w != "=" {
			words = append(words, w)
		}
	}
	root := newRoot(streams{})
	root.InitDefaultCompletionCmd()
	command, args, err := root.Find(words)
	if err == nil && c.inline {
		// In the text an option may stand without its value.
		for _, w := range args {
			name, ok := strings.CutPrefix(w, "--")
			name, _, _ = strings.Cut(name, "=")
			if ok && command.Flags().Lookup(name) == nil && root.PersistentFlags().Lookup(name) == nil && name != "help" && name != "all" {
				t.Errorf("%q: no option --%s", c.words, name)
			}
		}
	} else if err == nil {
		err = command.ParseFlags(args)
	}
	if err == nil && command == root && len(words) > 0 && !strings.HasPrefix(words[0], "-") && words[0] != "help" {
		t.Errorf("%q: no such command", c.words)
	}
	if err != nil && !strings.Contains(err.Error(), "no such file") { // the page's reader has the file
		t.Errorf("%q: %v", c.words, err)
	}
}

// otherRobots are parts of commands for a robot or a log that the files of the help's examples do not have.
var otherRobots = []string{"--solve 0.4,", "--map tau1=force", "--gains 10,", "--contact tool=", "fit - "}

// owned are the pages whose commands other tests run.
var owned = []string{"README.md", "questions", "tutorials", "generated-models.md", "loads.md", "laboratory.md", "elastic.md", "summaries.md",
	"acceptance.md", "watch.md", "troubleshooting.md", "report.md"}

// runnable says whether the files that a command reads are in a folder and all its words are spelled out.
func runnable(folder string, c pageCommand) bool {
	if len(c.words) > 1 && c.words[1] == "open" {
		return false // it serves until it is interrupted
	}
	line := strings.Join(c.words, " ") + " "
	if c.inline || slices.ContainsFunc(otherRobots, func(part string) bool { return strings.Contains(line, part) }) {
		return false
	}
	found := false
	for i, w := range c.words[2:] {
		if strings.ContainsAny(w, "[…") || regexp.MustCompile(`^[A-Z_]{3,}`).MatchString(w) || w == "--force" {
			return false
		}
		if slices.Contains([]string{"-o", "--output", "--fix", "--html"}, c.words[1+i]) {
			continue
		}
		if regexp.MustCompile(`^[\w/.-]+\.[a-z]{2,}[a-z0-9]*$`).MatchString(w) {
			if _, err := os.Stat(filepath.Join(folder, w)); err != nil {
				return false
			}
			found = true
		}
	}
	return found
}

// holdOther holds a command of another program: what it names of this module must exist.
func holdOther(t *testing.T, folder string, words []string) {
	t.Helper()
	line := strings.Join(words, " ")
	var variables []string
	for assignment.MatchString(words[0]) {
		name, _, _ := strings.Cut(words[0], "=")
		if strings.HasPrefix(name, "IDENT_") {
			variables = append(variables, name)
		}
		words = words[1:]
	}
	if words[0] == "ident" {
		holdIdent(t, pageCommand{words: words})
		return
	}
	if len(words) > 3 && words[0] == "go" && words[2] == "-C" { // in the folder of another module
		folder = filepath.Join(folder, words[3])
		words = slices.Concat(words[:2], words[4:])
	}
	// Files and folders of the module, and patterns of tests and switches in them.
	var patterns, switches []string
	var where []string
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "-"):
			name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
			switches = append(switches, name)
		case i > 0 && slices.Contains([]string{"-run", "-bench", "-fuzz"}, words[i-1]):
			patterns = append(patterns, w)
		case i > 0 && words[i-1] == "-o":
		case strings.HasPrefix(w, "./") || strings.HasPrefix(w, ".ci/") || strings.HasPrefix(w, "docs/") || strings.HasPrefix(w, "release/") || strings.HasPrefix(w, "benchmarks/") || strings.HasPrefix(w, "fleet/") || strings.HasPrefix(w, "web/"):
			if w == "./..." || w == "./log_state" || w == "./ident-fleet" || strings.HasPrefix(w, "release/rehost/") {
				continue
			}
			info, err := os.Stat(filepath.Join(folder, w))
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if info.IsDir() {
				where = append(where, filepath.Join(folder, w))
			}
		}
	}
	if words[0] != "go" || len(words) < 2 || words[1] != "test" && words[1] != "run" {
		return
	}
	if words[1] == "run" && len(words) > 2 && words[2] == "./cmd/ident" {
		holdIdent(t, pageCommand{words: words[2:]})
		return
	}
	if where == nil {
		where = []string{folder}
	}
	source := goSource(t, where)
	for _, pattern := range patterns {
		alternatives := []string{pattern}
		if !strings.Contains(pattern, "(") {
			alternatives = strings.Split(pattern, "|")
		}
		for _, one := range alternatives {
			top, sub, _ := strings.Cut(one, "/")
			if slices.Contains([]string{"x", "xxx", "^$", "…"}, strings.ToLower(top)) {
				continue // none, or any
			}
			name := regexp.MustCompile(top)
			if !slices.ContainsFunc(testName.FindAllStringSubmatch(source, -1), func(m []string) bool { return name.MatchString(m[1]) }) {
				t.Errorf("%s: no test is called %s", line, top)
			}
			if sub != "" && !strings.Contains(source, `"`+sub) && !slices.ContainsFunc(where, func(dir string) bool {
				_, err := os.Stat(filepath.Join(dir, "testdata/script", sub+".txtar"))
				return err == nil
			}) {
				t.Errorf("%s: no test has a part %s", line, sub)
			}
		}
	}
	for _, name := range switches {
		known := []string{"v", "run", "bench", "fuzz", "fuzztime", "fuzzminimizetime", "timeout", "tags", "short", "race", "count", "benchtime", "o"}
		if !slices.Contains(known, name) && !strings.Contains(source, `"`+name+`"`) {
			t.Errorf("%s: no switch -%s", line, name)
		}
	}
	source += goSource(t, []string{filepath.Join(folder, "internal/mujocotest")})
	for _, name := range variables {
		if name != "IDENT_LONG" && !strings.Contains(source, `"`+name+`"`) {
			t.Errorf("%s: nothing reads %s", line, name)
		}
	}
}

// goSource returns the text of the Go files of folders.
func goSource(t *testing.T, folders []string) string {
	t.Helper()
	var text strings.Builder
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(content)
		}
	}
	return text.String()
}
