package help

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/cmd/ident/internal/table"
	"ident/docs/questions"
)

// Passage is a piece of the help, or a page of the manual, that a search finds.
type Passage struct {
	Name  string // as "payload", "ident fit --gains"
	Of    string // what the name is about, as "gains"
	Read  string // the command that prints the text around it, or the page
	Text  string
	asked string // what people call it, comma-separated

	words, of []string   // the terms of Text and Of
	called    [][]string // what people call it, each with its words in order as meant
	said      []string   // the terms of what people call it
}

// asked has a line for each place of the help that people ask for in other words: the place, a colon, their words.
//
//go:embed asked.txt
var asked string

// Passages returns what a search looks through: the commands of a program, their options, each option once, the paragraphs of the topics,
// whose texts tell returns whole, and the pages of the manual by what people ask.
func Passages(root *cobra.Command, tell func(Topic) string) []Passage {
	words := map[string]string{}
	for line := range strings.Lines(asked) {
		if place, said, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			words[place] = said
		}
	}
	pages := questions.Asked()
	var out []Passage
	add := func(p Passage, place string) {
		p.asked = words[place]
		delete(words, place) // the first passage of a place has them
		out = append(out, indexed(p))
	}
	for _, t := range Topics() {
		if t.Question {
			words[t.Name] = pages["questions/"+t.Name] + ", " + words[t.Name]
			delete(pages, "questions/"+t.Name)
		}
		if entries := Entries(t); entries != nil {
			for _, e := range entries {
				add(Passage{Name: e.ID, Of: e.ID, Read: "ident help " + e.ID, Text: strings.Join([]string{e.What, e.Cause, e.Cure}, " ")}, e.ID)
			}
			continue
		}
		for block := range strings.SplitSeq(tell(t), "\n\n") {
			if text := strings.Join(strings.Fields(block), " "); text != t.Title && !strings.HasPrefix(text, "More: ") {
				add(Passage{Name: t.Title, Of: t.Title, Read: "ident help " + t.Name, Text: text}, t.Name)
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
		add(Passage{Name: c.CommandPath(), Of: c.Name(), Read: "ident help " + c.Name(), Text: c.Short + ". " + strings.Join(strings.Fields(c.Long), " ")}, c.CommandPath())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if about := about(f); !f.Hidden && !seen[f.Name+about] {
				seen[f.Name+about] = true
				add(Passage{Name: c.CommandPath() + " --" + f.Name, Of: f.Name, Read: c.CommandPath() + " --help-all", Text: about}, c.CommandPath()+" --"+f.Name)
			}
		})
	}
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		name := "docs/" + page + ".md"
		words[name] = pages[page]
		said := strings.Split(pages[page], ", ")
		add(Passage{Name: name, Of: page, Read: name, Text: "A page of the manual about " + strings.Join(said[:min(8, len(said))], ", ") + "."}, name)
	}
	return out
}

// indexed returns a passage with its terms.
func indexed(p Passage) Passage {
	p.words, p.of = terms(p.Text), terms(p.Of)
	names := p.asked
	if !strings.Contains(p.Name, " --") {
		names += "," + p.Of
	}
	for phrase := range strings.SplitSeq(p.asked, ",") {
		p.said = append(p.said, terms(phrase)...)
	}
	for phrase := range strings.SplitSeq(names, ",") {
		all := meant(stems(phrase))
		slices.Sort(all)
		p.called = append(p.called, slices.Compact(all))
	}
	slices.SortFunc(p.called, slices.Compare)
	p.called = slices.CompactFunc(p.called, slices.Equal)
	return p
}

// rank orders the commands that share an option: it is told of the fit if the fit has it.
func rank(c *cobra.Command) int {
	if c.Name() == "fit" {
		return 0
	}
	return 1
}

// Search returns the passages that answer a question best, the best first, one for each text that is read further, and none if no word of the
// question occurs. Passages are ranked by BM25 (Robertson, Zaragoza 2009, eq. 3.15) with their usual constants. A word of the name counts as four of
// the text, and so does a word that people use for it, for more the more of their phrases have it; if all words of its name, or of what they call it, are in the
// question, they count once more, or others that mean the same. Elsewhere a word that means the same counts half. An option, a detail of its
// command, counts less.
func Search(passages []Passage, question string, most int) []Passage {
	const k, b, named, ofOption, ofGroup = 1.2, 0.75, 4, 0.85, 0.5
	// Of 500 phrases, each asked without being known, 210 found their place first and 339 in the first three, where 0 found 207 and 337.
	const phrases = 0.25
	counts, lengths := make([]map[string]float64, len(passages)), make([]float64, len(passages))
	in, mean := map[string]float64{}, 0.0
	for i, p := range passages {
		counts[i] = map[string]float64{}
		for _, w := range p.words {
			counts[i][w]++
			lengths[i]++
		}
		for _, w := range p.of {
			counts[i][w] += named
			lengths[i] += named
		}
		said := map[string]float64{}
		for _, w := range p.said {
			said[w]++
			counts[i][w] = max(counts[i][w], named*math.Pow(said[w], phrases))
		}
		for w := range counts[i] {
			in[w]++
		}
		mean += lengths[i] / float64(len(passages))
	}
	rarity := func(w string) float64 { return math.Log(1 + (float64(len(passages))-in[w]+0.5)/(in[w]+0.5)) }
	type hit struct {
		at    int
		score float64
	}
	var hits []hit
	want, meaning := terms(question), meant(stems(question))
	for i, p := range passages {
		score := 0.0
		for _, w := range want {
			n := counts[i][w]
			of := 1.0
			if strings.HasPrefix(w, group) {
				of = ofGroup
			}
			score += of * n * (k + 1) / (n + k*(1-b+b*lengths[i]/mean)) * rarity(w)
		}
		for _, all := range p.called {
			if slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(meaning, w) }) {
				continue
			}
			for _, w := range all {
				score += rarity(w)
			}
		}
		if strings.Contains(p.Name, " --") {
			score *= ofOption
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

// words returns the words of a text in small letters. A hyphen joins two words.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// idle are words that no passage is about.
var idle = setOf(strings.Fields("a an and any are as at be by can could did do does for from get give has have how i if in into is it its make many may me much my need of on or our should so tell than that the their them then there these they this those to too up us use want was we were what when where which who why will with without would you your"))

// setOf returns words as a set.
func setOf(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// stems returns the words of a text without their endings and without idle ones.
func stems(text string) []string {
	var out []string
	for _, w := range words(text) {
		if idle[w] {
			continue
		}
		for _, end := range [...]string{"ing", "ies", "ly", "es", "ed", "s", "e"} {
			if rest, cut := strings.CutSuffix(w, end); cut && len(rest) >= 3 {
				w = rest
				break
			}
		}
		out = append(out, w)
	}
	return out
}

// group begins the term of a group of words, which no word does.
const group = "@"

// groups has the term of the group of each word, and of two words that follow each other, of questions.Groups.
var groups = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, g := range questions.Groups() {
		for _, w := range g {
			out[strings.Join(stems(w), " ")] = group + g[0]
		}
	}
	return out
})

// meant returns words with each that is in a group, or two that are there together, replaced by its group.
func meant(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) {
			if g, ok := groups()[words[i]+" "+words[i+1]]; ok {
				out = append(out, g)
				i++
				continue
			}
		}
		if g, ok := groups()[words[i]]; ok {
			out = append(out, g)
		} else {
			out = append(out, words[i])
		}
	}
	return out
}

// terms returns the words of a text and the groups that they are in.
func terms(text string) []string {
	out := stems(text)
	for _, w := range meant(out) {
		if strings.HasPrefix(w, group) {
			out = append(out, w)
		}
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
		for _, w := range stems(question) {
			if slices.Contains(has, w) {
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
