import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const blockBytes = 512
const directory = '5'

/**
 * Writes the files and directories of a tar archive (POSIX ustar) into a folder. It reads the one archive that tools/make-initial-database.ts has
 * made; for archives from outside, `gatehouse database` uses the package `tar`, which would take 35 ms of processor time and 8 MiB of each first start.
 */
export async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  const files: Promise<void>[] = []
  for (let offset = 0; offset + blockBytes <= archive.length; ) {
    const header = archive.subarray(offset, offset + blockBytes)
    const name = textOf(header.subarray(0, 100))
    // The archive ends with blocks of zeros.
    if (name === '') break
    const path = join(folder, textOf(header.subarray(345, 500)), name)
    const size = Number.parseInt(textOf(header.subarray(124, 136)), 8)
    const content = archive.subarray(offset + blockBytes, offset + blockBytes + size)
    // A directory comes before its contents.
    if (textOf(header.subarray(156, 157)) === directory) await mkdir(path, { recursive: true, mode: 0o700 })
    else {
      const written = writeFile(path, content, { mode: 0o600 })
      // Awaited below: while a directory is created, an unhandled rejection would end the process.
      written.catch(() => {})
      files.push(written)
    }
    offset += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  await Promise.all(files)
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end).trim()
}
