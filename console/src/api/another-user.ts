import { handOver } from '../base/hand-over.ts'
import { csrfToken } from './csrf.ts'
import { early, type Profile } from './early.ts'
import { Problem } from './problem.ts'

/** Another user may have signed in in another tab: what was begun here is not sent in their name, and the page becomes theirs. */
export async function refuseToAnotherUser(): Promise<void> {
  const response = await fetch('/v1/me/profile', { headers: { Accept: 'application/json', 'X-CSRF-Token': await csrfToken() } }).catch(
    () => undefined,
  )
  if (response === undefined || response.status >= 500) throw Problem.unreachable()
  if (!response.ok || ((await response.json()) as Profile).id === (await early).profile?.id) return
  handOver()
  throw new Problem({ code: 'another-user', detail: 'Another user is signed in' }, { status: 409, headers: new Headers() })
}
