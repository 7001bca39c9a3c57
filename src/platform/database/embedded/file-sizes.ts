/** An open file of Emscripten. Those of the same path share the node. */
interface Stream {
  node: object
  flags: number
}

/** The part of Emscripten's file systems that leads to files on disk. */
interface NodeFiles {
  node_ops: { setattr(node: object, attributes: object): void }
  stream_ops: {
    llseek(stream: Stream, offset: number, whence: number): number
    write(stream: Stream, buffer: object, offset: number, length: number, position: number): number
    setattr(stream: Stream, attributes: object): void
  }
}

const fromEnd = 2
const appends = 0o2000

/**
 * Remembers how long each file is. PostgreSQL looks for the end of every table and index that it plans for, at each statement; Emscripten
 * asks the operating system each time, which took a fifth of all its processor time. Nothing else writes to these files
 * while they are open (`lockFolder`).
 *
 * @param module that of PGlite
 */
export function rememberSizes(module: object): void {
  const { node_ops: nodes, stream_ops: streams } = (module as { NODEFS: NodeFiles }).NODEFS
  const sizes = new WeakMap<object, number>()
  const { llseek, write, setattr } = streams
  const { setattr: setattrOfNode } = nodes

  streams.llseek = (stream, offset, whence) => {
    if (whence !== fromEnd) return llseek(stream, offset, whence)
    let size = sizes.get(stream.node)
    if (size === undefined) {
      size = llseek(stream, 0, fromEnd)
      sizes.set(stream.node, size)
    }
    // Emscripten refuses what lies before the start.
    return size + offset < 0 ? llseek(stream, offset, whence) : size + offset
  }
  streams.write = (stream, buffer, offset, length, position) => {
    const size = sizes.get(stream.node)
    // A write that fails may have written a part.
    sizes.delete(stream.node)
    const written = write(stream, buffer, offset, length, position)
    const isAppended = (stream.flags & appends) !== 0
    if (size !== undefined && !isAppended) sizes.set(stream.node, written > 0 ? Math.max(size, position + written) : size)
    return written
  }
  streams.setattr = (stream, attributes) => {
    sizes.delete(stream.node)
    setattr(stream, attributes)
  }
  nodes.setattr = (node, attributes) => {
    sizes.delete(node)
    setattrOfNode(node, attributes)
  }
}
