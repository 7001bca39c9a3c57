import { describe, expect, it } from 'vitest'
import { newDestinations } from './destinations.ts'

const known = ['https://portal.example/callback', 'http://localhost:3000/callback', 'com.example.app:/callback']

describe('the destinations of new redirect URIs', () => {
  it.each([
    ['another path, port or scheme of a known host', ['https://portal.example/other', 'http://localhost:5173/x'], []],
    ['another host', ['https://evil.example/39'], ['evil.example']],
    ['a host that only looks like a known one', ['https://portal.example.evil.test/callback'], ['portal.example.evil.test']],
    ['a known host as the user of another one', ['https://portal.example@evil.example/'], ['evil.example']],
    ['the same host in capitals', ['https://PORTAL.example/callback'], []],
    ['the scheme of another application on the device', ['com.other.app:/callback'], ['com.other.app:']],
    ['a host twice', ['https://a.example/1', 'https://a.example/2'], ['a.example']],
    ['what is no address', ['nonsense'], []],
  ])('are told for %s', (_, uris, hosts) => {
    expect(newDestinations(uris, known)).toEqual(hosts)
  })
})
