/** The relying party of this installation's passkeys (WebAuthn L3 §5.4.2), from `PASSKEY_RP_ID` and `PASSKEY_ORIGINS`. */
export interface RelyingParty {
  /** Undefined where `PUBLIC_URL` is an IP address, which makes passkeys impossible. */
  readonly id: string | undefined
  /** The origins whose responses are accepted. */
  readonly origins: readonly string[]
  /** The accepted origins other than `PUBLIC_URL`. */
  readonly furtherOrigins: readonly string[]
}
