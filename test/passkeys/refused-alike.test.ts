import { afterEach, describe, expect, it, vi } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { PasskeyDevice, passkeyProof, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const notRecognised = { status: 401, body: { detail: 'Passkey not recognised', code: 'passkey-not-recognised' } }

describe('refused sign-ins by passkey', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('run the same statements, and verify one signature each', async () => {
    const engine = recordingEngine(await freshEngine())
    const alike = await startTestService({ engine })
    const { owner } = await alike.given.organisation()
    const [known, other, stranger] = [new PasskeyDevice(), new PasskeyDevice(), new PasskeyDevice()]
    await registerPasskey(owner, known)
    const elsewhere = await registerPasskey(owner, other)
    await alike.database.system().updateTable('passkeys').set({ rpId: 'other.test' }).where('id', '=', elsewhere.id).execute()
    const { options } = (await owner.post('/v1/me/passkeys/options')).body
    stranger.create({ ...options, excludeCredentials: [] })
    // The first sign-in loads the library.
    expect(await tryPasskey(alike.anonymous, known)).toMatchObject({ status: 200 })
    const badSignature = async () => {
      const { flowToken, credential } = await passkeyProof(alike.anonymous, known)
      const { signature } = (await passkeyProof(alike.anonymous, known)).credential.response
      return { flowToken, credential: { ...credential, response: { ...credential.response, signature } } }
    }
    const proofs = {
      unknown: await passkeyProof(alike.anonymous, stranger),
      ofAnotherRelyingParty: await passkeyProof(alike.anonymous, other),
      withWrongSignature: await badSignature(),
    }

    const seen: Record<string, { statements: string[]; signatures: number }> = {}
    for (const [name, proof] of Object.entries(proofs)) {
      const verify = vi.spyOn(globalThis.crypto.subtle, 'verify')
      engine.statements.length = 0
      expect(await alike.anonymous.post('/v1/auth/passkey', proof)).toMatchObject(notRecognised)
      // With what follows the response: it is written for all, and rolled back where there is no user to write it for.
      await alike.settled()
      seen[name] = { statements: statementsIn(engine), signatures: verify.mock.calls.length }
      verify.mockRestore()
    }

    expect(seen.withWrongSignature).toMatchObject({ signatures: 1 })
    expect(seen.withWrongSignature?.statements[0]).toContain('"passkeys"."credential_id" = $')
    expect(seen.unknown).toEqual(seen.withWrongSignature)
    expect(seen.ofAnotherRelyingParty).toEqual(seen.withWrongSignature)
    await alike.stop()
  })

  it('count against the address, but not those of a page that was open for too long', async () => {
    const { owner } = await service().given.organisation()
    const device = new PasskeyDevice()
    await registerPasskey(owner, device)
    const stale = await passkeyProof(service().anonymous, device)
    service().clock.advance({ minutes: 5, seconds: 1 })

    // Ten wrong ones are allowed for an account, and a hundred for an address.
    for (let attempt = 0; attempt < 101; attempt++) {
      const { status, body } = await service().anonymous.post('/v1/auth/passkey', stale)
      expect([attempt, status, body.code, body.unknownCredential]).toEqual([attempt, 401, 'passkey-not-recognised', undefined])
    }
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 200 })
    await service().settled()
    expect(await owner.audit({ action: 'login.failed' })).toEqual([])

    const forged = { ...stale, flowToken: `A${stale.flowToken.slice(1)}B`.slice(0, 29) }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt++) statuses.push((await service().anonymous.post('/v1/auth/passkey', forged)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })
})

/** The statements that have run, without those of counters. */
const statementsIn = ({ statements }: RecordingEngine): string[] =>
  statements.filter(({ query, ofRequest }) => ofRequest && !query.sql.includes('rate_limits')).map(({ query }) => query.sql)
