import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Lines that join a list of an existing file: before or after the first line that contains a text, or in the place of that text alone. */
export type Insertion = { file: string; lines: string } & ({ before: string } | { after: string } | { inPlaceOf: string })

export interface Skeleton {
  /** The text of each new file. */
  files: Readonly<Record<string, string>>
  insertions: readonly Insertion[]
  /** What is left to write, in a good order. */
  left: readonly string[]
}

/**
 * Writes a skeleton: all of it or nothing.
 *
 * @returns the files that it wrote or changed
 * @throws Error for a file that exists, or a list that has moved
 */
export function write({ files, insertions }: Skeleton): string[] {
  const written = new Map(Object.entries(files))
  for (const file of written.keys()) if (existsSync(file)) throw new Error(`${file} exists`)
  for (const insertion of insertions) {
    const { file } = insertion
    written.set(file, inserted(written.get(file) ?? readFileSync(file, 'utf8'), insertion))
  }
  for (const [file, text] of written) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return [...written.keys()]
}

function inserted(text: string, insertion: Insertion): string {
  const anchor = 'before' in insertion ? insertion.before : 'after' in insertion ? insertion.after : insertion.inPlaceOf
  const lines = text.split('\n')
  const index = lines.findIndex((line) => line.includes(anchor))
  const line = lines[index]
  if (line === undefined) throw new Error(`${insertion.file} has no line with ${anchor}: the skeleton in tools/new no longer fits it`)
  if ('inPlaceOf' in insertion) lines[index] = line.replace(anchor, () => insertion.lines)
  else lines.splice('before' in insertion ? index : index + 1, 0, ...insertion.lines.split('\n'))
  return lines.join('\n')
}
