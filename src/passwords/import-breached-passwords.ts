import { createReadStream } from 'node:fs'
import { FilterBuilder, type FilterContent } from './breached-filter.ts'

export interface BreachedPasswordImport {
  /** A text file as Have I Been Pwned publishes it: on each line the SHA-1 of a password in hex, a colon, and how often it was seen. */
  source: string
  target: string
  /** Passwords that were seen less often are left out. */
  minCount: number
}

/** A line that does not have the expected format. */
class UnreadableLine extends Error {
  constructor(path: string, line: number) {
    super(`Line ${line} of ${path} is not a SHA-1 in hex, a colon and a number`)
    this.name = 'UnreadableLine'
  }
}

/**
 * Makes the file that `BREACHED_PASSWORDS` names from the published list. It streams the list twice: first to count the passwords, then to
 * add them. So it takes as much memory as the file that it makes, whatever the order of the list.
 *
 * @throws UnreadableLine; any error of reading and writing
 */
export async function importBreachedPasswords({
  source,
  target,
  minCount,
}: BreachedPasswordImport): Promise<FilterContent & { bytes: number }> {
  let passwords = 0
  await forEachPassword(source, minCount, () => passwords++)
  const filter = new FilterBuilder(passwords)
  await forEachPassword(source, minCount, (sha1) => filter.add(sha1))
  return { passwords, minCount, bytes: await filter.write(target, { passwords, minCount }) }
}

const hashDigits = 40
const [newLine, carriageReturn, colon, zero, nine] = [0x0a, 0x0d, 0x3a, 0x30, 0x39]
/** The value of each hex digit by its character code, in either case. */
const hexValues = new Int8Array(256).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  hexValues[digit.charCodeAt(0)] = value
  hexValues[digit.toUpperCase().charCodeAt(0)] = value
}

/** @param use gets the same buffer each time */
async function forEachPassword(path: string, minCount: number, use: (sha1: Buffer) => void): Promise<void> {
  const sha1 = Buffer.alloc(hashDigits / 2)
  let line = 1
  /** The number of characters of the line that have been read, and the number at its end. */
  let column = 0
  let count = 0
  let hasReturned = false
  const endLine = () => {
    // An empty line is no entry.
    if (column > 0) {
      if (column < hashDigits + 2) throw new UnreadableLine(path, line)
      if (count >= minCount) use(sha1)
    }
    column = 0
    count = 0
    hasReturned = false
  }
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === newLine) {
        endLine()
        line++
        continue
      }
      if (hasReturned) throw new UnreadableLine(path, line)
      if (byte === carriageReturn) {
        hasReturned = true
        continue
      }
      if (column < hashDigits) {
        const value = hexValues[byte] as number
        if (value < 0) throw new UnreadableLine(path, line)
        const at = column >>> 1
        sha1[at] = column % 2 === 0 ? value << 4 : (sha1[at] as number) | value
      } else if (column === hashDigits) {
        if (byte !== colon) throw new UnreadableLine(path, line)
      } else {
        if (byte < zero || byte > nine) throw new UnreadableLine(path, line)
        count = count * 10 + (byte - zero)
      }
      column++
    }
  }
  endLine()
}
