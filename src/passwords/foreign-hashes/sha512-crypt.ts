import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** The rounds after which the event loop runs other work; the existing libraries block it until the last round. */
const roundsInARow = 500
const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const sha512 = (...parts: readonly Buffer[]) => hash('sha512', Buffer.concat(parts), 'buffer')

/**
 * The hash part of SHA-512-crypt, `$6$` (Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512", whose steps the comments number).
 */
export async function sha512CryptHash(typed: string, salted: string, rounds: number): Promise<string> {
  const [password, salt] = [Buffer.from(typed), Buffer.from(salted)]
  // 4 to 8
  const b = sha512(password, salt, password)
  // 1 to 12
  const parts = [password, salt, repeated(b, password.length)]
  for (let bits = password.length; bits > 0; bits >>>= 1) parts.push(bits & 1 ? b : password)
  let digest = sha512(...parts)
  // 13 to 16
  const p = repeated(sha512(...Array.from(password, () => password)), password.length)
  // 17 to 20
  const s = repeated(sha512(...Array.from({ length: 16 + (digest[0] ?? 0) }, () => salt)), salt.length)
  // 21
  for (let round = 0; round < rounds; round++) {
    const isOdd = round % 2 === 1
    digest = sha512(isOdd ? p : digest, ...(round % 3 === 0 ? [] : [s]), ...(round % 7 === 0 ? [] : [p]), isOdd ? digest : p)
    if (round % roundsInARow === roundsInARow - 1) await setImmediate()
  }
  return encoded(digest)
}

const repeated = (digest: Buffer, length: number) => Buffer.alloc(length, digest)

/** Step 22: three bytes of the digest, 21 positions apart, are four characters; the lowest six bits come first. */
function encoded(digest: Buffer): string {
  let text = ''
  const add = (value: number, characters: number) => {
    for (let index = 0; index < characters; index++) text += alphabet[(value >>> (6 * index)) & 63]
  }
  for (let index = 0, [a, b, c] = [0, 21, 42]; index < 21; index++, [a, b, c] = [b + 1, c + 1, a + 1]) {
    add(((digest[a] ?? 0) << 16) | ((digest[b] ?? 0) << 8) | (digest[c] ?? 0), 4)
  }
  add(digest[63] ?? 0, 2)
  return text
}
