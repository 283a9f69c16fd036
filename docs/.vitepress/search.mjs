// The search of the manual. VitePress writes the functions into the page, so each must hold all that it needs.
import { readFileSync } from 'node:fs'

// boostDocument weighs a section of the search index: people's words, answers, the background, and last what the program writes.
export function boostDocument(id) {
  if (id.endsWith('#asked')) return 6
  if (/\/questions\/[a-z]/.test(id)) return 1.3
  if (/\/reference\//.test(id)) return 0.4
  return 1
}

// processTerm returns a word as it is indexed: in small letters, without its ending; nothing for words that no page is about.
export function processTerm(term) {
  const idle = 'a an and any are as at be by can could did do does for from get give has have how i if in into is it its make may me much my need no not of on or our out should so tell than that the their them then there these they this those to too up use was we what when where which who why will with without would you your'.split(' ')
  const word = term.toLowerCase()
  if (idle.includes(word)) return null
  for (const end of ['ing', 'ies', 'es', 'ed', 's', 'e']) {
    if (word.endsWith(end) && word.length - end.length >= 3) return word.slice(0, -end.length)
  }
  return word
}

// options of a search: words of the title count a little more, because verbs of a question, as load, are titles of other pages; only longer words are found by their beginning or with a wrong letter.
export const options = {
  boostDocument,
  prefix: (term) => term.length > 3,
  fuzzy: (term) => (term.length > 5 ? 0.15 : 0),
  boost: { title: 1.5, text: 1, titles: 1 },
}

// asked are the words of people for each page, which the index holds in addition to the text.
const asked = new Map(readFileSync(new URL('../questions/asked.txt', import.meta.url), 'utf8').trim().split('\n').map((line) => line.split(/: (.*)/)))

// askedFor returns the section of the index with people's words for a page, as HTML; title is that of the page.
export function askedFor(page, title) {
  const words = asked.get(page)
  return words ? `<h1 id="asked" tabindex="-1">${title} <a class="header-anchor" href="#asked"></a></h1><p>${words}</p>` : ''
}
