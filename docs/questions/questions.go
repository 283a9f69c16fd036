// Package questions has the manual's answers to the questions that people ask, for programs that print them: the pages beside this file.
// The web site has the same pages.
package questions

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.md asked.txt words.txt
var files embed.FS

// Page is the answer to a question, in Markdown.
type Page struct {
	Name  string // as "cut-off"
	Title string // the question
	Text  string // without the title
}

// Pages returns the answers in the order of the page that lists them.
func Pages() []Page {
	var out []Page
	for line := range strings.Lines(read("README.md")) {
		if _, link, ok := strings.Cut(line, "]("); ok {
			name, _, _ := strings.Cut(link, ".md)")
			title, text, _ := strings.Cut(strings.TrimPrefix(read(name+".md"), "# "), "\n")
			out = append(out, Page{name, title, strings.TrimSpace(text)})
		}
	}
	return out
}

// Asked returns the words of people for the pages of the manual, comma-separated, by the page's path below docs without its extension.
func Asked() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(read("asked.txt")) {
		page, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out[page] = words
	}
	return out
}

// Groups returns words and pairs of words that mean the same to those who ask, a group of them each.
func Groups() [][]string {
	var out [][]string
	for line := range strings.Lines(read("words.txt")) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out = append(out, append([]string{first}, strings.Split(rest, ", ")...))
	}
	return out
}

// read returns a file that is part of the program.
func read(name string) string {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		panic("questions: " + err.Error())
	}
	return string(text)
}
