import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverOf, type RecordedTests } from '../tools/cover-statements.ts'
import { normalise } from './support/sent-statements.ts'

const statements = fc.uniqueArray(
  fc.integer({ min: 1, max: 30 }).map((number) => `select ${number}`),
  { maxLength: 6 },
)
const recordedTests: fc.Arbitrary<RecordedTests> = fc.record({
  statements,
  areConcurrent: fc.boolean(),
  milliseconds: fc.nat(1_000),
  tests: fc
    .array(fc.record({ milliseconds: fc.nat(1_000), statements }), { minLength: 1, maxLength: 6 })
    .map((tests) => tests.map((test, index) => ({ ...test, name: `test ${index}` }))),
})
const recordedFiles = fc.array(recordedTests, { maxLength: 6 }).map((files) => new Map(files.map((file, index) => [`file ${index}`, file])))

const sentBy = ({ statements, tests }: RecordedTests, names: readonly string[]) =>
  names.length === 0 ? [] : [...statements, ...tests.filter(({ name }) => names.includes(name)).flatMap(({ statements }) => statements)]

describe('the tests that run on both databases', () => {
  it('send every statement that all tests send', () => {
    fc.assert(
      fc.property(recordedFiles, (files) => {
        const all = [...files.values()].flatMap((file) =>
          sentBy(
            file,
            file.tests.map(({ name }) => name),
          ),
        )
        const sent = [...coverOf(files)].flatMap(([name, { onBoth }]) => sentBy(files.get(name) as RecordedTests, Object.keys(onBoth)))
        expect(new Set(sent)).toEqual(new Set(all))
      }),
    )
  })

  it('are all of a file or none where they run side by side', () => {
    fc.assert(
      fc.property(recordedFiles, (files) => {
        for (const [name, { tests, onBoth }] of coverOf(files)) {
          if (files.get(name)?.areConcurrent) expect([0, tests]).toContain(Object.keys(onBoth).length)
        }
      }),
    )
  })

  it('are the cheap ones of those that send the same', () => {
    const test = (name: string, milliseconds: number) => ({ name, milliseconds, statements: ['select 1'] })
    const file = (milliseconds: number, ...tests: ReturnType<typeof test>[]) => ({
      statements: [],
      areConcurrent: false,
      milliseconds,
      tests,
    })
    const files = new Map([
      ['slow to begin', file(1_200, test('quick', 1))],
      ['quick to begin', file(10, test('less slow', 400))],
      ['less quick', file(20, test('as slow', 400))],
    ])
    expect(coverOf(files)).toEqual(
      new Map([
        ['slow to begin', { tests: 1, onBoth: {} }],
        ['quick to begin', { tests: 1, onBoth: { 'less slow': 1 } }],
        ['less quick', { tests: 1, onBoth: {} }],
      ]),
    )
  })

  it('are those of a file that send a statement first: later ones may send it for what these have left behind', () => {
    const test = (name: string, milliseconds: number) => ({ name, milliseconds, statements: ['select 1'] })
    const tests = [test('subscribes', 500), test('is told', 1)]
    expect(coverOf(new Map([['file', { statements: [], areConcurrent: false, milliseconds: 0, tests }]]))).toEqual(
      new Map([['file', { tests: 2, onBoth: { subscribes: 1 } }]]),
    )
  })
})

describe('a statement', () => {
  it('is the same however many values a list of it has', () => {
    expect(normalise('select 1 from users where id in ($1, $2,  $3)')).toBe(normalise('select 1 from users where id in ($1)'))
    expect(normalise('insert into roles (a, b) values ($1, $2), ($3, $4)')).toBe(normalise('insert into roles (a, b) values ($1, $2)'))
  })

  it('is another one with another table or condition', () => {
    expect(normalise('select 1 from users where id = $1')).not.toBe(normalise('select 1 from users where id <> $1'))
  })
})
