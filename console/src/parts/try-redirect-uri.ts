import { answerWithTag, api } from '../api/client.ts'
import { changeClient } from '../api/clients.ts'
import { early } from '../api/early.ts'
import { Problem } from '../api/problem.ts'

/**
 * "Try it" adds a redirect URI to an application while it awaits a response. This browser stores the ids of applications that have it, so
 * that it is also removed after a reload or a crash. It stores nothing else. A user of another organisation may follow in the same browser,
 * who cannot reach the application: so each id has its organisation beside it.
 */

const key = 'gatehouse.tried'
const lockOf = (id: string) => `gatehouse-try ${id}`

interface Tried {
  id: string
  organisationId: string
}

const ownOrganisationId = async () => (await early).profile?.organisation.id ?? ''

function remembered(): Tried[] {
  try {
    const tried: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(tried) ? tried.filter(isTried) : []
  } catch {
    return []
  }
}

const isTried = (one: Partial<Tried> | null): one is Tried => typeof one?.id === 'string' && typeof one.organisationId === 'string'

function remember(tried: readonly Tried[]): void {
  if (tried.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(tried))
}

const forget = (id: string) => remember(remembered().filter((one) => one.id !== id))

/**
 * Runs the work while the application has the redirect URI. A URI that the application had before stays.
 *
 * @throws Problem when the URI cannot be added
 */
export async function withRedirectUri<Result>(id: string, uri: string, work: () => Promise<Result>): Promise<Result> {
  return locked(id, false, async () => {
    const wasAdded = await add(id, uri)
    try {
      return await work()
    } finally {
      // If it cannot be removed now, the next visit removes it.
      if (wasAdded) await remove(id, uri).catch(() => remove(id, uri).catch(() => {}))
    }
  })
}

/** Removes the leftovers of earlier attempts in this organisation. A URI that another tab uses stays. */
export async function removeLeftRedirectUris(uri: string): Promise<boolean> {
  const organisationId = await ownOrganisationId()
  const ids = remembered().flatMap((one) => (one.organisationId === organisationId ? [one.id] : []))
  for (const id of ids) await locked(id, true, () => remove(id, uri).catch(() => {}))
  return ids.length > 0
}

/** Runs work under a lock that the page holds, and that the browser releases when the page is closed. */
async function locked<Result>(id: string, onlyIfFree: boolean, work: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return work()
  return navigator.locks.request(lockOf(id), { ifAvailable: onlyIfFree }, async (lock) =>
    lock === null ? (undefined as Result) : work(),
  ) as Promise<Result>
}

/** @returns whether it was added, now or by an interrupted attempt */
async function add(id: string, uri: string): Promise<boolean> {
  const { body, tag } = await read(id)
  if (body.redirectUris.includes(uri)) return remembered().some((one) => one.id === id)
  // Store the id before adding the URI: a crash between the two leaves nothing behind.
  forget(id)
  remember([...remembered(), { id, organisationId: await ownOrganisationId() }])
  try {
    await changeClient(id, { redirectUris: [...body.redirectUris, uri] }, tag)
  } catch (error) {
    if (error instanceof Problem && error.status !== 0) forget(id)
    throw error
  }
  return true
}

async function remove(id: string, uri: string): Promise<void> {
  try {
    const { body, tag } = await read(id)
    const others = body.redirectUris.filter((one) => one !== uri)
    if (others.length < body.redirectUris.length) await changeClient(id, { redirectUris: others }, tag)
  } catch (error) {
    if (!(error instanceof Problem && error.isGone)) throw error
  }
  forget(id)
}

const read = (id: string) => answerWithTag(api.GET('/v1/admin/clients/{id}', { params: { path: { id } } }))
