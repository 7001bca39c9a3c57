/** Without padding: RFC 7515 §2. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** Returns 32 random bytes as base64url. */
export const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
