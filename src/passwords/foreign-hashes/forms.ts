import { timingSafeEqual } from 'node:crypto'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import type { ForeignForm } from './foreign-form.ts'
import { fromBase64, memoryMaxMiB, outside } from './foreign-form.ts'

const base64 = '[A-Za-z0-9+/._-]+={0,2}'
const hashBytesLeast = 16

const tooShort = (hash = '') => (fromBase64(hash).length < hashBytesLeast ? `the hash has fewer than ${hashBytesLeast} bytes` : undefined)

const argon2: ForeignForm = {
  name: 'Argon2',
  pattern: new RegExp(
    String.raw`^\$argon2(?:id|i|d)\$(?:v=(?:16|19)\$)?m=(?<memory>\d{1,9}),t=(?<passes>\d{1,9}),p=(?<lanes>\d{1,9})\$(?<salt>${base64})\$(?<hash>${base64})$`,
  ),
  whyRefused: ({ memory, passes, lanes, hash }) =>
    outside('m', Number(memory), 8, memoryMaxMiB * 1_024) ??
    outside('t', Number(passes), 1, 64) ??
    outside('p', Number(lanes), 1, 16) ??
    outside('m × t', Number(memory) * Number(passes), 8, 2 * 1_024 * 1_024) ??
    tooShort(hash),
  verify: (password, _, hash) => verifyArgon2(hash, password),
}

const bcrypt: ForeignForm = {
  name: 'bcrypt',
  pattern: /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53}$/,
  whyRefused: ({ cost }) => outside('the cost', Number(cost), 4, 15),
  verify: async (password, _, hash) => (await import('@node-rs/bcrypt')).verify(password, hash),
}

const scryptLimits = (costLog2: number, blockSize: number, parallelization: number) =>
  outside('the cost (ln)', costLog2, 1, 20) ??
  outside('the block size (r)', blockSize, 1, 64) ??
  outside('p', parallelization, 1, 16) ??
  outside('the memory in MiB', Math.ceil((128 * 2 ** costLog2 * blockSize) / 2 ** 20), 1, memoryMaxMiB) ??
  outside('N × r × p', 2 ** costLog2 * blockSize * parallelization, 1, 2 ** 24)

const scrypt: ForeignForm = {
  name: 'scrypt',
  pattern: new RegExp(
    String.raw`^\$scrypt\$ln=(?<costLog2>\d{1,2}),r=(?<blockSize>\d{1,3}),p=(?<parallelization>\d{1,3})\$(?<salt>${base64})\$(?<hash>${base64})$`,
  ),
  whyRefused: ({ costLog2, blockSize, parallelization, hash }) =>
    scryptLimits(Number(costLog2), Number(blockSize), Number(parallelization)) ?? tooShort(hash),
  async verify(password, { costLog2, blockSize, parallelization, salt, hash }) {
    const { scryptKey } = await import('./derived-keys.ts')
    const expected = fromBase64(hash)
    const options = { costLog2: Number(costLog2), blockSize: Number(blockSize), parallelization: Number(parallelization) }
    return isEqual(await scryptKey(password, fromBase64(salt), expected.length, options), expected)
  },
}

/**
 * Firebase's own form: the signer key of the project, encrypted with a key that scrypt derives from the password
 * (github.com/firebase/scrypt). Each hash here contains the parameters of the project.
 */
const firebaseScrypt: ForeignForm = {
  name: "Firebase's scrypt",
  pattern: new RegExp(
    String.raw`^\$firebase-scrypt\$ln=(?<costLog2>\d{1,2}),r=(?<blockSize>\d{1,3})\$(?<salt>${base64})\$(?<separator>${base64})\$(?<signerKey>${base64})\$(?<hash>${base64})$`,
  ),
  whyRefused({ costLog2, blockSize, signerKey, hash }) {
    const lengths = [signerKey, hash].map((text) => fromBase64(text).length)
    return (
      scryptLimits(Number(costLog2), Number(blockSize), 1) ??
      (lengths[0] === lengths[1] ? tooShort(hash) : 'the hash is not as long as the signer key')
    )
  },
  async verify(password, { costLog2, blockSize, salt, separator, signerKey, hash }) {
    const { encryptedSignerKey } = await import('./derived-keys.ts')
    const options = { costLog2: Number(costLog2), blockSize: Number(blockSize), parallelization: 1 }
    const salted = Buffer.concat([fromBase64(salt), fromBase64(separator)])
    return isEqual(await encryptedSignerKey(password, salted, fromBase64(signerKey), options), fromBase64(hash))
  },
}

const iterationsMax = 3_000_000

const pbkdf2: ForeignForm = {
  name: 'PBKDF2',
  pattern: new RegExp(
    String.raw`^\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\$(?:i=)?(?<iterations>\d{1,9})(?:,l=\d{1,3})?\$(?<salt>${base64})\$(?<hash>${base64})$`,
  ),
  whyRefused: ({ iterations, hash }) => outside('the number of iterations', Number(iterations), 1, iterationsMax) ?? tooShort(hash),
  async verify(password, { digest = 'sha1', iterations, salt, hash }) {
    const { pbkdf2Key } = await import('./derived-keys.ts')
    const expected = fromBase64(hash)
    return isEqual(await pbkdf2Key(password, fromBase64(salt), Number(iterations), expected.length, digest), expected)
  },
}

const djangoPbkdf2: ForeignForm = {
  name: "Django's PBKDF2",
  pattern: new RegExp(String.raw`^pbkdf2_(?<digest>sha1|sha256)\$(?<iterations>\d{1,9})\$(?<salt>[^$]{1,128})\$(?<hash>${base64})$`),
  whyRefused: pbkdf2.whyRefused,
  async verify(password, { digest = '', iterations, salt = '', hash }) {
    const { pbkdf2Key } = await import('./derived-keys.ts')
    const expected = fromBase64(hash)
    return isEqual(await pbkdf2Key(password, Buffer.from(salt), Number(iterations), expected.length, digest), expected)
  },
}

const sha512Crypt: ForeignForm = {
  name: 'SHA-512-crypt',
  pattern: /^\$6\$(?:rounds=(?<rounds>\d{1,9})\$)?(?<salt>[^$:\n]{0,16})\$(?<hash>[./A-Za-z0-9]{86})$/,
  whyRefused: ({ rounds = '5000' }) => outside('the number of rounds', Number(rounds), 1_000, 1_000_000),
  async verify(password, { rounds = '5000', salt = '', hash = '' }) {
    const { sha512CryptHash } = await import('./sha512-crypt.ts')
    return isEqual(Buffer.from(await sha512CryptHash(password, salt, Number(rounds))), Buffer.from(hash))
  },
}

export const foreignForms: readonly ForeignForm[] = [argon2, bcrypt, scrypt, firebaseScrypt, pbkdf2, djangoPbkdf2, sha512Crypt]

const isEqual = (left: Buffer, right: Buffer) => left.length === right.length && timingSafeEqual(left, right)
