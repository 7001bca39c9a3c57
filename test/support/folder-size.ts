import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of all files below a folder, in bytes, while a process may write to it. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.map(async (entry) => (entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0))
  return (await Promise.all(sizes.map((size) => size.catch(() => 0)))).reduce((sum, size) => sum + size, 0)
}
