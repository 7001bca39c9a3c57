/**
 * Checks that comments, texts and documents name who does something ("the caller", "any process", "no user"), and prints each line that
 * says "whoever" or "nobody" instead. Identifiers, single words such as a code, and code in documents are not prose.
 */
import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { parseSync, Visitor } from 'rolldown/utils'

/** Not an address, a quoted word, a setting of another program, or the user of that name that a system has. */
const refused = /(?<![\w@.-]|= )(?:whoever|whomever|somebody|nobody|everybody|anybody|go on|goes on|going on)(?![\w@"-]| \(uid)/i

/** A text with the offset at which it starts in its file. */
type Prose = { text: string; start: number }

const sources = ['{bench,console,deploy,examples,packages,shared,src,test,tools}/**/*.{ts,tsx,js}', '*.{ts,js}']
const documents = [
  '{bench,console,deploy,docs,examples,packages,shared,src,test}/**/*.{md,css,html,yaml,yml,sh,sql}',
  '*.{md,yaml,yml}',
  'Dockerfile',
]
const exclude = ['**/node_modules/**', '**/dist/**']

const mistakes = [
  ...globSync(sources, { exclude }).flatMap((file) => mistakesIn(file, proseOf)),
  ...globSync(documents, { exclude }).flatMap((file) =>
    mistakesIn(file, (_, source) => [{ text: source.replaceAll(/`[^`\n]*`/g, blank), start: 0 }]),
  ),
]
process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0

/** As long as the code that it stands for, so that offsets stay. */
function blank(code: string): string {
  return ' '.repeat(code.length)
}

function mistakesIn(file: string, prose: (file: string, source: string) => readonly Prose[]): string[] {
  const source = readFileSync(file, 'utf8')
  if (!refused.test(source)) return []
  return prose(file, source).flatMap(({ text, start }) =>
    Array.from(text.matchAll(new RegExp(refused, 'gi')), ({ 0: word, index }) => {
      const at = source.slice(0, start + index).split('\n').length
      return `${file}:${at} says "${word}": write it as "English" in docs/style.md does`
    }),
  )
}

/** The comments of a source, and its texts of two words or more. */
function proseOf(file: string, source: string): Prose[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const prose: Prose[] = comments.map(({ value, start }) => ({ text: value, start: start + 2 }))
  const add = (start: number, end: number) => {
    const text = source.slice(start, end)
    if (/\S\s+\S/.test(text)) prose.push({ text, start })
  }
  new Visitor({
    Literal: ({ value, start, end }) => {
      if (typeof value === 'string') add(start, end)
    },
    TemplateElement: ({ start, end }) => add(start, end),
    JSXText: ({ start, end }) => add(start, end),
  }).visit(program)
  return prose
}
