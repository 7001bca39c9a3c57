import process from 'node:process'
import { describeVariables } from '../../app/described-variables.ts'
import type { CommonOptions } from '../add-command.ts'
import { showList } from '../output.ts'

export async function print(options: CommonOptions & { given?: boolean }): Promise<void> {
  const variables = describeVariables(process.env)
  const shown = options.given ? variables.filter(({ origin }) => origin === 'environment') : variables
  showList(options, shown, ['name', 'value', 'origin', 'default'], 'variables')
}
