/** Fetches the data that every page needs before the rest of the console is loaded. */

import type { components } from './schema.d.ts'

export type Profile = components['schemas']['Profile']

const asked = (path: string) => fetch(path, { headers: { Accept: 'application/json' } }).catch(() => undefined)

async function ask() {
  const csrf = await asked('/v1/auth/csrf')
  if (!csrf?.ok) return { csrfToken: undefined, profile: undefined, status: csrf?.status ?? 0 }
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const profile = await fetch('/v1/me/profile', { headers: { Accept: 'application/json', 'X-CSRF-Token': csrfToken } }).catch(
    () => undefined,
  )
  if (!profile?.ok) return { csrfToken, profile: undefined, status: profile?.status ?? 0 }
  return { csrfToken, profile: (await profile.json()) as Profile, status: profile.status }
}

/** The CSRF token and the profile of the session; `status` tells why one is missing, 0 when the service was unreachable. */
export const early = ask()
