import type { Profile } from './early.ts'

export type Outcome = 'response-lost-saved' | 'response-lost-not-saved' | 'response-lost-unknown'

type Fields = Record<string, unknown>
/** Reads an address of the API: its status and body; undefined while it is unreachable. */
type Read = (path: string) => Promise<{ status: number; body: Fields } | undefined>

/** The pauses before further attempts of all readings. */
const pauses = [1_000, 2_000]

/**
 * Finds out by reading whether a change happened whose response was lost: by the record itself, else by the audit log.
 *
 * @param since the time of the request, by the clock of the service
 */
export async function outcomeOf(
  { method, path, body = {}, since, profile }: { method: string; path: string; body?: Fields; since: Date; profile: Profile | undefined },
  fetchJson: Read,
): Promise<Outcome> {
  const left = [...pauses]
  const read: Read = async (address) => {
    for (;;) {
      const answer = await fetchJson(address)
      if (answer && answer.status < 500) return answer
      const pause = left.shift()
      if (pause === undefined) return undefined
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  const look = async () => (await byRecord({ method, path, body, since }, read)) ?? (await byAudit({ path, since, profile }, read))
  let seen = await look()
  // The service may still be processing the request.
  const pause = seen === false ? left.shift() : undefined
  if (pause !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    seen = await look()
  }
  return seen === undefined ? 'response-lost-unknown' : seen ? 'response-lost-saved' : 'response-lost-not-saved'
}

async function byRecord(
  { method, path, body, since }: { method: string; path: string; body: Fields; since: Date },
  read: Read,
): Promise<boolean | undefined> {
  // What is at the path of all sessions of a user, for example, is the list of those that are left.
  if (method === 'DELETE' && isOfOneRecord.test(path) && Object.keys(body).every((name) => name === 'reason')) {
    const answer = await read(path)
    if (answer?.status === 404 && answer.body.code !== 'no-such-address') return true
    return answer?.status === 200 ? false : undefined
  }
  if (method === 'PATCH' || method === 'PUT') {
    const answer = await read(path)
    if (answer?.status !== 200) return undefined
    const { updatedAt } = answer.body
    // The stored value may differ in form from the sent one, for example in surrounding spaces.
    const mayHaveChanged = typeof updatedAt !== 'string' || isSince(updatedAt, since)
    return hasAll(answer.body, body) || (mayHaveChanged ? undefined : false)
  }
  const named = ['email', 'slug', 'name', 'domain', 'url'].find((field) => typeof body[field] === 'string')
  if (method !== 'POST' || named === undefined) return undefined
  const answer = await read(`${path}?limit=${most}&q=${encodeURIComponent(String(body[named]).trim())}`)
  if (answer?.status !== 200 || !Array.isArray(answer.body.data)) return undefined
  const rows = answer.body.data as Fields[]
  const madeSince = rows.filter(({ createdAt }) => isSince(createdAt, since))
  if (madeSince.some((row) => folded(row[named]) === folded(body[named]))) return true
  // It may be stored in another form than it was sent, or be beyond these.
  return madeSince.length > 0 || rows.length === most ? undefined : false
}

const most = 100
const isOfOneRecord = /\/[a-z]{2,4}_[0-9a-z]+$/

/** Addresses are stored in lower case, and without surrounding spaces. */
const folded = (text: unknown) => String(text).trim().toLowerCase().normalize('NFC').replace(/\/$/, '')

const isSince = (time: unknown, since: Date) => new Date(String(time)) >= since

/** Whether a record has each sent value, as far as it shows the field; false when it shows none of the fields. */
function hasAll(record: Fields, sent: Fields): boolean {
  const shown = Object.keys(sent).filter((field) => field in record)
  return shown.length > 0 && shown.every((field) => JSON.stringify(record[field]) === JSON.stringify(sent[field]))
}

async function byAudit(
  { path, since, profile }: { path: string; since: Date; profile: Profile | undefined },
  read: Read,
): Promise<boolean | undefined> {
  const target = /\/([a-z]{2,4}_[0-9a-z]+)/.exec(path)?.[1]
  if (!target || !profile?.permissions.includes('audit:read')) return undefined
  // The entry of an undo is about the record of the undone entry, and names that entry.
  const undoes = path.endsWith('/undo')
  const query = new URLSearchParams({ actorId: profile.id, from: since.toISOString(), limit: '100', ...(!undoes && { targetId: target }) })
  const answer = await read(`/v1/admin/audit-logs?${query}`)
  if (answer?.status !== 200 || !Array.isArray(answer.body.data)) return undefined
  return (answer.body.data as { metadata?: Fields | null }[]).some(({ metadata }) => !undoes || metadata?.undoOf === target)
}
