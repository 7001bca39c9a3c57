import { mkdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

const blockBytes = 512
const directory = '5'

/** A file or directory of a tar archive. */
export interface TarEntry {
  path: string
  isDirectory: boolean
  /** A view of the archive. */
  content: Buffer
}

/**
 * Reads a tar archive (POSIX ustar) that this code, or tools/make-initial-database.ts, has made. For archives from outside, `gatehouse database`
 * uses the package `tar`, which would take 35 ms of processor time and 8 MiB of each first start.
 */
export function* entriesOfTar(archive: Buffer): Generator<TarEntry> {
  for (let offset = 0; offset + blockBytes <= archive.length; ) {
    const header = archive.subarray(offset, offset + blockBytes)
    const name = textOf(header.subarray(0, 100))
    // The archive ends with blocks of zeros.
    if (name === '') return
    const size = Number.parseInt(textOf(header.subarray(124, 136)), 8)
    yield {
      path: posix.join(textOf(header.subarray(345, 500)), name),
      isDirectory: textOf(header.subarray(156, 157)) === directory,
      content: archive.subarray(offset + blockBytes, offset + blockBytes + size),
    }
    offset += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
}

/** Writes the files and directories of a tar archive into a folder. */
export async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  const files: Promise<void>[] = []
  for (const { path, isDirectory, content } of entriesOfTar(archive)) {
    // A directory comes before its contents.
    if (isDirectory) await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
    else {
      const written = writeFile(join(folder, path), content, { mode: 0o600 })
      // Awaited below: while a directory is created, an unhandled rejection would end the process.
      written.catch(() => {})
      files.push(written)
    }
  }
  await Promise.all(files)
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end).trim()
}
