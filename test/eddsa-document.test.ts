import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { frameworks } from '../console/src/pages/applications/snippets/frameworks.ts'

it('docs/oauth.md names who cannot read EdDSA, and the console chooses RS256 for those of whom it shows code', () => {
  const [, named = ''] = /cannot verify EdDSA need([\s\S]*?)the console chooses RS256/.exec(readFileSync('docs/oauth.md', 'utf8')) ?? []
  for (const library of [
    'ASP.NET Core',
    'Spring Security',
    'mod_auth_openidc',
    'mod_oauth2',
    'json-jwt',
    'python-jose',
    'Authlib',
    'express-jwt',
  ])
    expect(named).toContain(library)

  const byRs256 = frameworks.filter(({ idTokenSignedResponseAlg }) => idTokenSignedResponseAlg === 'RS256').map(({ name }) => name)
  expect(byRs256.sort()).toEqual(['.NET: ASP.NET Core', 'Apache HTTP Server', 'Java: Spring Security', 'Python: Authlib'])
})
