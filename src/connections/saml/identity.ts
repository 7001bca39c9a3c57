import type { Check } from '../upstream/checks.ts'

/** What a response is compared with. */
export interface ExpectedSamlResponse {
  /** The entity id of the identity provider. */
  issuer: string
  /** Of the identity provider, in PEM or base64. Any of them may have signed. */
  certificates: readonly string[]
  /** Our entity id. */
  audience: string
  /** Where the response was to go. */
  acsUrl: string
  /** The id of the request that this browser waits for. */
  requestId: string
  /** Whether a signature of the whole response counts in place of one of the assertion. */
  acceptsSignedResponse: boolean
  /** The attribute that identifies a user, in place of the NameID. */
  subjectAttribute: string | undefined
  /** Ours, for encrypted assertions, in PEM. */
  decryptionKeys: readonly string[]
  /** How old the authentication may be, in seconds. */
  maxAge?: number | undefined
  now: Date
}

/** A user as an identity provider describes them in an assertion, after every check has passed. */
export interface SamlIdentity {
  /** Never reassigned: the value with its format and qualifiers, or the value of the chosen attribute. */
  subject: string
  nameId: NameId | undefined
  /** By name, and by friendly name where no other attribute has that name. */
  attributes: Readonly<Record<string, readonly string[]>>
  authnInstant: Date
  authnContext: string | undefined
  sessionIndex: string | undefined
  /** When the session at the provider ends (Profiles §4.1.4.3), with the difference of clocks that we accept. */
  sessionEndsAt: Date | undefined
  /** It counts once until it expires. */
  assertionId: string
  expiresAt: Date
  /** The certificates whose keys have signed what was read: of the response, of the assertion, or of both. */
  signedBy: readonly string[]
  checks: readonly Check[]
}

export interface NameId {
  value: string
  format: string
  nameQualifier: string | undefined
  spNameQualifier: string | undefined
}
