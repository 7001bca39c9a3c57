import process from 'node:process'
import { readConfig, refusePublicSuffix } from '../../app/config.ts'
import { ConfigError } from '../../app/config-mistakes.ts'
import { variableNames } from '../../app/variables.ts'
import { contradictions } from '../../operations/contradictions.ts'
import { nearlyOurNames } from '../../operations/start-warnings.ts'
import type { CommonOptions } from '../add-command.ts'
import { show } from '../output.ts'

export async function check(options: CommonOptions): Promise<void> {
  const mistakes = await mistakesIn(process.env)
  const found = [...contradictions(process.env), ...nearlyOurNames(Object.keys(process.env), variableNames)]
  const warnings = found.map(({ code, message }) => ({ code, message }))
  const lines = [...mistakes.map((line) => `Mistake: ${line}`), ...warnings.map(({ message }) => `Warning: ${message}`)]
  show(options, { mistakes, warnings }, lines.length > 0 ? lines.join('\n') : 'Nothing is wrong')
  if (mistakes.length > 0) process.exitCode = 1
}

async function mistakesIn(environment: Record<string, string | undefined>): Promise<readonly string[]> {
  try {
    await refusePublicSuffix(readConfig(environment))
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}
