import { englishOf, Said } from '../../shared/checks/said.ts'
import type { Finding } from './decide-steps.ts'
import { describe, isMet } from './findings.ts'
import type { SignInStep, WayTaken } from './schemas.ts'

const ofEach: WayTaken = { way: null, connectionId: null }

/** A finding as a response shows it. */
export function presentFinding({ code, values = {} }: Finding, { way, connectionId }: WayTaken = ofEach): SignInStep {
  const { step, why, remedy } = describe(code)
  const said = Object.entries(values)
  const inEnglish = Object.fromEntries(said.map(([name, value]) => [name, englishOf(value)]))
  return {
    step,
    way,
    connectionId,
    code,
    met: isMet(code),
    why: filled(why, inEnglish),
    remedy: remedy === undefined ? null : filled(remedy, inEnglish),
    values: inEnglish,
    phrases: Object.fromEntries(
      said.flatMap(([name, value]) => (value instanceof Said ? [[name, { phrase: value.phrase, values: [...value.values] }]] : [])),
    ),
  }
}

/** Replaces the names in braces with values. */
const filled = (text: string, values: Readonly<Record<string, string>>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
