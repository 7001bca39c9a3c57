import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/http-client.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** The addresses that a page of the console loads. */
const assetsOf = ({ body }: Answer): string[] => [...body.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path)

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console/users', '/console/any/deep/path?q=1', '/console/signed-in'])('is at %s', async (path) => {
    const { owner } = await service().given.organisation()
    const { status, headers, body } = await owner.get(path)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(policy)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(body).toContain('<div id="console">')
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
  })

  it('is in the language of the browser', async () => {
    const { owner } = await service().given.organisation()
    for (const [accepted, language] of [
      ['de-AT,en;q=0.5', 'de'],
      ['fr, en', 'en'],
      ['', 'en'],
    ] as const) {
      const { headers, body } = await owner.get('/console', { headers: { 'accept-language': accepted } })
      expect(headers.get('content-language')).toBe(language)
      expect(headers.get('vary')).toMatch(/accept-language/)
      expect(body).toContain(`<html lang="${language}">`)
    }
  })

  it('is not sent again to a browser that has it', async () => {
    const { owner } = await service().given.organisation()
    const first = await owner.get('/console')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)

    const again = await owner.get('/console/users', { headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, body: null })
    expect(again.headers.get('etag')).toBe(etag)
    const german = await owner.get('/console', { headers: { 'if-none-match': etag, 'accept-language': 'de' } })
    expect(german.status).toBe(200)
  })

  it('has a head', async () => {
    const { owner } = await service().given.organisation()
    const { status, headers, body } = await owner.request('HEAD', '/console/users')
    expect({ status, body }).toEqual({ status: 200, body: null })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(200)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is not for %s', async (method) => {
    const { owner } = await service().given.organisation()
    for (const path of ['/console', '/console/users', '/console/assets/x.js']) {
      const answer = await owner.request(method, path)
      expect(answer).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } })
      expect(answer.headers.get('allow')).toBe('GET')
    }
  })
})

describe('a browser that is not signed in', () => {
  it.each(['/console', '/console/users?status=blocked&q=anna%20shaw', '/console/audit?actions=%5B%22user.created%22%5D'])(
    'signs in first, and comes back to %s',
    async (path) => {
      const { owner } = await service().given.organisation()
      const visitor = new PageVisitor(service().origin)
      const sent = await visitor.open(path)
      expect(sent.status).toBe(303)
      const location = sent.headers.get('location') ?? ''
      expect(location).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)

      const signedIn = await visitor.submit(location, { email: owner.email, password: owner.password })
      expect(signedIn.status).toBe(303)
      expect(signedIn.headers.get('location')).toBe(path)
      expect(await visitor.open(path)).toMatchObject({ status: 200, body: expect.stringContaining('<div id="console">') })
    },
  )

  it('comes back to the console from an address that no page may return to', async () => {
    for (const path of ['/console?q={x}', `/console?q=${'x'.repeat(3_000)}`]) {
      const { headers } = await service().anonymous.get(path)
      expect(headers.get('location')).toBe('/login?returnTo=%2Fconsole')
    }
  })

  it('is sent to the enrolment of a second factor when that has to come first', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const visitor = new PageVisitor(service().origin)
    await visitor.submit('/login', { email: user.email, password: owner.password })

    const { status, headers, body } = await visitor.open('/console/users?q=x')
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/mfa/enroll?returnTo=%2Fconsole%2Fusers%3Fq%3Dx')
    expect(body).not.toContain('id="console"')
  })
})

describe('an asset of the console', () => {
  const anAsset = async (ending: string) => {
    const { owner } = await service().given.organisation()
    const path = assetsOf(await owner.get('/console')).find((one) => one.endsWith(ending))
    if (path === undefined) throw new Error(`The page loads nothing that ends in ${ending}`)
    return path
  }

  it('is for any browser, for ever, and for no other origin', async () => {
    const path = await anAsset('.js')
    expect(path).toMatch(/^\/console\/assets\/[\w-]{7}\.js$/)
    const { status, headers } = await service().anonymous.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, GZIP', 'gzip'],
    ['identity', null],
    ['br;q=0', null],
    ['', null],
  ])('is compressed for a browser that accepts "%s" by %s', async (accepted, encoding) => {
    const path = await anAsset('.js')
    const { headers } = await service().anonymous.get(path, { headers: { 'accept-encoding': accepted } })
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('vary')).toMatch(/accept-encoding/i)
  })

  it('has the same content in every form', async () => {
    const path = await anAsset('.js')
    const plain = await readFile(`dist${path}`, 'utf8')
    for (const accepted of ['br', 'gzip', 'identity'])
      expect((await service().anonymous.get(path, { headers: { 'accept-encoding': accepted } })).body).toBe(plain)
    const compressed = await service().anonymous.request('HEAD', path, { headers: { 'accept-encoding': 'br' } })
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(plain.length / 2)
  })

  it.each([
    '/console/assets/unknown-12345678.js',
    '/console/assets/',
    '/console/assets/..%2findex.html',
    '/console/assets/..%2f..%2fgatehouse.js',
    '/console/assets/%252e%252e%252findex.html',
  ])('that does not exist is a problem: %s', async (path) => {
    const { owner } = await service().given.organisation()
    const answer = await owner.get(path, { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'no-such-address' } })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})
