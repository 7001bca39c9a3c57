import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const rows = readFileSync('docs/conformance.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| §'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

describe('docs/conformance.md', () => {
  it('has a proof for each requirement, or a reason why it does not apply', () => {
    expect(rows.length).toBeGreaterThan(250)
    for (const [, requirement, proof] of rows)
      expect(proof, requirement).toMatch(/^`(test|src)\/|^does not apply: |^deviates: |^not offered: /)
  })

  it('names tests that exist', () => {
    const missing = rows.flatMap(([, , proof = '']) => {
      const [, file, title = ''] = /^`([^`]+)` (.+)$/.exec(proof) ?? []
      if (file === undefined) return []
      return existsSync(file) && readFileSync(file, 'utf8').includes(`'${title}`) ? [] : [proof]
    })
    expect(missing).toEqual([])
  })
})
