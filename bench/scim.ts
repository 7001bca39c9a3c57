/**
 * A first and a second synchronisation of a directory as Entra ID would send it, one request a user and 100 members a request; then a PATCH
 * of a group of 50,000 members and a look-up among 100,000 users. `npm run bench:scim`; `SCIM_USERS`, `SCIM_GROUPS`,
 * `SCIM_MEMBERSHIPS`, `SCIM_LARGE` and `SCIM_SEEDED` make it smaller, `DATABASE_URL` names another server.
 */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { onServer } from '../test/support/database-server.ts'
import { median, percentile } from './support/percentiles.ts'
import { memoryOf } from './support/process-status.ts'
import { seedUsers } from './support/seeds.ts'
import { startService } from './support/started-service.ts'

const numberOf = (name: string, fallback: number) => Number(process.env[`SCIM_${name}`] ?? fallback)
const users = numberOf('USERS', 10_000)
const groups = numberOf('GROUPS', 500)
const memberships = numberOf('MEMBERSHIPS', 200_000)
const large = numberOf('LARGE', 50_000)
const seeded = numberOf('SEEDED', 100_000)
/** Entra ID has several requests under way. */
const atOnce = numberOf('AT_ONCE', 8)
const membersAtATime = 100

const directoryId = 'dir_bench'
const token = 'scim_bench'
const service = await startService()
const base = `${service.origin}/scim/v2/${directoryId}`

async function request(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/scim+json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

/** Runs work for each number, several at once. */
async function each(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function timed(name: string, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1_000
  const { now, most } = await memoryOf(service.pid)
  process.stdout.write(`${name}: ${seconds.toFixed(1)} s, ${now} MiB afterwards, at most ${most} MiB\n`)
  return seconds
}

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const adding = (ids: readonly string[]) => ({
  schemas: [patchOp],
  Operations: [{ op: 'Add', path: 'members', value: ids.map((value) => ({ value })) }],
})
const addressOf = (number: number) => `person${number}@directory.test`
const person = (number: number) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: `ext-${number}`,
  userName: addressOf(number),
  name: { givenName: `First ${number}`, familyName: `Last ${number}` },
  emails: [{ value: addressOf(number), type: 'work', primary: true }],
  active: true,
})

const onDatabase = (text: string) => onServer(service.databaseUrl, text)

async function prepare(): Promise<void> {
  const hash = createHash('sha256').update(token).digest('base64url')
  await onDatabase(`
    insert into organisation_domains (organisation_id, id, domain, challenge, status, verified_at, checked_at, created_at, updated_at)
      select id, 'dom_' || label, label || '.test', label, 'verified', now(), now(), now(), now()
      from organisations, unnest(array['directory', 'bench']) as label;
    insert into directories (organisation_id, id, name, created_at, updated_at) select id, '${directoryId}', 'Bench', now(), now() from organisations;
    insert into directory_tokens (organisation_id, id, directory_id, token_hash, prefix, created_at)
      select id, 'dtk_bench', '${directoryId}', '${hash}', 'scim_', now() from organisations`)
}

async function firstSynchronisation(): Promise<{ userIds: string[]; groupIds: string[] }> {
  const userIds: string[] = []
  const groupIds: string[] = []
  await each(users, async (number) => {
    userIds[number] = String((await request('POST', '/Users', person(number))).body.id)
  })
  await each(groups, async (number) => {
    groupIds[number] = String((await request('POST', '/Groups', { displayName: `Group ${number}`, externalId: `group-${number}` })).body.id)
  })
  await addMembers(userIds, groupIds)
  return { userIds, groupIds }
}

async function addMembers(userIds: readonly string[], groupIds: readonly string[]): Promise<void> {
  const ofGroup = Math.ceil(memberships / groups)
  await each(groups, async (number) => {
    const ids = Array.from({ length: ofGroup }, (_, place) => userIds[(number * ofGroup + place) % users] as string)
    for (let start = 0; start < ids.length; start += membersAtATime)
      await request('PATCH', `/Groups/${groupIds[number]}`, adding(ids.slice(start, start + membersAtATime)))
  })
}

const historySize = async () => Number((await onDatabase('select count(*) from audit_logs'))[0]?.count)

/** How long each of so many requests takes, one after the other. */
async function durations(count: number, work: (number: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let number = 0; number < count; number++) {
    const start = performance.now()
    await work(number)
    taken.push(performance.now() - start)
  }
  return taken
}

function report(name: string, taken: readonly number[], goal: number): boolean {
  const holds = median(taken) <= goal
  const figures = `median ${median(taken).toFixed(1)} ms, 95 % ${percentile(taken, 0.95).toFixed(1)} ms`
  process.stdout.write(`${name}: ${figures}; ${holds ? 'holds' : 'DOES NOT HOLD'}: at most ${goal} ms\n`)
  return holds
}

try {
  await prepare()
  const goals: boolean[] = []
  let made = { userIds: [] as string[], groupIds: [] as string[] }
  const first = await timed(`first synchronisation of ${users} users, ${groups} groups, ${memberships} memberships`, async () => {
    made = await firstSynchronisation()
  })
  goals.push(first <= 300)

  const before = await historySize()
  await timed('second synchronisation', async () => {
    await each(users, async (number) => void (await request('PUT', `/Users/${made.userIds[number]}`, person(number))))
    await addMembers(made.userIds, made.groupIds)
  })
  goals.push((await historySize()) === before)
  process.stdout.write(`the second one has written ${(await historySize()) - before} entries\n`)

  await seedUsers(service.databaseUrl, seeded)
  const { id: largeGroup } = (await request('POST', '/Groups', { displayName: 'Large' })).body
  await onDatabase(`
    with members as (select organisation_id, id from users where email like 'user%@bench.test' order by id limit ${large - 1}), joined as (
      insert into directory_group_members (organisation_id, group_id, user_id, created_at) select organisation_id, '${largeGroup}', id, now() from members
    ), sources as (
      insert into team_member_sources (organisation_id, user_id, team_id, source, created_at)
      select m.organisation_id, m.id, g.team_id, 'directory:${directoryId}', now() from members m, directory_groups g where g.id = '${largeGroup}'
    )
    insert into team_members (organisation_id, user_id, team_id, created_at)
    select m.organisation_id, m.id, g.team_id, now() from members m, directory_groups g where g.id = '${largeGroup}'`)
  await onDatabase('analyze')
  const remove = (id: string) => ({ schemas: [patchOp], Operations: [{ op: 'Remove', path: 'members', value: [{ value: id }] }] })
  const patches = await durations(40, (number) => {
    const id = made.userIds[Math.floor(number / 2)] as string
    return request('PATCH', `/Groups/${largeGroup}`, number % 2 === 0 ? adding([id]) : remove(id))
  })
  goals.push(report(`one member of a group of ${large}`, patches, 200))
  const lookUp = async (number: number) => {
    const address = number % 2 === 0 ? addressOf(number % users) : `user${number + 1}@bench.test`
    const { body } = await request('GET', `/Users?filter=${encodeURIComponent(`userName eq "${address}"`)}&startIndex=1&count=100`)
    if (body.totalResults !== 1) throw new Error(`${address} was found ${body.totalResults} times`)
  }
  await durations(20, lookUp)
  goals.push(report(`userName eq among ${seeded + users} users`, await durations(200, lookUp), 3))
  process.exitCode = goals.every(Boolean) ? 0 : 1
} finally {
  await service.stop()
}
