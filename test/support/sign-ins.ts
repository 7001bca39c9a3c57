import { expect } from 'vitest'
import { type Authenticator, enrolAuthenticator } from './authenticator.ts'
import type { SignedInUser } from './given.ts'
import { callbackOf, givenApplication, pkce, type TestApplication } from './oauth.ts'
import { PageVisitor } from './page-visitor.ts'
import type { TestService } from './service.ts'

export const entriesOf = async (owner: SignedInUser, query: string) => (await owner.get(`/v1/admin/audit-logs?${query}`)).body.data

/** A browser that an application has sent to sign in. */
export async function sentToSignIn(service: TestService, app: TestApplication, scope = 'openid offline_access') {
  const { verifier, challenge } = pkce()
  const asked = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope }, null)
  const login = asked.headers.get('location') ?? ''
  const returnTo = new URL(login, 'http://x').searchParams.get('returnTo') ?? ''
  return { visitor: new PageVisitor(service.origin), verifier, login, returnTo }
}

/** An application that asks for consent, and a user of its organisation with an authenticator app. */
export async function applicationAndUser(service: TestService) {
  const app = await givenApplication(service, { requireConsent: true, grantTypes: ['authorization_code', 'refresh_token'] })
  const user = await service.given.userWith(app.organisation.owner, [])
  const { authenticator } = await enrolAuthenticator(user, service.clock)
  return { app, user, authenticator }
}

/** The user signs in to the application: by a wrong password, the right one, a code and consent; it gets tokens and refreshes them. */
export async function wholeSignIn(
  service: TestService,
  { app, user, authenticator }: { app: TestApplication; user: SignedInUser; authenticator: Authenticator },
) {
  const { visitor, verifier, login, returnTo } = await sentToSignIn(service, app)
  const { email, password } = user
  const later = () => service.clock.advance({ seconds: 1 })

  later()
  await visitor.submit(login, { email, password: 'not the password' })
  await expect.poll(() => entriesOf(app.organisation.owner, `action=login.failed&targetId=${user.id}`)).toHaveLength(1)
  later()
  await visitor.submit(login, { email, password })
  await visitor.submit(`/login/mfa?${new URLSearchParams({ returnTo })}`, { code: authenticator.nextCode() })
  later()
  const consent = (await visitor.open(returnTo)).headers.get('location') ?? ''
  await visitor.submit(consent, { decision: 'allow' })
  later()
  const redeemed = await app.redeem(callbackOf(await visitor.open(returnTo)).get('code') ?? '', verifier)
  expect(redeemed).toMatchObject({ status: 200 })
  later()
  const refreshed = await app.refresh(redeemed.body.refresh_token)
  expect(refreshed).toMatchObject({ status: 200 })
  later()
  const [entry] = await entriesOf(app.organisation.owner, `action=login.success&actorId=${user.id}&limit=1`)
  return { visitor, entry, signInId: entry.signInId as string, exchanged: redeemed.body.refresh_token as string }
}
