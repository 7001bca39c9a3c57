import { openSync, readSync } from 'node:fs'

/** A file or folder of the in-memory file system that Emscripten gives to PostgreSQL. */
interface MemoryNode {
  /** The bytes of a file, or the entries of a folder. */
  contents: Uint8Array | Record<string, MemoryNode> | null
}

/**
 * Reads the files of the PostgreSQL bundle from disk when they are opened, and frees the 6 MB that they take in memory: all but a few are
 * for creating a database, or for languages and encodings that nothing here uses.
 *
 * @param root the root of the in-memory file system
 * @param bundle the buffer that contains the files. It is unusable afterwards
 * @param path the bundle on disk
 */
export function readOnDemand(root: object, bundle: ArrayBuffer, path: string): void {
  // The file stays open: another version may be installed over it while this one runs.
  const file = openSync(path, 'r')
  replaceIn(root as MemoryNode)
  bundle.transfer(0)

  function replaceIn(node: MemoryNode): void {
    const { contents } = node
    if (!(contents instanceof Uint8Array)) {
      for (const inner of Object.values(contents ?? {})) replaceIn(inner)
    } else if (contents.buffer === bundle) {
      const { byteOffset, byteLength } = contents
      Object.defineProperty(node, 'contents', {
        get: () => readPart(file, byteOffset, byteLength),
        // Written contents stay in memory, as without this function.
        set: (value) => void Object.defineProperty(node, 'contents', { value, writable: true }),
        configurable: true,
      })
    }
  }
}

function readPart(file: number, position: number, length: number): Uint8Array {
  const part = new Uint8Array(length)
  for (let read = 0; read < length; ) {
    const count = readSync(file, part, read, length - read, position + read)
    if (count === 0) throw new Error('A file of the embedded PostgreSQL has become shorter')
    read += count
  }
  return part
}
