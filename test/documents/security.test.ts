import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

describe('docs/security.md', () => {
  it('has each requirement of levels 1 and 2 once, by chapter as many as the standard has', () => {
    const numbers = rows.map(([number]) => number)
    expect(numbers).toHaveLength(253)
    expect(new Set(numbers).size).toBe(253)
    const byChapter = Object.groupBy(numbers, (number = '') => number.split('.')[0] ?? '')
    expect(Object.entries(byChapter).map(([chapter, { length } = []]) => [Number(chapter), length])).toEqual(requirementsByChapter)
  })

  it('says of each how it is met, or that it is not', () => {
    for (const [, requirement, proof] of rows)
      expect(proof, requirement).toMatch(
        /^`(test|src)\/|^\[|^(does not apply|by the operator|deviates|not met|no test): |^as many as a user starts/,
      )
  })

  it('names tests and documents that exist', () => {
    const missing = rows.flatMap(([, , proof = '']) => {
      const [, file, title = ''] = /^`([^`]+)` (.+)$/.exec(proof) ?? []
      if (file !== undefined) return existsSync(file) && hasTitle(file, title) ? [] : [proof]
      return [...proof.matchAll(/\]\(([^)#]+)/g)].flatMap(([, path = '']) => (existsSync(`docs/${path}`) ? [] : [proof]))
    })
    expect(missing).toEqual([])
  })
})

const hasTitle = (file: string, title: string) => {
  const text = readFileSync(file, 'utf8')
  return text.includes(`'${title}`) || text.includes(`"${title}`)
}

/** Of OWASP ASVS 5.0.0, levels 1 and 2. */
const requirementsByChapter = [
  [1, 27],
  [2, 11],
  [3, 19],
  [4, 10],
  [5, 9],
  [6, 35],
  [7, 18],
  [8, 7],
  [9, 7],
  [10, 29],
  [11, 14],
  [12, 9],
  [13, 13],
  [14, 9],
  [15, 13],
  [16, 16],
  [17, 7],
]
