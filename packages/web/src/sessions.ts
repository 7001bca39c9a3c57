import type { RequestCookies } from './cookies.ts'
import { claimsOf } from './issuer.ts'
import type { Sealer } from './sealed.ts'
import type { SessionStore, StoredAbout } from './session-store.ts'
import type { StoredSession } from './stored-session.ts'

/** A session with what names it in its place. */
export interface FoundSession {
  session: StoredSession
  /** What the store has; undefined for a session in a cookie. */
  value: string | undefined
  /** False when a former cookie secret has sealed it. */
  isCurrent: boolean
}

/** Where sessions are: in the cookie itself, or in a store under an id that the cookie has. */
export interface Sessions {
  find(cookies: RequestCookies): Promise<FoundSession | undefined>
  /** Stores another state of a session, or a new one. @returns the one that counts from now on; undefined for one that has ended */
  write(session: StoredSession, former?: FoundSession): Promise<FoundSession | undefined>
  /** What a store has now; undefined for a session in a cookie. */
  reread(id: string): Promise<FoundSession | undefined>
  /** What the cookie of a session is. */
  cookieOf(session: StoredSession): Promise<string>
  delete(session: StoredSession): Promise<void>
}

export const sessionsInCookies = (sealer: Sealer): Sessions => ({
  async find(cookies) {
    const found = await sealer.unseal<StoredSession>('session', cookies.session ?? '')
    return found && { session: found.value, value: undefined, isCurrent: found.isCurrent }
  },
  write: async (session) => ({ session, value: undefined, isCurrent: true }),
  reread: async () => undefined,
  cookieOf: (session) => sealer.seal('session', session),
  delete: async () => {},
})

export function sessionsInStore(sealer: Sealer, store: SessionStore): Sessions {
  async function read(id: string): Promise<FoundSession | undefined> {
    const value = await store.get(id)
    const found = value === undefined ? undefined : await sealer.unseal<StoredSession>('stored session', value)
    // The id is sealed with it: a value that was moved to another id is none.
    return found?.value.id === id ? { session: found.value, value, isCurrent: found.isCurrent } : undefined
  }
  return {
    async find(cookies) {
      const named = await sealer.unseal<{ id: string }>('session', cookies.session ?? '')
      const found = named && (await read(named.value.id))
      return found && { ...found, isCurrent: found.isCurrent && named.isCurrent }
    },
    async write(session, former) {
      const value = await sealer.seal('stored session', session)
      const isStored = await store.replace(session.id, former?.value, value, aboutOf(session))
      // Another process has a newer one, or the session has ended meanwhile: writing would bring it back.
      return isStored ? { session, value, isCurrent: true } : read(session.id)
    },
    reread: read,
    cookieOf: ({ id }) => sealer.seal('session', { id }),
    delete: ({ id }) => store.delete(id),
  }
}

function aboutOf(session: StoredSession): StoredAbout {
  const { sub, sid } = claimsOf(session).identity
  return { subject: sub, sessionId: sid, expiresAt: new Date(session.endsAt) }
}
