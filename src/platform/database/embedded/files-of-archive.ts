import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { MemoryFS } from '@electric-sql/pglite'
import { entriesOfTar } from './unpack-tar.ts'

/** Where PGlite has its database in its file system. */
const root = '/pglite/data'

/** The part of Emscripten's file system that files are written by. */
interface Files {
  mkdirTree(path: string): void
  /** @param options with `canOwn`, the bytes become the file, rather than a copy of them */
  writeFile(path: string, content: Uint8Array, options: { canOwn: boolean }): void
}

/**
 * A file system in memory that begins with the files of a tar archive. PGlite's own `loadDataDir` copies each file three times: it took
 * 145 ms of processor time and 60 MB more for a migrated database of 20 MB. Here one buffer with the whole archive is all of the files, until they grow.
 *
 * @param Memory PGlite's class, which is loaded late
 * @param archive the path of the archive. It is read in each start, since the buffer becomes the database
 */
export function filesOfArchive(Memory: typeof MemoryFS, archive: string): MemoryFS {
  class FilesOfArchive extends Memory {
    override async initialSyncFs(): Promise<void> {
      const files = (this.pg?.Module as { FS: Files } | undefined)?.FS
      if (!files) throw new Error('PGlite has no file system yet')
      files.mkdirTree(root)
      for (const { path, isDirectory, content } of entriesOfTar(readFileSync(archive))) {
        const target = posix.join(root, path)
        if (isDirectory) files.mkdirTree(target)
        // Emscripten takes parts of it by `slice`, which would not copy a Buffer.
        else files.writeFile(target, new Uint8Array(content.buffer, content.byteOffset, content.byteLength), { canOwn: true })
      }
    }
  }
  return new FilesOfArchive()
}
