import { describe, expect, it } from 'vitest'
import { addressMistake, cacheSeconds } from './read-document.ts'

const now = new Date('2026-11-29T12:00:00Z')
const minutes = (count: number) => count * 60
const hours = (count: number) => count * 3_600

describe('a document is stored', () => {
  it.each<[string, Record<string, string>, number]>([
    ['without headers', {}, minutes(5)],
    ['for less than five minutes', { 'cache-control': 'max-age=60' }, minutes(5)],
    ['for a time between', { 'cache-control': 'public, max-age=3600' }, hours(1)],
    ['for what its age leaves of it', { 'cache-control': 'max-age=3600', age: '600' }, minutes(50)],
    ['for a day', { 'cache-control': 'max-age=86400' }, hours(24)],
    ['for longer than a day', { 'cache-control': 'max-age=604800' }, hours(24)],
    ['never', { 'cache-control': 'no-store, max-age=3600' }, minutes(5)],
    ['never without asking', { 'cache-control': 'max-age=3600, no-cache' }, minutes(5)],
    ['until a time', { expires: 'Sun, 29 Nov 2026 14:00:00 GMT' }, hours(2)],
    ['until a time that max-age overrules', { 'cache-control': 'max-age=600', expires: 'Sun, 29 Nov 2026 14:00:00 GMT' }, minutes(10)],
    ['until next week', { expires: 'Sun, 06 Dec 2026 12:00:00 GMT' }, hours(24)],
    ['until what is no time', { expires: '0' }, minutes(5)],
  ])('as its headers say, within five minutes and a day: %s', (_, headers, expected) => {
    expect(cacheSeconds(new Headers(headers), now)).toBe(expected)
  })
})

it('the address of a document has at most 512 characters', () => {
  const address = (length: number) => 'https://agent.example/'.padEnd(length, 'x')
  expect(addressMistake(address(512))).toBeUndefined()
  expect(addressMistake(address(513))).toContain('longer than 512 characters')
})
