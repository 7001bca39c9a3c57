/** The file of a backup: a tar archive of the database's folder, compressed by Zstandard, with a description of it and of each file. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { create, extract } from 'tar'
import { z } from 'zod'
import { bytesOnDisk, roomBeside } from '../../platform/database/embedded/disk-guard.ts'
import { reasonOfSystem, whyUnusable, whyUnwritable } from '../../platform/system-errors.ts'
import { CommandFailure } from '../failures.ts'

const Manifest = z.object({
  format: z.literal(1),
  gatehouse: z.string(),
  lastMigration: z.string(),
  createdAt: z.string(),
  /** Distinguishes keys and reveals nothing else; null when the key was not known. */
  secretKeyFingerprint: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>

/** Adds the SHA-256 of each file below the folder. */
const Description = Manifest.extend({ files: z.record(z.string(), z.string()) })

const descriptionName = 'gatehouse-backup.json'

/**
 * Writes a backup to a temporary file next to its destination, and then renames it.
 *
 * @param folder a copy of the database that nothing else uses
 * @param onFile is told how many files of how many have been read
 */
export async function writeArchive(
  folder: string,
  file: string,
  manifest: Manifest,
  onFile: (done: number, total: number) => void,
): Promise<{ files: number; bytes: number }> {
  const partial = `${file}.partial-${process.pid}`
  try {
    // Create the file first, so that a destination that cannot be written to is reported at once.
    await (await open(partial, 'wx', 0o600)).close()
    const files = await checksumsOf(folder, onFile)
    await writeFile(join(folder, descriptionName), JSON.stringify({ ...manifest, files }), { mode: 0o600 })
    await create({ cwd: folder, file: partial, portable: true, zstd: true, mode: 0o600 }, [descriptionName, './'])
    await chmod(partial, 0o600)
    await syncToDisk(partial)
    await rename(partial, file)
    await syncToDisk(dirname(file))
    return { files: Object.keys(files).length, bytes: (await stat(file)).size }
  } catch (error) {
    await rm(partial, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
        ? `${file} does not fit on its disk (${code}): free space there, or name a file elsewhere`
        : `${file} cannot be written: ${whyUnwritable(error)}. Name a file in a folder that the user of this process may write to`,
    )
  }
}

/**
 * Unpacks a backup into a new folder.
 *
 * @param served the folder of a database that is being served on the same disk, which must not become full
 * @throws CommandFailure when the backup is incomplete or does not fit
 */
export async function readArchive(file: string, folder: string, served?: string): Promise<Manifest> {
  // Not looked at again while it unpacks: what it has read so far is written only later.
  let room = served === undefined ? Number.POSITIVE_INFINITY : await roomBeside(served)
  const notWhole = (why: string) => new CommandFailure(`${file} is not a whole backup of Gatehouse (${why}): take another one`)
  try {
    await stat(file)
    await mkdir(folder, { mode: 0o700 })
    // Only files and folders, and nothing outside: the file may come from anywhere.
    await extract({
      cwd: folder,
      file,
      strict: true,
      filter(_path, entry) {
        room -= bytesOnDisk(entry.size)
        return room >= 0 && 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
      },
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandFailure(`There is no file ${file}`)
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new CommandFailure(`The backup does not fit on the disk of DATA_DIR (${code}): free space there`)
    if (reasonOfSystem(error)) throw new CommandFailure(`${file} cannot be read: ${whyUnusable(error)}`)
    throw notWhole(code ?? message)
  }
  if (room < 0)
    throw new CommandFailure('The backup does not fit on the disk of DATA_DIR beside the database: free space there, or stop the service')
  const described = join(folder, descriptionName)
  const text = await readFile(described, 'utf8').catch(() => '{}')
  await rm(described, { force: true })
  const read = Description.safeParse(parsed(text))
  if (!read.success) throw notWhole('it does not say what it is')
  const { files: expected, ...manifest } = read.data
  const found = await checksumsOf(folder, () => {})
  const paths = new Set([...Object.keys(expected), ...Object.keys(found)])
  for (const path of paths) if (found[path] !== expected[path]) throw notWhole(`${path} is damaged`)
  return manifest
}

/** The SHA-256 of each file below a folder, by its path. */
async function checksumsOf(folder: string, onFile: (done: number, total: number) => void): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name).slice(folder.length + 1)] : [])).sort()
  const checksums: Record<string, string> = {}
  // One buffer for all files: a database has a thousand, most of them small.
  const buffer = Buffer.allocUnsafe(256 * 1_024)
  for (const [index, path] of paths.entries()) {
    checksums[path] = await checksumOf(join(folder, path), buffer)
    onFile(index + 1, paths.length)
  }
  return checksums
}

async function checksumOf(path: string, buffer: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
