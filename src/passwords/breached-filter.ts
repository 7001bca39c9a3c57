/**
 * A file that recognises breached passwords without containing them: a blocked Bloom filter.
 *
 * The file is one page of header and then blocks of one page (4,096 bytes) each. The SHA-1 of a password names one block, by its
 * first 32 bits, and 20 bits of that block, by the other 128: a small generator (sfc32) stretches them. A password is in the filter
 * when all its bits are set, so looking one up reads one page from its position: no index, no memory, no network. The operating
 * system caches the pages that are asked for often.
 *
 * With 30 bits for each password a filter of one block would be wrong about 5.5 of ten million others. Blocks do not fill evenly,
 * which makes it about 6; it never misses a password that was added. A block of 512 bits, as caches of processors like it, would
 * need half as many bits again for that. `bench/breached-passwords.ts` measures it.
 */
import { hash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { whyUnusable } from '../platform/system-errors.ts'

const pageBytes = 4_096
const pageBits = pageBytes * 8
const bitsForEach = 30
const probes = 20
/** Beyond this, a block could not be told from its neighbour by 32 bits and 53 bits of arithmetic. It is 2.3 billion passwords. */
const blocksMax = 2 ** 21

const magic = Buffer.from('GHBREACH', 'latin1')
const formatVersion = 1
/** The header that the checksum covers: magic, version, page size, probes, blocks, passwords, the least count, and room for more. */
const headerBytes = 64
const checksumBytes = 32
const writtenAtOnce = 64 * 1024 * 1024

export interface FilterContent {
  passwords: number
  /** The number of breaches in which a password had to be seen to be added. */
  minCount: number
}

export interface FilterFile extends FilterContent {
  /** @param sha1 the 20 bytes of a password's SHA-1 */
  has(sha1: Buffer): Promise<boolean>
  close(): Promise<void>
}

/** A file that cannot be used as a filter. */
export class FilterError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FilterError'
  }
}

/** @throws FilterError naming the file and what is wrong with it */
export async function openFilter(path: string): Promise<FilterFile> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new FilterError(`${path} cannot be read: ${whyUnusable(error)}`)
  })
  try {
    const { blocks, ...content } = await readHeader(file, path)
    return {
      ...content,
      async has(sha1) {
        const page = Buffer.allocUnsafe(pageBytes)
        const { bytesRead } = await file.read(page, 0, pageBytes, pageBytes * (1 + blockOf(sha1, blocks)))
        if (bytesRead < pageBytes) throw new FilterError(`${path} has been cut`)
        return areSet(page, 0, bitsOf(sha1))
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readHeader(file: FileHandle, path: string): Promise<FilterContent & { blocks: number }> {
  const page = Buffer.alloc(pageBytes)
  const { bytesRead } = await file.read(page, 0, pageBytes, 0).catch((error: unknown) => {
    throw new FilterError(`${path} cannot be read: ${whyUnusable(error)}`)
  })
  if (bytesRead < pageBytes || !page.subarray(0, magic.length).equals(magic)) throw new FilterError(`${path} is no list of ours`)
  const version = page.readUInt32BE(8)
  if (version !== formatVersion) throw new FilterError(`${path} is of another release (format ${version}, not ${formatVersion})`)
  const header = page.subarray(0, headerBytes)
  if (!page.subarray(headerBytes, headerBytes + checksumBytes).equals(hash('sha256', header, 'buffer')))
    throw new FilterError(`${path} is damaged`)
  if (page.readUInt32BE(12) !== pageBytes || page.readUInt32BE(16) !== probes) throw new FilterError(`${path} is of another release`)
  const blocks = page.readUInt32BE(20)
  const { size } = await file.stat()
  if (size !== pageBytes * (1 + blocks)) throw new FilterError(`${path} has been cut`)
  return { blocks, passwords: Number(page.readBigUInt64BE(24)), minCount: page.readUInt32BE(32) }
}

/** Builds a filter in memory, where it is as large as in its file. */
export class FilterBuilder {
  readonly #blocks: number
  readonly #pages: Buffer

  /** @param passwords how many will be added: a filter with more of them is wrong more often */
  constructor(passwords: number) {
    this.#blocks = Math.max(1, Math.ceil((passwords * bitsForEach) / pageBits))
    if (this.#blocks > blocksMax) throw new FilterError(`${passwords} passwords are more than a list can hold`)
    this.#pages = Buffer.alloc(this.#blocks * pageBytes)
  }

  /** @param sha1 the 20 bytes of a password's SHA-1 */
  add(sha1: Buffer): void {
    const start = blockOf(sha1, this.#blocks) * pageBytes
    for (const bit of bitsOf(sha1)) {
      const at = start + (bit >>> 3)
      this.#pages[at] = (this.#pages[at] as number) | (1 << (bit & 7))
    }
  }

  has(sha1: Buffer): boolean {
    return areSet(this.#pages, blockOf(sha1, this.#blocks) * pageBytes, bitsOf(sha1))
  }

  /**
   * Writes the file under another name and renames it when it is complete: a
   * service that has the former one open continues with it until it restarts.
   *
   * @returns its size in bytes
   */
  async write(path: string, content: FilterContent): Promise<number> {
    const incomplete = `${path}.part`
    const file = await open(incomplete, 'w', 0o644)
    try {
      await writeAll(file, this.#header(content))
      for (let at = 0; at < this.#pages.length; at += writtenAtOnce) await writeAll(file, this.#pages.subarray(at, at + writtenAtOnce))
      await file.sync()
      await file.close()
      await rename(incomplete, path)
    } catch (error) {
      await file.close()
      await rm(incomplete, { force: true })
      throw error
    }
    return pageBytes + this.#pages.length
  }

  #header({ passwords, minCount }: FilterContent): Buffer {
    const page = Buffer.alloc(pageBytes)
    magic.copy(page)
    page.writeUInt32BE(formatVersion, 8)
    page.writeUInt32BE(pageBytes, 12)
    page.writeUInt32BE(probes, 16)
    page.writeUInt32BE(this.#blocks, 20)
    page.writeBigUInt64BE(BigInt(passwords), 24)
    page.writeUInt32BE(minCount, 32)
    hash('sha256', page.subarray(0, headerBytes), 'buffer').copy(page, headerBytes)
    return page
  }
}

/** Writes all bytes, since a single write may take fewer than it is given. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten
}

const blockOf = (sha1: Buffer, blocks: number) => Math.floor((sha1.readUInt32BE(0) * blocks) / 2 ** 32)

/** The bits of a password within its block. Each number of the generator gives two. */
function bitsOf(sha1: Buffer): Uint16Array {
  const bits = new Uint16Array(probes)
  let a = sha1.readInt32BE(4)
  let b = sha1.readInt32BE(8)
  let c = sha1.readInt32BE(12)
  let counter = sha1.readInt32BE(16)
  for (let index = 0; index < probes; index += 2) {
    const next = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + next) | 0
    bits[index] = next & (pageBits - 1)
    bits[index + 1] = (next >>> 16) & (pageBits - 1)
  }
  return bits
}

function areSet(pages: Buffer, start: number, bits: Uint16Array): boolean {
  for (const bit of bits) if ((((pages[start + (bit >>> 3)] as number) >>> (bit & 7)) & 1) === 0) return false
  return true
}
