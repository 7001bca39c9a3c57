import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const lastBeforeTheRule = 55
const numbers = readdirSync(new URL('migrations', import.meta.url))
  .flatMap((file) => /^(\d{4})-[a-z0-9-]+\.ts$/.exec(file)?.[1] ?? [])
  .map(Number)
  .sort((left, right) => left - right)

describe('the migrations', () => {
  it('are numbered without gaps, each number once', () => {
    const governed = numbers.filter((number) => number > lastBeforeTheRule)
    expect(governed).toEqual(governed.map((_, index) => lastBeforeTheRule + 1 + index))
  })
})
