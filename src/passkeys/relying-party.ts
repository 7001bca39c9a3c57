/** For whom passkeys of this installation are made (WebAuthn L3 §5.4.2), as `PASSKEY_RP_ID` and `PASSKEY_ORIGINS` say. */
export interface RelyingParty {
  /** Undefined where `PUBLIC_URL` is an IP address: there are no passkeys then. */
  readonly id: string | undefined
  /** The origins whose responses are accepted. */
  readonly origins: readonly string[]
  /** Those of them that are not `PUBLIC_URL`. */
  readonly furtherOrigins: readonly string[]
}
