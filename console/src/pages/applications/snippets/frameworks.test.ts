import { describe, expect, it } from 'vitest'
import { frameworks, proposedRedirectUri } from './frameworks.ts'
import { openidClient } from './openid-client.ts'

describe('the redirect URI that is proposed', () => {
  it.each([
    ['https://login.example.com', 'http://localhost:3000/callback'],
    ['http://localhost:4000', 'http://localhost:3000/callback'],
    ['http://localhost:3000', 'http://localhost:3001/callback'],
    ['http://127.0.0.1:3000', 'http://localhost:3001/callback'],
  ])('at %s is %s, where this service does not listen itself', (service, proposed) => {
    expect(proposedRedirectUri(openidClient, service)).toBe(proposed)
  })

  it('is nothing for what has none, and never that of the service', () => {
    expect(proposedRedirectUri(undefined, 'http://localhost:3000')).toBe('')
    for (const framework of frameworks)
      expect(proposedRedirectUri(framework, 'http://localhost:3000')).not.toMatch(/^http:\/\/(localhost|127\.0\.0\.1):3000\b/)
  })
})
