import { mkdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

/**
 * The folder for what this user's commands can make again, such as `~/.cache/gatehouse`. It exists afterwards.
 *
 * @returns undefined where there is none, or where another user could plant files for us to run
 */
export async function userCache({ XDG_CACHE_HOME: given }: Record<string, string | undefined>): Promise<string | undefined> {
  try {
    const folder = join(given && isAbsolute(given) ? given : join(homedir(), '.cache'), 'gatehouse')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = await stat(folder)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOwn ? folder : undefined
  } catch {
    // The user has no home, or may not write there.
    return undefined
  }
}
