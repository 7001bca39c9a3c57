import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const records = readdirSync(folder).flatMap((file) => {
  const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]
  if (number === undefined) return []
  const text = readFileSync(`${folder}/${file}`, 'utf8')
  return [{ file, number, text, title: text.split('\n')[0] ?? '' }]
})

/** A line for each record, with what has narrowed or replaced it. */
const index = [
  ...readFileSync(`${folder}/README.md`, 'utf8').matchAll(
    /^- \[(?<title>.+?)\]\((?<file>\S+)\)(?:, _(?<status>narrowed|replaced) by_ \[(?<by>\d{4})\]\((?<byFile>\S+)\))?$/gm,
  ),
].map(({ groups = {} }) => groups)
const isReplaced = (file: string) => index.some((line) => line.file === file && line.status === 'replaced')

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const readable = files
  .filter((file) => !file.startsWith('docs/') && /\.(?:tsx?|js|css|json|ya?ml)$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
const words = new Set(readable.flatMap((text) => text.match(/\w+/g) ?? []))
const namesAFile = /^[\w.@-][\w./@-]*\.(?:tsx?|js|css|json|sql|md|ya?ml)$/
const namesASymbol = /^(?:[A-Z]\w*\.)?[a-z]+[A-Z]\w*(?:\(\))?$|^[A-Z]\w*\.[a-z]\w*(?:\(\))?$/

/** A file that the repository has, or that the source names because it makes it. */
const fileExists = (name: string) =>
  files.some((file) => file === name || file.endsWith(`/${name}`)) || readable.some((text) => text.includes(name))

function symbolExists(name: string): boolean {
  const [holder = '', member] = name.replace('()', '').split('.')
  if (member === undefined) return words.has(holder)
  const declares = new RegExp(`(?:interface|class|type|const|import) [^\\n]*\\b${holder}\\b`)
  return readable.some((text) => declares.test(text) && new RegExp(`\\b${member}\\b`).test(text))
}

describe('docs/decisions', () => {
  it('numbers each record uniquely', () => {
    const numbers = records.map(({ number }) => number)
    expect(numbers.length).toBeGreaterThan(40)
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it('opens each record with its number and its title', () => {
    for (const { file, number, title } of records) expect([file, title]).toEqual([file, expect.stringMatching(`^# ${number}\\. \\S`)])
  })

  it('lists every record in the index by its title, and no other', () => {
    const listed = index.map(({ title, file }) => `${file} # ${title}`)
    expect(listed.sort()).toEqual(records.map(({ file, title }) => `${file} ${title}`).sort())
  })

  it('says of a record that has been narrowed or replaced which one did so, by the number of its file', () => {
    const changed = index.filter(({ status }) => status !== undefined)
    expect(changed.length).toBeGreaterThan(2)
    for (const { file, by, byFile } of changed)
      expect([file, byFile, records.some((record) => record.file === byFile && record.number === by)]).toEqual([file, byFile, true])
  })

  it('names no file and no symbol that is gone, but in records that are replaced', () => {
    const gone = records
      .filter(({ file }) => !isReplaced(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/`([^`\n]+)`/g)]
          .map(([, name = '']) => name)
          .filter((name) => (namesAFile.test(name) && !fileExists(name)) || (namesASymbol.test(name) && !symbolExists(name)))
          .map((name) => `${file}: ${name}`),
      )
    expect(gone).toEqual([])
  })
})
