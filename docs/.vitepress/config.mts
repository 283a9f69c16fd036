// The web site of the manual: docs/build makes it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { index, options, pageDocument } from './search.mjs'

const version = readFileSync(new URL('../../identify/project/version.go', import.meta.url), 'utf8').match(/"(\d+\.\d+\.\d+)"/)![1]

// page returns an entry of the sidebar: its text is the first heading of the file.
function page(link: string) {
  const text = readFileSync(new URL(`../${link}.md`, import.meta.url), 'utf8').match(/^# (.*)$/m)![1]
  return { text, link: '/' + link }
}

const tutorials = ['demo', 'your-arm', 'design-and-record'].map((n) => `tutorials/${n}`)
const questions = ['install', 'first-log', 'files-and-names', 'cut-off', 'currents', 'base-parameters', 'recording', 'trust', 'use-the-result', 'payload', 'simulator', 'ros', 'sampling-rate', 'second-day',
  'known-masses', 'couplings', 'privacy', 'cite',
  'safe-motion', 'mounting', 'no-torque', 'friction', 'big-logs', 'same-result', 'python']
const howTo = ['open', 'recording', 'troubleshooting', 'acceptance', 'comparison', 'report', 'browser', 'loads', 'laboratory', 'summaries', 'generated-models', 'watch', 'tool', 'draws', 'simulators', 'library', 'fleet', 'agents', 'safety', 'standing']
const background = ['models', 'mechanisms', 'log-formats', 'robot-files', 'excitation', 'doctor', 'judgement', 'estimators', 'controller', 'payload',
  'physical-consistency', 'elastic', 'flexible', 'measured-logs', 'peers', 'benchmark', 'speed', 'operation-counts']
const reference = ['index', 'settings', 'findings', 'verdicts', 'terms', 'formats', 'json'].map((n) => `reference/${n}`)

const listed = new Set([...howTo, ...background, 'README'])
for (const name of readdirSync(new URL('..', import.meta.url))) {
  if (name.endsWith('.md') && !listed.has(name.slice(0, -3))) throw new Error(`docs/${name} is in no list of .vitepress/config.mts`)
}

// The reports that docs/build writes beside the pages. The site's own navigation would look for pages of the manual under their names.
const reports = ['example.html', 'panda.html', 'panda-licence.txt']

// llms returns the list of pages for programs that read the manual (llmstxt.org).
function llms() {
  const list = (title: string, links: string[]) => `\n## ${title}\n\n` + links.map(page).map((p) => `- [${p.text}](${p.link.replace(/^\//, '')}.html)\n`).join('')
  return `# ident ${version}\n\n> Inertial parameters and friction of robots from their description and their logs, and how far they can be trusted. ` +
    'Agents call it by `ident mcp FOLDER` (agents.html).\n' + list('Tutorials', tutorials) + list('Questions', questions.map((n) => `questions/${n}`)) +
    list('How to', howTo) + list('Reference', reference) + list('Background', background)
}

export default defineConfig({
  buildEnd: ({ outDir }) => writeFileSync(`${outDir}/llms.txt`, llms()),
  title: `ident ${version}`,
  description: 'Inertial parameters of robots from their description and their logs',
  outDir: '../dist/site',
  base: process.env.SITE_BASE ?? '/',
  markdown: {
    html: false,
    config(md) {
      md.core.ruler.push('reports', ({ tokens }) => {
        for (const { children } of tokens) {
          for (const token of children ?? []) {
            if (token.type === 'link_open' && reports.includes(token.attrGet('href')!)) token.attrSet('target', '_self')
          }
        }
      })
    },
  },
  srcExclude: ['**/node_modules/**'],
  rewrites: { 'README.md': 'index.md', 'questions/README.md': 'questions/index.md' },
  // Links into the source of the project lead out of the site.
  ignoreDeadLinks: [/\.\.\/(python|notebooks|datasets|fleet)\//, /^\.\.?\/\.\.\//],
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: { options: index, searchOptions: options },
        async _render(src, env, md) {
          const html = await md.render(src, env)
          return html + pageDocument(env.relativePath.replace(/\.md$/, ''), env.title, html)
        },
      },
    },
    nav: [
      { text: 'Questions', link: '/questions/' },
      { text: 'Tutorials', link: '/tutorials/demo' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Laboratory', link: '/lab/', target: '_self' },
      { text: 'A report', link: '/example.html', target: '_self' },
    ],
    sidebar: [
      { text: 'Tutorials', items: tutorials.map(page) },
      { text: 'Questions', items: questions.map((n) => page(`questions/${n}`)) },
      { text: 'How to', collapsed: true, items: howTo.map(page) },
      { text: 'Reference', collapsed: true, items: reference.map(page) },
      { text: 'Background', collapsed: true, items: background.map(page) },
    ],
  },
})
