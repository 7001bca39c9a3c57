import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SignedInUser, TestOrganisation } from '../support/given.ts'
import { type Credential, PasskeyDevice, passkeyProof, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

// Each row fails, and the limits of failures are tested elsewhere.
const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })

const [userPresent, userVerified, backupEligible, backedUp, attested, extended] = [0x01, 0x04, 0x08, 0x10, 0x40, 0x80]
const flagsAt = 32
const hashOf = (text: string) => createHash('sha256').update(text).digest()

let organisation: TestOrganisation
let user: SignedInUser
let device: PasskeyDevice
let other: { user: SignedInUser; device: PasskeyDevice; credentialId: string; handle: string }

beforeAll(async () => {
  organisation = await service().given.organisation()
  user = await service().given.userWith(organisation.owner, [])
  device = new PasskeyDevice({ signCounterIncrement: 0 })
  await registerPasskey(user, device)
  const otherUser = await service().given.userWith(organisation.owner, [])
  const otherDevice = new PasskeyDevice({ signCounterIncrement: 0 })
  await registerPasskey(otherUser, otherDevice)
  const { credential } = await passkeyProof(service().anonymous, otherDevice)
  other = { user: otherUser, device: otherDevice, credentialId: credential.id, handle: credential.response.userHandle }
})

interface Proof {
  flowToken: string
  credential: Credential
}

const decode = (text: string) => Buffer.from(text, 'base64url')
const withFlags = (bytes: Buffer, change: (flags: number) => number) => {
  const bent = Buffer.from(bytes)
  bent[flagsAt] = change(bytes[flagsAt] as number)
  return bent
}

/** Changes what the browser says, and signs it again: an honest authenticator at a dishonest browser. */
const clientData = (change: (data: Record<string, unknown>) => unknown) => (proof: Proof) => {
  const { response } = proof.credential
  const changed = change(JSON.parse(decode(response.clientDataJSON).toString()))
  const bytes = Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed))
  response.clientDataJSON = bytes.toString('base64url')
  response.signature = device.sign(decode(response.authenticatorData), bytes)
  return proof
}

/** Changes what the authenticator says, and signs it again. */
const authenticatorData = (change: (bytes: Buffer) => Buffer) => (proof: Proof) => {
  const { response } = proof.credential
  const bytes = change(decode(response.authenticatorData))
  response.authenticatorData = bytes.toString('base64url')
  response.signature = device.sign(bytes, decode(response.clientDataJSON))
  return proof
}

const credential = (change: Record<string, unknown>) => (proof: Proof) => ({ ...proof, credential: { ...proof.credential, ...change } })
const response = (change: (response: Credential) => Record<string, unknown>) => (proof: Proof) => ({
  ...proof,
  credential: { ...proof.credential, response: { ...proof.credential.response, ...change(proof.credential.response) } },
})

type Bend = (proof: Proof) => Proof | Promise<Proof>

const assertions: [what: string, status: number, bend: Bend][] = [
  ['the origin by https', 401, clientData((data) => ({ ...data, origin: 'https://gatehouse.test' }))],
  ['the origin of another site', 401, clientData((data) => ({ ...data, origin: 'http://evil.test' }))],
  ['the origin of a subdomain', 401, clientData((data) => ({ ...data, origin: 'http://evil.gatehouse.test' }))],
  ['the origin with another port', 401, clientData((data) => ({ ...data, origin: 'http://gatehouse.test:8080' }))],
  ['the origin with a slash', 401, clientData((data) => ({ ...data, origin: 'http://gatehouse.test/' }))],
  ['an opaque origin', 401, clientData((data) => ({ ...data, origin: 'null' }))],
  ['no origin', 401, clientData(({ origin, ...data }) => data)],
  ['a list of origins', 401, clientData((data) => ({ ...data, origin: [data.origin] }))],
  ['the type of a registration', 401, clientData((data) => ({ ...data, type: 'webauthn.create' }))],
  ['no type', 401, clientData(({ type, ...data }) => data)],
  ['no challenge', 401, clientData(({ challenge, ...data }) => data)],
  ['an empty challenge', 401, clientData((data) => ({ ...data, challenge: '' }))],
  ['a challenge that was changed', 401, clientData((data) => ({ ...data, challenge: `A${String(data.challenge).slice(1)}A` }))],
  [
    'the challenge of another sign-in',
    401,
    async (proof) => ({ ...(await passkeyProof(service().anonymous, device)), credential: proof.credential }),
  ],
  [
    'the challenge of a registration',
    401,
    async () => {
      const { flowToken, options } = (await user.post('/v1/me/passkeys/options')).body
      return { flowToken, credential: device.get({ challenge: options.challenge, rpId: options.rp.id, userVerification: 'required' }) }
    },
  ],
  ['a flow token that is none', 401, (proof) => ({ ...proof, flowToken: 'x'.repeat(30) })],
  ['a flow token with a later end', 401, (proof) => ({ ...proof, flowToken: `C${proof.flowToken.slice(1)}` })],
  ['a flow token that was changed at the end', 401, (proof) => ({ ...proof, flowToken: `${proof.flowToken.slice(0, -2)}AA` })],
  ['a frame of another origin', 401, clientData((data) => ({ ...data, crossOrigin: true }))],
  ['a frame that is no boolean', 401, clientData((data) => ({ ...data, crossOrigin: 'false' }))],
  ['a top origin', 401, clientData((data) => ({ ...data, topOrigin: 'http://gatehouse.test' }))],
  ['client data that is a list', 401, clientData(() => [])],
  ['client data that is null', 401, clientData(() => 'null')],
  ['client data that is no JSON', 401, clientData(() => '{"type":"webauthn.get"')],
  ['another relying party', 401, authenticatorData((bytes) => Buffer.concat([hashOf('evil.test'), bytes.subarray(flagsAt)]))],
  ['no user present', 401, authenticatorData((bytes) => withFlags(bytes, (flags) => flags & ~userPresent))],
  ['a user who was not verified', 401, authenticatorData((bytes) => withFlags(bytes, (flags) => flags & ~userVerified))],
  ['no flags at all', 401, authenticatorData((bytes) => withFlags(bytes, () => 0))],
  [
    'an eligibility for backup that has changed',
    401,
    authenticatorData((bytes) => withFlags(bytes, (flags) => flags & ~(backupEligible | backedUp))),
  ],
  ['a backup without eligibility', 401, authenticatorData((bytes) => withFlags(bytes, (flags) => flags & ~backupEligible))],
  ['authenticator data that is too short', 401, authenticatorData((bytes) => bytes.subarray(0, 36))],
  ['a single byte of it', 401, authenticatorData((bytes) => bytes.subarray(0, 1))],
  ['bytes after it', 401, authenticatorData((bytes) => Buffer.concat([bytes, Buffer.from([0])]))],
  ['a credential that is announced and missing', 401, authenticatorData((bytes) => withFlags(bytes, (flags) => flags | attested))],
  [
    'extensions of truncated CBOR',
    401,
    authenticatorData((bytes) => Buffer.concat([withFlags(bytes, (flags) => flags | extended), Buffer.from([0xa1, 0x63, 0x61])])),
  ],
  ['extensions that are missing', 401, authenticatorData((bytes) => withFlags(bytes, (flags) => flags | extended))],
  [
    'a counter that was not signed',
    401,
    response(({ authenticatorData: signed }) => ({
      authenticatorData: Buffer.concat([decode(signed).subarray(0, 33), Buffer.from([0, 0, 1, 0])]).toString('base64url'),
    })),
  ],
  [
    'client data that was not signed',
    401,
    response(({ clientDataJSON }) => ({
      clientDataJSON: Buffer.from(decode(clientDataJSON).toString().replace('{', '{ ')).toString('base64url'),
    })),
  ],
  ['half a signature', 401, response(({ signature }) => ({ signature: signature.slice(0, signature.length / 2) }))],
  ['a signature of nothing', 401, response(() => ({ signature: 'AAAA' }))],
  [
    'the signature of another key',
    401,
    response(({ authenticatorData: signed, clientDataJSON }) => ({ signature: other.device.sign(decode(signed), decode(clientDataJSON)) })),
  ],
  ["another user's handle", 401, response(() => ({ userHandle: other.handle }))],
  ['no handle', 401, response(() => ({ userHandle: null }))],
  ["another user's credential id", 401, (proof) => credential({ id: other.credentialId, rawId: other.credentialId })(proof)],
  ['two ids', 401, credential({ rawId: 'AAAA' })],
  ['another type of credential', 401, credential({ type: 'password' })],
  ['an unknown credential', 401, credential({ id: 'AAAA', rawId: 'AAAA' })],
  ['no signature', 400, response(() => ({ signature: '' }))],
  ['no authenticator data', 400, response(() => ({ authenticatorData: undefined }))],
  ['bytes that are no base64url', 400, response(({ signature }) => ({ signature: `${signature}==` }))],
  ['a control character', 400, credential({ id: 'a\u0000b' })],
  ['a number in place of bytes', 400, response(() => ({ clientDataJSON: 7 }))],
  ['a megabyte of client data', 413, response(() => ({ clientDataJSON: 'A'.repeat(2 ** 20) }))],
  ['more client data than a browser writes', 400, response(() => ({ clientDataJSON: 'A'.repeat(9_000) }))],
]

describe('a bent assertion', () => {
  it.each(assertions)('with %s signs no user in: %i', async (_, status, bend) => {
    const tenant = service().database.tenant(organisation.id)
    const countSessions = async () => (await tenant.selectFrom('sessions').select('id').execute()).length
    const before = await countSessions()

    const answer = await service().anonymous.post('/v1/auth/passkey', await bend(await passkeyProof(service().anonymous, device)))

    expect(answer).toMatchObject({ status })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await countSessions()).toBe(before)
  })

  it('is one of more than forty, and the straight one signs in', async () => {
    expect(assertions.length).toBeGreaterThan(40)
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 200 })
  })

  it('that is too old signs no user in', async () => {
    const proof = await passkeyProof(service().anonymous, device)
    service().clock.advance({ minutes: 5 })

    expect(await service().anonymous.post('/v1/auth/passkey', proof)).toMatchObject({
      status: 401,
      body: { code: 'passkey-not-recognised' },
    })
  })

  it('is no second factor either, and an assertion of a sign-in by passkey is none', async () => {
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
    const started = (await other.user.post('/v1/me/mfa/enable', { method: 'passkey' })).body
    const credentialOfOther = other.device.get(started.options)
    expect(await other.user.post('/v1/me/mfa/verify', { flowToken: started.flowToken, credential: credentialOfOther })).toMatchObject({
      status: 200,
    })
    const login = await service().anonymous.post('/v1/auth/login', { email: other.user.email, password: other.user.password })
    const { mfaToken } = login.body
    const { options } = (await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })).body
    const complete = (given: Credential) => service().anonymous.post('/v1/auth/login/mfa', { mfaToken, credential: given })
    const refused = { status: 400, body: { code: 'invalid-verification-code' } }

    expect(await complete((await passkeyProof(service().anonymous, other.device)).credential)).toMatchObject(refused)
    expect(await complete(credentialOfOther)).toMatchObject(refused)
    expect(await complete(device.get({ ...options, allowCredentials: [] }))).toMatchObject(refused)
    expect(await complete(other.device.get(options))).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  })
})

const attestation = (change: (bytes: Buffer, at: number) => Buffer) => (proof: Proof) => {
  const bytes = decode(proof.credential.response.attestationObject)
  proof.credential.response.attestationObject = change(bytes, bytes.indexOf(hashOf('gatehouse.test'))).toString('base64url')
  return proof
}
const attestedFlags = (change: (flags: number) => number) =>
  attestation((bytes, at) => {
    bytes[at + flagsAt] = change(bytes[at + flagsAt] as number)
    return bytes
  })
/** Nothing is signed at a registration without attestation. */
const unsignedClientData = (change: (data: Record<string, unknown>) => unknown) => (proof: Proof) => {
  const changed = change(JSON.parse(decode(proof.credential.response.clientDataJSON).toString()))
  proof.credential.response.clientDataJSON = Buffer.from(JSON.stringify(changed)).toString('base64url')
  return proof
}
const replaced = (from: string, to: string) =>
  attestation((bytes) => {
    const at = bytes.indexOf(Buffer.from(from, 'hex'))
    expect(at).toBeGreaterThan(0)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(to, 'hex'), bytes.subarray(at + from.length / 2)])
  })

const registrations: [what: string, status: number, bend: Bend][] = [
  ['the origin', 400, unsignedClientData((data) => ({ ...data, origin: 'http://evil.test' }))],
  ['the type', 400, unsignedClientData((data) => ({ ...data, type: 'webauthn.get' }))],
  ['the challenge', 400, unsignedClientData((data) => ({ ...data, challenge: 'AAAA' }))],
  ['the frame', 400, unsignedClientData((data) => ({ ...data, crossOrigin: true }))],
  ['the client data', 400, unsignedClientData(() => 7)],
  [
    'the relying party',
    400,
    attestation((bytes, at) => Buffer.concat([bytes.subarray(0, at), hashOf('evil.test'), bytes.subarray(at + 32)])),
  ],
  ['the presence of the user', 400, attestedFlags((flags) => flags & ~userPresent)],
  ['the state of the backup', 400, attestedFlags((flags) => (flags | backedUp) & ~backupEligible)],
  ['the key or the attestation', 400, attestedFlags((flags) => flags & ~attested)],
  ['the attestation object', 400, attestation((bytes) => bytes.subarray(0, 9))],
  ['the key or the attestation', 400, attestation((bytes) => bytes.subarray(0, bytes.length / 2))],
  // ES256 of the COSE_Key becomes ES512, which was not offered.
  ['the key or the attestation', 400, replaced('0326', '033823')],
  ['the key or the attestation', 400, replaced('646e6f6e65', '6474706d31')],
  ['the id of the credential', 400, credential({ id: 'AAAA', rawId: 'AAAA' })],
  ['the challenge', 400, async (proof) => ({ ...proof, flowToken: (await other.user.post('/v1/me/passkeys/options')).body.flowToken })],
  ['the challenge', 400, async (proof) => ({ ...proof, flowToken: (await passkeyProof(service().anonymous, device)).flowToken })],
]

describe('a bent registration', () => {
  it.each(registrations)('in which %s does not match is refused, and says so: %i', async (what, status, bend) => {
    const started = (await organisation.owner.post('/v1/me/passkeys/options')).body
    const straight = { flowToken: started.flowToken, credential: new PasskeyDevice().create(started.options) }

    const answer = await organisation.owner.post('/v1/me/passkeys', await bend(straight))

    expect(answer).toMatchObject({
      status,
      body: { code: 'passkey-mismatch', detail: `The passkey could not be registered: ${what} does not match` },
    })
    expect((await organisation.owner.get('/v1/me/passkeys')).body.total).toBe(0)
  })

  it('that is too old is refused', async () => {
    const { flowToken, options } = (await organisation.owner.post('/v1/me/passkeys/options')).body
    service().clock.advance({ minutes: 5 })

    const answer = await organisation.owner.post('/v1/me/passkeys', { flowToken, credential: new PasskeyDevice().create(options) })

    expect(answer).toMatchObject({ status: 400, body: { code: 'passkey-mismatch' } })
  })
})
