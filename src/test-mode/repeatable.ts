import { AsyncLocalStorage } from 'node:async_hooks'
import crypto, { type Cipheriv, createHash, type KeyObject } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { newStamp } from '../platform/ids.ts'
import { newRepeatedKeyPair, type RepeatedBytes } from './repeated-keys.ts'

/** When the time of a repeatable test mode begins: identifiers hold their time. */
export const repeatableSince = new Date('2026-01-01T00:00:00Z')

export interface Repeatable {
  /** Does work whose identifiers, secrets and keys follow from this name alone, whatever else happens meanwhile. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Gives the process its randomness back. */
  stop(): void
}

/** Identifiers take their random bytes from a batch that all of the process shares. Nothing else takes as many at once. */
const batchBytesMin = 1_024
const identifiersOfBatch = 128

function streamOf(name: string): RepeatedBytes {
  const key = createHash('sha256').update(`gatehouse test mode: ${name}`).digest()
  const cipher: Cipheriv = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (size) => cipher.update(Buffer.alloc(size))
}

/**
 * Makes what this process draws at random repeat in each run. The service has no switch for that, since one that could be reached
 * would make every secret of an installation known: here the functions of Node themselves are replaced, in the process of the test
 * mode, and only for work that is named. Signing keys are drawn by tasks, too, so theirs repeat wherever they are made.
 */
export function makeRepeatable(): Repeatable {
  const original = { randomBytes: crypto.randomBytes, randomInt: crypto.randomInt, generateKeyPair: crypto.generateKeyPair }
  const named = new AsyncLocalStorage<{ stream: RepeatedBytes | undefined }>()
  const current = () => named.getStore()?.stream
  const keys = new Map<string, RepeatedBytes>()

  const randomBytes = (size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
    if (callback) return original.randomBytes(size, callback)
    return size >= batchBytesMin ? sharedBatch(original.randomBytes(size), current) : (current()?.(size) ?? original.randomBytes(size))
  }
  // Of up to 2^32, which is more than any code has. The bias does not matter to a test.
  const randomInt = (...given: [number, number?, unknown?]) => {
    const stream = current()
    const [min, max] = typeof given[1] === 'number' ? [given[0], given[1]] : [0, given[0]]
    return stream ? min + (stream(4).readUInt32BE() % (max - min)) : Reflect.apply(original.randomInt, crypto, given)
  }
  const generate = async (type: string, options: object = {}): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> => {
    const stream = keys.get(type) ?? streamOf(`keys ${type}`)
    keys.set(type, stream)
    const made = await newRepeatedKeyPair(type, options, stream)
    return made ?? (promisify(original.generateKeyPair) as typeof generate)(type, options)
  }
  const generateKeyPair = Object.assign(() => fail(), { [promisify.custom]: generate })

  Object.assign(crypto, { randomBytes, randomInt, generateKeyPair })
  syncBuiltinESMExports()
  // The batch that is in use was not drawn here.
  for (let drawn = 0; drawn < identifiersOfBatch; drawn++) newStamp(repeatableSince)
  return {
    async run(name, work) {
      const scope: { stream: RepeatedBytes | undefined } = { stream: streamOf(name) }
      try {
        return await named.run(scope, work)
      } finally {
        // Timers and connections that the work has begun carry the name on.
        scope.stream = undefined
      }
    },
    stop() {
      Object.assign(crypto, original)
      syncBuiltinESMExports()
    },
  }
}

/** A batch whose bytes come from the stream of the work that reads them. */
function sharedBatch(bytes: Buffer, current: () => RepeatedBytes | undefined): Buffer {
  return new Proxy(bytes, {
    get(target, member) {
      const isByte = typeof member === 'string' && /^\d+$/.test(member)
      return isByte ? (current()?.(1)[0] ?? target[Number(member)]) : Reflect.get(target, member, target)
    },
  })
}

function fail(): never {
  throw new Error('The test mode repeats key pairs that are asked for by a promise')
}
