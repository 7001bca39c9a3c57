import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** What a verb of the plural looks like in the texts of the service. */
const plural = '(?:are|were|have|do|end|lose|get|stay|need|give|take|keep|gain|begin|become|fail|hold|use|wait|work|sign|change)'
const sources = globSync('{src,packages/*/src}/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
const texts = sources.map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** The places in sources where a template puts a value in front of words. */
function placesOf(pattern: RegExp): string[] {
  return texts.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([found]) => `${file}: ${found}`))
}

describe('a sentence with a count', () => {
  it('reads right for one: its verb is part of what is counted', () => {
    // "Addresses of 1 application are": the verb is that of another noun.
    expect(placesOf(new RegExp(`(?<! of )\\$\\{counted\\((?:[^()]|\\([^()]*\\))*\\)\\} ${plural}\\b`, 'g'))).toEqual([])
    const names = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/(\w+)(?: =|:) counted\([^,]+, '\w+(?: \w+)?'\)/g)].map(([, name]) => [file, name] as const),
    )
    const unfit = names.flatMap(([file, name]) =>
      [...readFileSync(file, 'utf8').matchAll(new RegExp(`\\$\\{${name}\\} ${plural}\\b`, 'g'))].map(([found]) => `${file}: ${found}`),
    )
    expect(names.length).toBeGreaterThan(3)
    expect(unfit).toEqual([])
  })

  it('counts by `counted`: a number and a plural make "1 users"', () => {
    // The catalogues of a language choose their texts by the number, and a limit of characters is above one.
    const found = placesOf(/\$\{[\w.?]*(?:length|size|[cC]ount)\} [a-z]+s\b(?!:)/g)
    expect(found.filter((place) => !/^src\/\w+\/catalogue\/|characters$/.test(place))).toEqual([])
  })
})
