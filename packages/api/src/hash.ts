/** The part of Node's `node:crypto` that hashes. */
interface Hashing {
  createHash(algorithm: 'sha256'): { update(text: string): { digest(): Uint8Array } }
}

interface Runtime {
  process?: { getBuiltinModule?(name: 'node:crypto'): Hashing | undefined }
}

/**
 * WebCrypto hashes in another thread, and the way there takes many times as long as the hash of a token. Where the runtime has `node:crypto`
 * it hashes in this thread: Node, Bun and Deno. It is asked for while the program runs, so that other runtimes load this module, too.
 */
const hashing = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')
const encoder = new TextEncoder()

export const hashedByWebCrypto = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

/** SHA-256 of a text. */
export const sha256: (text: string) => Uint8Array | Promise<Uint8Array> = hashing
  ? (text) => hashing.createHash('sha256').update(text).digest()
  : hashedByWebCrypto
