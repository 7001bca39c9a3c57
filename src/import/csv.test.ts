import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { csvRecords } from './csv.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-csv-'))
afterAll(() => rm(folder, { recursive: true }))

async function recordsOf(text: string) {
  const path = join(folder, 'users.csv')
  await writeFile(path, text)
  return Array.fromAsync(csvRecords(path))
}

describe('the records of a CSV file', () => {
  // The first field makes sure that no line is empty.
  const field = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '"', '""', ',', ' ', ';', '\n', '\r\n'), maxLength: 8 })
  const record = fc.tuple(fc.constant('x'), field, field)

  it.each(['\n', '\r\n'] as const)('are those that a program has written whose lines end in %j', async (lineEnd) => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), fc.boolean(), async (records, eof) => {
        const text = stringify(records, { record_delimiter: lineEnd, eof, quoted_match: /[\r\n]/ })
        const read = await recordsOf(text)
        expect(read.map((one) => ('fields' in one ? one.fields : one.mistake))).toEqual(records)
      }),
    )
  })

  it('say on which line they begin', async () => {
    expect(await recordsOf('a,b\n\n"c\nd",e\r\nf,g')).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 3, fields: ['c\nd', 'e'] },
      { line: 5, fields: ['f', 'g'] },
    ])
  })

  it('end where a quote over several lines is wrong, and not before', async () => {
    expect(await recordsOf('a"b,c\nd,"e"f\ng,"h\ni"j,k\nl,m')).toEqual([
      { line: 1, field: 0, mistake: 'a quote stands in it, and it does not begin with one' },
      { line: 2, field: 1, mistake: 'text follows its closing quote' },
      { line: 3, field: 1, mistake: 'text follows its closing quote on line 4; nothing after it was read' },
    ])
  })

  it('name the line and the field of a mistake that is further down in them', async () => {
    expect(await recordsOf('h,i\na,"b\nx"y"z\nc,d')).toEqual([
      { line: 1, fields: ['h', 'i'] },
      { line: 2, field: 1, mistake: 'text follows its closing quote on line 3; nothing after it was read' },
    ])
    expect(await recordsOf('a,"b\nc","d\ne,f,g')).toEqual([
      { line: 1, field: 2, mistake: 'its quote is not closed; nothing after it was read' },
    ])
  })
})
