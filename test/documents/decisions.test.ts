import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const records = readdirSync(folder).flatMap((file) => {
  const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]
  return number === undefined ? [] : [{ file, number, title: readFileSync(`${folder}/${file}`, 'utf8').split('\n')[0] ?? '' }]
})

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
    const listed = [...readFileSync(`${folder}/README.md`, 'utf8').matchAll(/^- \[(.+)\]\((\S+)\)$/gm)].map(
      ([, title, file]) => `${file} # ${title}`,
    )
    expect(listed.sort()).toEqual(records.map(({ file, title }) => `${file} ${title}`).sort())
  })
})
