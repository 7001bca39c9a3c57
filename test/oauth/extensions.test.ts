import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtExtensions, type OAuthExtension } from '../../src/clients/extensions.ts'
import { startTestService } from '../support/service.ts'

const names = ['openid-configuration', 'oauth-authorization-server'] as const

/** The bytes of both discovery documents. */
async function documentsOf(environment: Record<string, string>): Promise<string[]> {
  const service = await startTestService({ environment })
  try {
    return await Promise.all(names.map(async (name) => (await fetch(`${service.origin}/.well-known/${name}`)).text()))
  } finally {
    await service.stop()
  }
}

/** As they were before there was any extension. They never change because of one. */
const withoutExtensions = names.map((name) => readFileSync(`test/oauth/discovery/${name}.txt`, 'utf8'))

/** The members of each extension. */
const ownMembers: Record<OAuthExtension, Record<string, unknown>> = {
  step_up: { acr_values_supported: ['aal1', 'aal2', 'phr', 'phrh'] },
}

describe('the discovery documents', () => {
  it('are byte for byte the committed ones without extensions', async () => {
    expect(await documentsOf({})).toEqual(withoutExtensions)
  })

  it.each(builtExtensions)('differ with %s in its own members alone', async (name) => {
    const documents = await documentsOf({ OAUTH_EXTENSIONS: name })
    const expected = withoutExtensions.map((text) => ({ ...JSON.parse(text), ...ownMembers[name] }))
    expect(documents.map((text) => JSON.parse(text))).toEqual(expected)
    // The other members are in the same order, too.
    for (const [index, text] of documents.entries()) {
      const rest = Object.entries(JSON.parse(text)).filter(([member]) => !(member in ownMembers[name]))
      expect(JSON.stringify(Object.fromEntries(rest))).toBe(withoutExtensions[index])
    }
  })
})
