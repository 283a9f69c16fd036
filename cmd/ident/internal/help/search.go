package help

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/cmd/ident/internal/table"
)

// Passage is a piece of the help that a search finds.
type Passage struct {
	Name string // as "payload", "ident fit --gains"
	Of   string // what the name is about, as "gains"
	Read string // the command that prints the text around it
	Text string
}

// Passages returns what a search looks through: the commands of a program, their options, each option once, and the paragraphs of the topics,
// whose texts tell returns whole.
func Passages(root *cobra.Command, tell func(Topic) string) []Passage {
	var out []Passage
	for _, t := range Topics() {
		if entries := Entries(t); entries != nil {
			for _, e := range entries {
				out = append(out, Passage{e.ID, e.ID, "ident help " + e.ID, strings.Join([]string{e.What, e.Cause, e.Cure}, " ")})
			}
			continue
		}
		for block := range strings.SplitSeq(tell(t), "\n\n") {
			if text := strings.Join(strings.Fields(block), " "); text != t.Title && !strings.HasPrefix(text, "More: ") {
				out = append(out, Passage{t.Title, t.Title, "ident help " + t.Name, text})
			}
		}
	}
	seen := map[string]bool{}
	commands := root.Commands()
	slices.SortStableFunc(commands, func(a, b *cobra.Command) int { return cmp.Compare(rank(a), rank(b)) })
	for _, c := range commands {
		if !c.IsAvailableCommand() {
			continue
		}
		out = append(out, Passage{c.CommandPath(), c.Name(), "ident help " + c.Name(), c.Short + ". " + strings.Join(strings.Fields(c.Long), " ")})
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if about := about(f); !f.Hidden && !seen[f.Name+about] {
				seen[f.Name+about] = true
				out = append(out, Passage{c.CommandPath() + " --" + f.Name, f.Name, c.CommandPath() + " --help-all", about})
			}
		})
	}
	return out
}

// rank orders the commands that share an option: it is told of the fit if the fit has it.
func rank(c *cobra.Command) int {
	if c.Name() == "fit" {
		return 0
	}
	return 1
}

// Search returns the passages that answer a question best, the best first, one for each text that is read further, and none if no word of the
// question occurs. Passages are ranked by BM25 (Robertson, Zaragoza 2009, eq. 3.15) with their usual constants; a word of the name counts
// as four of the text. The manual's words for what people call otherwise count together as one word, more if several occur.
func Search(passages []Passage, question string, most int) []Passage {
	const k, b, named = 1.2, 0.75, 4
	counts, lengths := make([]map[string]float64, len(passages)), make([]float64, len(passages))
	in, mean := map[string]float64{}, 0.0
	for i, p := range passages {
		counts[i] = map[string]float64{}
		for _, w := range stems(p.Text) {
			counts[i][w]++
		}
		for _, w := range stems(p.Of) {
			counts[i][w] += named
		}
		for w, n := range counts[i] {
			in[w]++
			lengths[i] += n
		}
		mean += lengths[i] / float64(len(passages))
	}
	type hit struct {
		at    int
		score float64
	}
	var hits []hit
	meant := meanings(question)
	for i := range passages {
		score := 0.0
		weigh := func(w string) float64 {
			n := counts[i][w]
			return n * (k + 1) / (n + k*(1-b+b*lengths[i]/mean)) * math.Log(1+(float64(len(passages))-in[w]+0.5)/(in[w]+0.5))
		}
		for _, m := range meant {
			best, all := 0.0, 0.0 // one matter counts once
			for _, w := range m.said {
				best = max(best, weigh(w))
			}
			for _, w := range m.manual {
				all += weigh(w)
			}
			score += max(best, all/math.Sqrt(float64(max(1, len(m.manual)))))
		}
		if score > 0 {
			hits = append(hits, hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	var out []Passage
	for _, h := range hits {
		p := passages[h.at]
		if len(out) < most && !slices.ContainsFunc(out, func(q Passage) bool { return q.Read == p.Read }) {
			out = append(out, p)
		}
	}
	return out
}

// synonyms has a line for each matter that people ask for in other words than the manual's: the people's words, a colon, the manual's.
//
//go:embed synonyms.txt
var synonyms string

// matter is what a part of a question is about, in stems.
type matter struct {
	said   []string // word of the question
	manual []string // the manual's words for it
}

// meanings returns the matters of a question. Words that carry none are left out.
func meanings(question string) []matter {
	var out []matter
	rest := " " + strings.Join(words(question), " ") + " "
	for line := range strings.Lines(synonyms) {
		asked, manual, _ := strings.Cut(line, ":")
		for phrase := range strings.SplitSeq(asked, ",") {
			phrase = " " + strings.TrimSpace(phrase) + " "
			if !strings.Contains(rest, phrase) {
				continue
			}
			rest = strings.ReplaceAll(rest, phrase, " ")
			m := matter{said: stems(phrase), manual: stems(manual)}
			if len(m.said) > 1 {
				m.said = nil // one word of several says little
			}
			out = append(out, m)
			break
		}
	}
	for _, w := range stems(rest) {
		out = append(out, matter{said: []string{w}})
	}
	return out
}

// words returns the words of a text in small letters. A hyphen joins two words.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// idle are words that no passage is about.
var idle = strings.Fields("a an and are as at be by can do does for from get give how i if in into is it its make may me much my need of on or should tell that the then there this to use want what when where which why will with you your")

// stems returns the words of a text without their endings and without idle ones.
func stems(text string) []string {
	var out []string
	for _, w := range words(text) {
		if slices.Contains(idle, w) {
			continue
		}
		for _, end := range [...]string{"ing", "ies", "es", "ed", "s", "e"} {
			if rest, cut := strings.CutSuffix(w, end); cut && len(rest) >= 3 {
				w = rest
				break
			}
		}
		out = append(out, w)
	}
	return out
}

// Places returns what a search found as text: for each place its name, the sentence that answers best, and the command that prints all of it.
func Places(places []Passage, question string) string {
	var b strings.Builder
	for _, p := range places {
		b.WriteString(p.Name + "\n")
		for _, line := range table.Wrap(excerpt(p.Text, question), width-2) {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString("  → " + p.Read + "\n\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// longest is the length of an excerpt, in letters: three lines of a terminal.
const longest = 280

// excerpt returns the sentences of a text from the one on that has most words of a question, as many as fit, but one at least.
func excerpt(text, question string) string {
	sentences := strings.SplitAfter(text, ". ")
	best, most := 0, -1
	for i, s := range sentences {
		n, has := 0, stems(s)
		for _, meant := range meanings(question) {
			if slices.ContainsFunc(append(slices.Clone(meant.said), meant.manual...), func(w string) bool { return slices.Contains(has, w) }) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	out := sentences[best]
	for _, s := range sentences[best+1:] {
		if len(out)+len(s) > longest {
			break
		}
		out += s
	}
	return strings.TrimSpace(out)
}
