import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { say } from '../../../shared/checks/said.ts'
import { explainDifference, proveRedirectUri } from './redirect-uri.ts'

const registered = 'https://portal.example/callback?x=1'
const confidential = { clientType: 'confidential' as const, redirectUris: [registered, 'http://127.0.0.1/cb'] }
const native = { clientType: 'public' as const, redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:8080/cb', 'com.example.app:/cb'] }

describe('a redirect URI', () => {
  it('is proven by being equal, whatever is added, removed or changed', () => {
    expect(proveRedirectUri(confidential, registered)).toBe(registered)
    fc.assert(
      fc.property(fc.nat(registered.length), fc.string({ minLength: 1, maxLength: 3 }), fc.nat(3), (at, inserted, removed) => {
        const changed = registered.slice(0, at) + inserted + registered.slice(at + removed)
        if (changed !== registered) expect(proveRedirectUri(confidential, changed)).toBeUndefined()
      }),
    )
  })

  it('on a loopback address may have any port for a native application, and nothing else of its own', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(proveRedirectUri(native, `http://127.0.0.1:${port}/cb`)).toBeDefined()
        expect(proveRedirectUri(native, `http://[::1]:${port}/cb`)).toBeDefined()
        expect(proveRedirectUri(native, `http://127.0.0.1:${port}/other`)).toBeUndefined()
        expect(proveRedirectUri(native, `https://127.0.0.1:${port}/cb`)).toBeUndefined()
        expect(proveRedirectUri(native, `http://127.0.0.2:${port}/cb`)).toBeUndefined()
        expect(proveRedirectUri(confidential, `http://127.0.0.1:${port}/cb`)).toBeUndefined()
      }),
    )
  })

  it.each([
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:80:80/cb',
    'http://localhost/cb',
    'http://127.0.0.1:65536/cb',
    'http://[::1]:99999/cb',
  ])('is not proven by %s', (uri) => {
    expect(proveRedirectUri(native, uri)).toBeUndefined()
  })

  it('that is longer than any registered one may be is compared with none', () => {
    const long = `${registered}&${'x'.repeat(2_048)}`
    expect(proveRedirectUri({ ...confidential, redirectUris: [long] }, long)).toBeUndefined()
    expect(explainDifference(long, [long])).toEqual(say('uri-too-long', '2048', String(long.length)))
  })

  it('is explained in a time that grows with what is registered, and no faster', () => {
    const alike = Array.from({ length: 100 }, (_, turn) => `https://portal.example/${'x'.repeat(2_000)}${turn}`)
    const before = process.cpuUsage()
    expect(explainDifference(`https://portal.example/${'x'.repeat(1_999)}y42`, alike)?.text).toContain('nearest')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(200)
  })

  it('that is not proven is explained by the nearest one, or by nothing when there is none', () => {
    expect(explainDifference('https://portal.example/calback?x=1', confidential.redirectUris)?.text).toContain(
      `nearest registered URI is ${registered}`,
    )
    expect(explainDifference(`${registered}/`, [registered])?.text).toContain('has nothing more where "/" was received')
    expect(explainDifference(registered.slice(0, -1), [registered])?.text).toContain('where nothing more was received')
    expect(explainDifference('x', [])).toBeUndefined()
  })
})
