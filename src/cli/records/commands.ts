import type { Command } from 'commander'
import { addGroup } from '../add-command.ts'
import { addRecordCommands } from './add-commands.ts'
import { kinds } from './kinds.ts'

/** `gatehouse client …`, `gatehouse role …` and the other commands of the same form. */
export function register(program: Command): void {
  for (const kind of Object.values(kinds)) if (kind.group) addRecordCommands(addGroup(program, kind.word, kind.group), kind)
}
