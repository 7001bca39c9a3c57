/**
 * Checks that no program decides by a sentence, and prints each place that does: a text is for people, is translated, and may change with
 * any release. A program decides by a code.
 */
import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Files that inspect texts which are not ours, with the author of the texts. */
const ofOthers: Readonly<Record<string, string>> = {
  'src/app/explain-failure.ts': 'what PostgreSQL and its driver say beside a code that several mistakes share',
  'src/doctor/check-mail.ts': 'what Node says of TLS, whose code does not survive the mail library',
  'src/import/source.ts': 'what zod says of what is missing, which has no code',
  'src/isolation/attempts.ts': 'one of `callerNames`, which the compiler checks',
  'src/isolation/check-report.ts': 'a place in a page',
  'src/platform/database/embedded/start-embedded.ts': 'what PostgreSQL says of a file that it may not use',
  'src/platform/rate-limits/ping-redis.ts': 'what Redis says, whose code is a word of it',
  'src/platform/database/outage.ts': 'what the driver says of connections that are lost, without a code',
  'src/test-mode/bend-tokens.ts': 'one of the ways to bend a signature, which the compiler checks',
  'src/platform/http/server.ts': 'what Node says of a request that was aborted, whose code a lost connection has, too',
  'src/platform/http/validation.ts': 'what zod says of what is missing, which has no code',
  'src/system/transfer/json-schema.ts': 'a type of PostgreSQL',
  'src/app/tracing/statements.ts': 'SQL',
}

const twoWords = '[A-Za-z]{2,} [a-z]{2,}'
const sentence = `'[^'\n]*${twoWords}[^'\n]*'`
const pattern = `/(?![*/])(?:[^/\\n\\\\[]|\\\\.|\\[(?:[^\\]\\n\\\\]|\\\\.)*\\])*`
const words = '(?<![A-Za-z])(?:message|detail)'

/** Matches uses for a type, a line break, and an empty text. */
const harmless = /typeof (?:message|detail)\b|message\.replaceAll\(\/\\s|message\.includes\(code\)/

/** Matches a comparison with a text, a search in a text, and a pattern that is applied to an error's message. */
const decisions = [
  new RegExp(`[!=]== ${sentence}`, 'g'),
  new RegExp(`\\bcase ${sentence}:`, 'g'),
  new RegExp(`\\.(?:includes|startsWith|endsWith|indexOf|split)\\(${sentence}`, 'g'),
  new RegExp(`${pattern}${twoWords}${pattern.slice(pattern.indexOf('(?:'))}/[a-z]*\\.(?:test|exec)\\(`, 'g'),
  new RegExp(`/[a-z]*\\.(?:test|exec)\\([\\w.?]*${words}\\)`, 'g'),
  new RegExp(`${words}\\??\\.(?:match|matchAll|includes|startsWith|endsWith|indexOf|search|split|replace|replaceAll)\\(`, 'g'),
  new RegExp(`${words} [!=]== '`, 'g'),
]

const files = globSync(['src/**/*.{ts,js}', 'console/src/**/*.{ts,tsx}', 'shared/**/*.ts']).filter((file) => !/\.test\.tsx?$/.test(file))
const found = files.flatMap((file) => {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    /^\s*(?:\*|\/\/|\/\*)/.test(line) || harmless.test(line) || !decisions.some((decision) => line.search(decision) !== -1)
      ? []
      : [{ file, at: index + 1, line: line.trim() }],
  )
})
const mistakes = [
  ...found
    .filter(({ file }) => !(file in ofOthers))
    .map(
      ({ file, at, line }) =>
        `${file}:${at} decides by a text: let it have a code, or say in tools/check-sentences.ts whose text it is: ${line}`,
    ),
  ...Object.keys(ofOthers)
    .filter((file) => !found.some((one) => one.file === file))
    .map((file) => `${file} decides by no text any more: remove it from tools/check-sentences.ts`),
]
process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0
