import { createHash, randomBytes, randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, HttpClient } from '../../test/support/http-client.ts'
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts'
import type { Fault } from './fault.ts'

const rounds = 25
/** In one of so many rounds a process is killed, in the others the database is restarted. */
const killEvery = 5
/** A process that was ready for ten seconds is replaced at once when it is killed. */
const soundMilliseconds = 12_000
/** Of each kind in a round. */
const ofEachKind = 2
/** How often each is presented at the same moment. */
const presentations = 4
const patienceMilliseconds = 60_000
const redirectUri = 'https://rp.example.test/callback'

/** Something that may be redeemed once. */
interface Once {
  kind: string
  redeem(): Promise<Answer>
}

interface Ledger {
  presented: number
  /** Answered with success: once, more than once, and never, because the answer was lost. */
  once: number
  twice: number
  never: number
}

/** While the database is restarted, or one of two processes is killed, everything that may be redeemed once is presented several times. */
export const codes: Fault = async () => {
  const service = await startFaultyService({ RATE_LIMIT: 'off', WORKERS: '2' })
  try {
    const issue = await issuer(service)
    const ledgers = new Map<string, Ledger>()
    const recoveries: number[] = []
    for (let round = 0; round < rounds; round++) {
      const kills = round % killEvery === killEvery - 1
      if (kills) await pause(soundMilliseconds)
      const things = await issue(round)
      const fault = pause(randomInt(0, 40)).then(() => (kills ? killOne(service) : service.postgres.restart()))
      const from = performance.now()
      const successes = await Promise.all(things.map(redeemedOf))
      await fault
      recoveries.push(performance.now() - from)
      for (const [index, { kind }] of things.entries()) {
        const ledger = ledgers.get(kind) ?? { presented: 0, once: 0, twice: 0, never: 0 }
        ledgers.set(kind, ledger)
        const count = successes[index] ?? 0
        ledger.presented++
        ledger[count === 0 ? 'never' : count === 1 ? 'once' : 'twice']++
      }
    }
    const memory = await service.memory()
    const rows = [...ledgers].map(([kind, { presented, once, twice, never }]) => [
      kind,
      `${presented} presented ${presentations} times at once: ${once} redeemed once, ${twice} more than once, ${never} without an answer that says so`,
    ])
    return {
      holds: [...ledgers.values()].every(({ twice }) => twice === 0),
      rows: {
        faults: `${rounds - rounds / killEvery} restarts of the database, ${rounds / killEvery} killed processes`,
        ...Object.fromEntries(rows),
        'longest until all were decided': `${Math.round(Math.max(...recoveries))} ms`,
        memory: `${memory.now} MiB of the first process`,
      },
    }
  } finally {
    await service.stop()
  }
}

/** Presents it several times at once, each until there is an answer other than that the service is not available. @returns how many succeeded */
async function redeemedOf({ redeem }: Once): Promise<number> {
  const deadline = performance.now() + patienceMilliseconds
  const present = async (): Promise<boolean> => {
    for (;;) {
      const answer = await redeem().catch(() => undefined)
      if (answer && answer.status < 500) return answer.status < 300
      if (performance.now() > deadline) throw new Error(`The service does not come back: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      await pause(20)
    }
  }
  const successes = await Promise.all(Array.from({ length: presentations }, present))
  return successes.filter(Boolean).length
}

/** Kills one of the processes that the first one has started. */
async function killOne({ workers }: FaultyService): Promise<void> {
  const running = await workers()
  const chosen = running[randomInt(running.length)]
  if (!chosen) throw new Error('There is no process to kill')
  process.kill(chosen, 'SIGKILL')
}

/** @returns issues some of each kind */
async function issuer({ admin, origin, smtp }: FaultyService): Promise<(round: number) => Promise<Once[]>> {
  const anonymous = new HttpClient(origin)
  const expecting = async (status: number, ask: () => Promise<Answer>): Promise<Answer> => {
    const deadline = performance.now() + patienceMilliseconds
    for (;;) {
      const answer = await ask().catch(() => undefined)
      if (answer?.status === status) return answer
      const isTransient = !answer || answer.status >= 500
      if (!isTransient || performance.now() > deadline)
        throw new Error(`${status} was expected: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      await pause(20)
    }
  }
  const registration = { name: 'Portal', clientType: 'confidential', redirectUris: [redirectUri] }
  const { body: client } = await expecting(201, () => admin.post('/v1/admin/clients', registration))
  await expecting(200, () => admin.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } }))
  const { body: roles } = await expecting(200, () => admin.get('/v1/admin/roles'))
  const roleId = roles.data.find(({ slug }: { slug: string }) => slug === 'member').id
  const headers = {
    authorization: `Basic ${Buffer.from(`${client.id}:${client.clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const token = (form: Record<string, string>) => anonymous.post('/oauth2/token', new URLSearchParams(form).toString(), { headers })

  const code = async (): Promise<Record<string, string>> => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: 'openid offline_access',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const { headers: answered } = await expecting(302, () => admin.get(`/oauth2/authorize?${query}`))
    const issued = new URL(answered.get('location') ?? '').searchParams.get('code')
    if (!issued) throw new Error(`No code came back: ${answered.get('location')}`)
    return { grant_type: 'authorization_code', code: issued, redirect_uri: redirectUri, code_verifier: verifier }
  }
  /** What a mail to an address holds. */
  const mailed = async (address: string, pattern: RegExp): Promise<string> => {
    const deadline = performance.now() + patienceMilliseconds
    for (;;) {
      for (const { text = '' } of smtp.mailsTo(address)) {
        const found = pattern.exec(text)?.[1]
        if (found) return found
      }
      if (performance.now() > deadline) throw new Error(`No mail to ${address}`)
      await pause(20)
    }
  }

  const once: Record<string, (name: string) => Promise<() => Promise<Answer>>> = {
    'authorization codes': async () => {
      const form = await code()
      return () => token(form)
    },
    'refresh tokens': async () => {
      const { body } = await expecting(200, async () => token(await code()))
      return () => token({ grant_type: 'refresh_token', refresh_token: body.refresh_token })
    },
    invitations: async (name) => {
      const email = `invited-${name}@bench.test`
      const invited = await admin.post('/v1/admin/invitations', { email, roleId }).catch(() => undefined)
      // One whose answer was lost may have been made.
      if (invited?.status !== 201 && invited?.status !== 409)
        await expecting(201, () => admin.post('/v1/admin/invitations', { email, roleId }))
      const acceptance = {
        token: await mailed(email, /[?&]token=([\w-]+)/),
        firstName: 'Carol',
        lastName: 'Shaw',
        password: 'a long enough secret',
      }
      return () => anonymous.post('/v1/auth/invitations/accept', acceptance)
    },
    'e-mail codes': async (name) => {
      const email = `coded-${name}@bench.test`
      await expecting(201, () => admin.post('/v1/admin/users', { email, firstName: 'Bench', lastName: 'User' }))
      const { body } = await expecting(202, () => anonymous.post('/v1/auth/email-code', { email }))
      const proof = { flowToken: body.flowToken, code: await mailed(email, /^Your code: (\d{8})$/m) }
      return () => anonymous.post('/v1/auth/email-code/verify', proof)
    },
  }
  return async (round) => {
    const wanted = Object.entries(once).flatMap(([kind, make]) =>
      Array.from({ length: ofEachKind }, async (_, number) => ({ kind, redeem: await make(`${round}-${number}`) })),
    )
    return Promise.all(wanted)
  }
}
