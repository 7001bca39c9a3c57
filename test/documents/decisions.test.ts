import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe('docs/decisions', () => {
  it('gives each record a number of its own', () => {
    const numbers = readdirSync('docs/decisions').flatMap((file) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1] ?? [])
    expect(numbers.length).toBeGreaterThan(40)
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })
})
