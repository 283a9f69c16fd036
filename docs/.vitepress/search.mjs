// The search of the manual. Each page has, beside its sections, one document that stands for all of it: with people's words for the
// page, and with its whole text. VitePress writes the functions into the page, so each must hold all that it needs.
import { readFileSync } from 'node:fs'

// stems returns the words of a text as they are indexed: in small letters, without their endings, and none that no page is about.
function stems(text) {
  const idle = 'a an and any are as at be by can could did do does for from get give has have how i if in into is it its make many may me much my need of on or our should so tell than that the their them then there these they this those to too up us use want was we were what when where which who why will with without would you your'.split(' ')
  const out = []
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    if (!word || idle.includes(word)) continue
    const end = ['ing', 'ies', 'ly', 'es', 'ed', 's', 'e'].find((e) => word.endsWith(e) && word.length - e.length >= 3) ?? ''
    out.push(word.slice(0, word.length - end.length))
  }
  return out
}

// meant returns words with each that is in words.txt, or two that are there together, replaced by its group.
function meant(words) {
  const groups = (globalThis.identGroups ??= new Map(GROUPS.split('\n').flatMap((line) => line.split(',').map((word, _, all) => [word, '@' + all[0]]))))
  const out = []
  for (let i = 0; i < words.length; i++) {
    const both = groups.get(words[i] + ' ' + words[i + 1])
    out.push(both ?? groups.get(words[i]) ?? words[i])
    if (both) i++
  }
  return out
}

// terms returns the words of a text and the groups that they are in.
function terms(text) {
  const words = stems(text)
  return [...words, ...meant(words).filter((word) => word.startsWith('@'))]
}

// said returns the terms of people's words: a term for each word, and one for each phrase, whose words are sorted.
function said(text) {
  return text.split(',').flatMap((phrase) => {
    const words = terms(phrase)
    return words.length ? [...words, '=' + [...new Set(meant(stems(phrase)))].sort().join('+')] : []
  })
}

// asks returns the terms of a query: its words, and every choice of up to four of them, which is a phrase if people have it.
function asks(text) {
  const words = [...new Set(terms(text))]
  let choices = [[]]
  for (const word of [...new Set(meant(stems(text)))].slice(0, 12).sort()) choices = choices.concat(choices.filter((c) => c.length < 4).map((c) => [...c, word]))
  return [...words, ...choices.filter((c) => c.length).map((c) => '=' + c.join('+'))]
}

// groups are the lines of words.txt, as they are indexed.
const groups = readFileSync(new URL('../questions/words.txt', import.meta.url), 'utf8').trim().split('\n')
  .map((line) => line.split(/[:,] /).map((word) => stems(word).join(' ')).filter(Boolean).join(',')).join('\n')

// within returns a function of the page that has others in it.
const within = (args, body, ...others) => new Function(...args, others.join('\n').replace('GROUPS', JSON.stringify(groups)) + '\n' + body)

// mark parts people's words from the text of a page.
const mark = '¦'

// index tells how documents become terms.
export const index = {
  fields: ['title', 'titles', 'text', 'asked', 'page'],
  storeFields: ['title', 'titles'],
  processTerm: (term) => term,
  tokenize: within(['text', 'field'], "return field === 'asked' ? said(text) : terms(text)", stems, meant, terms, said),
  extractField: within(['document', 'field'], `
    if (field !== 'text' && field !== 'asked' && field !== 'page') return document[field]
    if (!document.id.endsWith('#asked')) return field === 'text' ? document.text : ''
    return document.text.split('${mark}')[['asked', 'page'].indexOf(field)] ?? ''`),
}

// options of a search: a phrase counts as its words do, a word that means the same half; what the program writes counts less; only longer words are found by their beginning or with a wrong letter.
export const options = {
  tokenize: within(['text'], 'return asks(text)', stems, meant, terms, asks),
  processTerm: (term) => term,
  boostDocument: (id) => (/\/reference\//.test(id) ? 0.5 : /\/questions\/[a-z]/.test(id) ? 1.15 : 1),
  boostTerm: (term) => (term.startsWith('=') ? term.split('+').length : term.startsWith('@') ? 0.5 : 1),
  prefix: (term) => term.length > 3 && !/^[=@]/.test(term),
  fuzzy: (term) => (term.length > 5 && !/^[=@]/.test(term) ? 0.15 : 0),
  boost: { title: 1.5, text: 0.5, titles: 0.5, asked: 1.5, page: 1 },
}

// asked are the words of people for each page.
const asked = new Map(readFileSync(new URL('../questions/asked.txt', import.meta.url), 'utf8').trim().split('\n').map((line) => line.split(/: (.*)/)))

// pageDocument returns the section of the index that stands for a page, as HTML; title is that of the page, html what it is drawn from.
export function pageDocument(page, title, html, words = asked.get(page) ?? '') {
  return `<h1 id="asked" tabindex="-1">${title} <a class="header-anchor" href="#asked"></a></h1><p>${words}${mark}${html.replaceAll(mark, ' ').replace(/<[^>]*>/g, ' ')}</p>`
}
