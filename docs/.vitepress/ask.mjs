// ask searches the index of the built site as people do: queries.txt has a query a line, and the pages that answer it. The first
// page must be right for three queries of four, and one of the first three for nine of ten. The first five lines of the pages of the first
// ten questions must answer. It fails with a list of what is otherwise.
import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { index as terms, options } from './search.mjs'

const here = new URL('./', import.meta.url)
const chunks = new URL('../../dist/site/assets/chunks/', here)
const file = readdirSync(chunks).find((n) => n.startsWith('@localSearchIndex'))
const index = MiniSearch.loadJSON((await import(pathToFileURL(new URL(file, chunks).pathname))).default, terms)

// What the first five lines of a page must name.
const answers = {
  'install': [/pip install/, /dpkg|\.deb/, /go install/],
  'first-log': [/ident init/, /ident check/, /ident fit/],
  'files-and-names': [/CSV/, /URDF/, /q1…qn/, /--map/, /--unit/],
  'cut-off': [/five times/, /fifth of the sampling rate/],
  'currents': [/--gains/, /torque constant/, /--gain-sigma/],
  'base-parameters': [/combinations/, /30 %/],
  'recording': [/design-trajectory/, /ten periods/, /200 Hz/],
  'trust': [/sound/, /doubtful/, /unusable/, /validate/],
  'use-the-result': [/ident export/, /ident codegen/],
  'payload': [/payload:LINK/, /--carries/],
}

const wrong = []
for (const [page, facts] of Object.entries(answers)) {
  const lines = readFileSync(new URL(`../questions/${page}.md`, here), 'utf8').split('\n').slice(2, 7).join('\n')
  for (const fact of facts) if (!fact.test(lines)) wrong.push(`the first five lines of ${page}.md do not say ${fact}`)
}

let asked = 0, first = 0, three = 0
const missed = []
for (const line of readFileSync(new URL('queries.txt', here), 'utf8').trim().split('\n')) {
  const [query, right] = line.split('|')
  const pages = right.split(',').map((p) => (p === 'README' ? 'index' : p))
  const found = [...new Set(index.search(query, options).map((hit) => hit.id.replace(/^\//, '').replace(/(\.html)?(#.*)?$/, '') || 'index'))].slice(0, 3)
  asked++
  if (pages.includes(found[0])) first++
  else missed.push(`"${query}" finds ${found.join(', ')}, first not ${right}`)
  if (found.some((p) => pages.includes(p))) three++
}
console.log(`search: ${asked} queries on ${index.documentCount} sections, ${first} right first, ${three} in the first three`)
if (first < 0.75 * asked || three < 0.9 * asked) wrong.push(...missed)
if (wrong.length) {
  console.log(wrong.join('\n'))
  process.exit(1)
}
