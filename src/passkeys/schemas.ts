import { z } from 'zod'
import { isSecret, matching, name, plainText, recordId, storable, timestamp, token } from '../platform/http/fields.ts'
import { invalidEncoding } from './refusals.ts'

const bytes = (max: number, description: string, example: string) =>
  matching(plainText().max(max), /^[\w-]+$/, invalidEncoding).meta({ description, example })

const credentialIdMax = 1_364
const exampleId = 'o2v3C7yD6eR1tL0aS9uXwA'
const credentialId = () => bytes(credentialIdMax, 'Id of the credential, base64url', exampleId)
const clientData = () => bytes(8_192, 'What the browser has signed about the request, base64url', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0')

/** Accepts the properties that later versions of browsers add. */
const credential = <Response extends z.ZodRawShape>(response: Response) =>
  z.looseObject({
    id: credentialId(),
    rawId: credentialId(),
    type: plainText().max(64).meta({ description: 'Always `public-key`', example: 'public-key' }),
    response: z.looseObject(response).meta({ description: 'The response of the authenticator' }),
  })

/** The result of `PublicKeyCredential.toJSON()` after `navigator.credentials.get()` (WebAuthn L3 §5.1). */
export const AssertionResponse = credential({
  clientDataJSON: clientData(),
  authenticatorData: bytes(8_192, 'What the authenticator has signed, base64url', 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M'),
  signature: bytes(8_192, 'Its signature, base64url', 'MEUCIQDJ'),
  userHandle: bytes(128, '', exampleId).nullable().optional().meta({
    description: 'The user handle that the authenticator has stored, base64url; null or omitted without one',
    example: exampleId,
  }),
}).meta({ ...isSecret, component: 'PasskeyAssertion', description: 'The result of `toJSON()` of the credential' })
export type AssertionResponse = z.infer<typeof AssertionResponse>

/** The result of it after `navigator.credentials.create()`. */
export const RegistrationResponse = credential({
  clientDataJSON: clientData(),
  attestationObject: bytes(65_536, 'The new credential, base64url', 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg'),
  transports: z
    .array(plainText().min(1).max(32))
    .max(16)
    .optional()
    .meta({ description: 'How the authenticator can be reached', example: ['internal', 'hybrid'] }),
})
  .extend({
    clientExtensionResults: storable(
      z.looseObject({
        credProps: z
          .looseObject({ rk: z.boolean().optional().meta({ description: 'Whether the credential is discoverable' }) })
          .optional()
          .meta({ description: 'Properties of the credential' }),
      }),
    )
      .optional()
      .meta({ description: 'Results of extensions' }),
  })
  .meta({ component: 'PasskeyRegistration', description: 'The result of `toJSON()` of the credential' })
export type RegistrationResponse = z.infer<typeof RegistrationResponse>

const flowToken = () =>
  token().meta({ description: 'From the response with the options; it works for five minutes', example: 'AZe9mWqAx2m9zZQ4kq1Wn8bq5o2v3' })

export const PasskeyProof = z.object({ flowToken: flowToken(), credential: AssertionResponse }).meta({ component: 'PasskeyProof' })
export type PasskeyProof = z.infer<typeof PasskeyProof>

const passkeyName = () => name().max(64).meta({ description: 'What its user calls it', example: 'Work laptop' })

export const NewPasskey = z
  .object({ flowToken: flowToken(), credential: RegistrationResponse, name: passkeyName().optional() })
  .meta({ component: 'NewPasskey' })
export type NewPasskey = z.infer<typeof NewPasskey>

export const PasskeyChanges = z.object({ name: passkeyName().optional() }).meta({ component: 'PasskeyChanges' })
export type PasskeyChanges = z.infer<typeof PasskeyChanges>

const Descriptor = z
  .object({
    id: z.string().meta({ description: 'Id of the credential, base64url', example: exampleId }),
    type: z.literal('public-key').meta({ description: 'Always `public-key`' }),
    transports: z.array(z.string()).meta({ description: 'How its authenticator can be reached', example: ['internal'] }),
  })
  .meta({ component: 'PasskeyDescriptor' })

const challenge = z.string().meta({ description: '32 bytes, base64url', example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw' })
const timeout = z.number().int().meta({ description: 'Milliseconds', example: 300_000 })

/** The options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = z
  .object({
    challenge,
    rpId: z.string().meta({ description: 'The relying party', example: 'id.example.com' }),
    allowCredentials: z.array(Descriptor).meta({ description: 'Which credentials may answer; when empty, the user picks one' }),
    userVerification: z.enum(['required', 'preferred', 'discouraged']).meta({ description: 'Whether the device must verify its user' }),
    timeout,
  })
  .meta({ component: 'PasskeyRequestOptions', description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`' })
export type RequestOptions = z.infer<typeof RequestOptions>

/** The options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
const CreationOptions = z
  .object({
    challenge,
    rp: z
      .object({
        id: z.string().meta({ description: 'The relying party', example: 'id.example.com' }),
        name: z.string().meta({ description: 'What devices show', example: 'Acme' }),
      })
      .meta({ description: 'The relying party' }),
    user: z
      .object({
        id: z.string().meta({ description: 'The user handle, base64url: random, the same for all passkeys of a user', example: exampleId }),
        name: z.string().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
        displayName: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
      })
      .meta({ description: 'What the device stores of the user' }),
    pubKeyCredParams: z
      .array(
        z.object({
          type: z.literal('public-key').meta({ description: 'Always `public-key`' }),
          alg: z.number().int().meta({ description: 'COSE algorithm', example: -7 }),
        }),
      )
      .meta({ description: 'Algorithms, the preferred one first' }),
    excludeCredentials: z.array(Descriptor).meta({ description: 'Passkeys that the user already has' }),
    authenticatorSelection: z
      .object({
        residentKey: z.literal('preferred').meta({ description: 'Whether it should be discoverable' }),
        requireResidentKey: z.literal(false).meta({ description: 'The same for older browsers' }),
        userVerification: z.literal('preferred').meta({ description: 'Whether the device should verify its user' }),
      })
      .meta({ description: 'What the authenticator must do' }),
    attestation: z.literal('none').meta({ description: 'The model of the device is not requested' }),
    extensions: z
      .object({ credProps: z.literal(true).meta({ description: 'Asks whether the passkey is discoverable' }) })
      .meta({ description: 'Extensions' }),
    timeout,
  })
  .meta({ component: 'PasskeyCreationOptions', description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`' })

const startedFlow = {
  flowToken: z.string().meta({ ...isSecret, description: 'Comes back with the credential', example: 'AZe9mWqAx2m9zZQ4kq1Wn8bq5o2v3' }),
}

export const StartedRequest = z.object({ ...startedFlow, options: RequestOptions }).meta({ component: 'StartedPasskeyRequest' })
export type StartedRequest = z.infer<typeof StartedRequest>

export const StartedRegistration = z.object({ ...startedFlow, options: CreationOptions }).meta({ component: 'StartedPasskeyRegistration' })
export type StartedRegistration = z.infer<typeof StartedRegistration>

export const PasskeyRecord = z
  .object({
    id: recordId('pk'),
    name: z.string().meta({ description: 'What its user calls it', example: 'Work laptop' }),
    canSignIn: z.boolean().meta({
      description: 'Whether it signs in without a password: it is discoverable and verified its user. The others are second factors only',
      example: true,
    }),
    isSynced: z.boolean().meta({ description: 'Whether it has been copied to other devices of its user', example: true }),
    transports: z.array(z.string()).meta({ description: 'How its authenticator can be reached', example: ['internal', 'hybrid'] }),
    aaguid: z
      .string()
      .meta({ description: 'The model of the authenticator, as it claims', example: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4' }),
    provider: z.string().nullable().meta({ description: 'The name of that model, if known', example: 'Google Password Manager' }),
    createdAt: timestamp('When it was registered'),
    lastUsedAt: timestamp().nullable().meta({ description: 'When it was last used; null when it never was' }),
  })
  .meta({ component: 'Passkey' })
export type PasskeyRecord = z.infer<typeof PasskeyRecord>

/** A passkey as it is right after its registration. */
export const RegisteredPasskey = PasskeyRecord.extend({
  csrfToken: z
    .string()
    .optional()
    .meta({
      ...isSecret,
      description: 'Only if the session had to enrol first: it is now a full session, with a new cookie and a new CSRF token',
      example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw',
    }),
}).meta({ component: 'RegisteredPasskey' })
