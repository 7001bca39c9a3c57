import type { Command } from 'commander'
import { wrongUse } from '../add-command.ts'

export interface RoleOptions {
  mapRole?: string[]
}

/** Adds `--map-role`, which may be given several times. */
export const withMapRole = (command: Command): Command =>
  command.option(
    '--map-role <from=to>',
    'maps a role in the file to the slug of an existing role, except the owner role; can be repeated',
    (pair: string, before: string[] = []) => [...before, pair],
  )

/** The slugs of our roles by their names in the file. A name may contain an equals sign, a slug may not. */
export function roleMapOf(command: Command, { mapRole = [] }: RoleOptions): ReadonlyMap<string, string> {
  const pairs = mapRole.map((pair): [string, string] => {
    const at = pair.lastIndexOf('=')
    if (at < 1 || at === pair.length - 1) wrongUse(command, `--map-role has ${pair}, which is not FROM=TO`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return new Map(pairs)
}
