// ask asks the search index of the built site ten questions as engineers type them. The first result must be the page of
// the question, and the first five lines of that page must answer. It fails with a list of what is otherwise.
import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { boostDocument } from './search.mjs'

const here = new URL('./', import.meta.url)
const chunks = new URL('../../dist/site/assets/chunks/', here)
const file = readdirSync(chunks).find((n) => n.startsWith('@localSearchIndex'))
const index = MiniSearch.loadJSON((await import(pathToFileURL(new URL(file, chunks).pathname))).default, {
  fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'],
})
const options = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument } // VitePress's own, and ours

// Each page: what people type, and what the first five lines must name.
const questions = {
  'install': [['how do I install it', 'pip install', 'debian package'], [/pip install/, /dpkg|\.deb/, /go install/]],
  'first-log': [['my first log', 'robot file and log what now', 'getting started'], [/ident init/, /ident check/, /ident fit/]],
  'files-and-names': [['which file formats', 'channel names', 'csv column names'], [/CSV/, /URDF/, /q1…qn/, /--map/, /--unit/]],
  'cut-off': [['which cut-off frequency', 'cutoff', 'low-pass filter frequency'], [/five times/, /fifth of the sampling rate/]],
  'currents': [['my torques are currents', 'motor currents', 'drive gains'], [/--gains/, /torque constant/, /--gain-sigma/]],
  'base-parameters': [['what is a base parameter', 'negative mass', 'why is a mass weak'], [/combinations/, /30 %/]],
  'recording': [['how long to record', 'how should I record', 'exciting trajectory'], [/design-trajectory/, /ten periods/, /200 Hz/]],
  'trust': [['can I trust the result', 'is the result good', 'sound doubtful unusable'], [/sound/, /doubtful/, /unusable/, /validate/]],
  'use-the-result': [['use the result in MuJoCo', 'export to ROS', 'MATLAB C++ code'], [/ident export/, /ident codegen/]],
  'payload': [['weigh a payload', 'tool mass', 'identify a load'], [/payload:LINK/, /--carries/]],
}

let asked = 0
const wrong = []
for (const [page, [queries, facts]] of Object.entries(questions)) {
  for (const query of queries) {
    asked++
    const [first] = index.search(query, options)
    if (!first || !new RegExp(`^/questions/${page}(\\.html)?(#.*)?$`).test(first.id)) wrong.push(`"${query}" finds ${first?.id}, not ${page}`)
  }
  const lines = readFileSync(new URL(`../questions/${page}.md`, here), 'utf8').split('\n').slice(2, 7).join('\n')
  for (const fact of facts) if (!fact.test(lines)) wrong.push(`the first five lines of ${page}.md do not say ${fact}`)
}
console.log(`search: ${asked} queries on ${index.documentCount} sections, ${wrong.length} wrong`)
if (wrong.length) {
  console.log(wrong.join('\n'))
  process.exit(1)
}
