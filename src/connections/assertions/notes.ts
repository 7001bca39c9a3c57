import { englishOf, Said, say } from '../../../shared/checks/said.ts'
import type { CheckName } from '../../oauth/protocol/checks.ts'
import { masked } from '../../oauth/protocol/diagnostics.ts'
import { type FailedCheck, OAuthError, type OAuthErrorCode } from '../../oauth/protocol/errors.ts'
import type { Judge, Judged } from '../../oauth/protocol/judge.ts'
import { shownJson } from '../../platform/nested-json.ts'
import { storableText } from '../../platform/text.ts'
import type { InspectedCheck } from './inspection-schemas.ts'

interface Note {
  check: FailedCheck
  /** Undefined for one that is met. */
  error: OAuthErrorCode | undefined
}

/** Takes notes of every check of an assertion. What needs a check that is not met is left out, and all else judged. */
export class Notes implements Judge {
  readonly isInspecting = true
  #notes = new Map<CheckName, Note>()
  #before: ReadonlyMap<CheckName, Note> | undefined

  need(...judged: Judged): void {
    this.expect(...judged)
    const [isMet, refuse, description, check] = judged
    if (!isMet) throw refuse(description, check)
  }

  expect(...[isMet, refuse, description, check]: Judged): void {
    this.#note({ check, error: isMet ? undefined : refuse(description, check).code })
  }

  beginAnew(): void {
    this.#before ??= new Map(this.#notes)
    this.#notes = new Map(this.#before)
  }

  /** Judges a part, and what it refuses. @returns undefined if it is refused */
  async part<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      this.#note({ check: error.check, error: error.code })
      return undefined
    }
  }

  isUnmet(name: CheckName): boolean {
    return this.#notes.get(name)?.error !== undefined
  }

  get unmet(): CheckName[] {
    return [...this.#notes.values()].flatMap(({ check, error }) => (error === undefined ? [] : [check.name]))
  }

  /** @param assertion what was inspected: it is masked wherever it was received */
  present(name: CheckName, assertion: string): InspectedCheck {
    const note = this.#notes.get(name)
    if (!note) return { check: name, state: 'not_reached', error: null, expected: null, received: null, phrases: noPhrases }
    const { expected, received = say('nothing') } = note.check
    return {
      check: name,
      state: note.error === undefined ? 'met' : 'not_met',
      error: note.error ?? null,
      expected: expected === undefined || expected === '' ? null : shown(expected),
      received: received === assertion ? masked(assertion, 'start') : shown(received),
      phrases: { expected: presentPhrase(expected), received: presentPhrase(received) },
    }
  }

  /** The first refusal is the one that counts: a later one of the same name may only follow from it. */
  #note(note: Note): void {
    if (!this.isUnmet(note.check.name)) this.#notes.set(note.check.name, note)
  }
}

const noPhrases = { expected: null, received: null }
const shownMax = 500

function shown(value: unknown): string {
  const said = englishOf(value)
  const text = typeof said === 'string' ? said : Array.isArray(said) && said.every(isText) ? said.join(', ') : shownJson(said)
  return storableText(text, shownMax)
}

const isText = (value: unknown) => typeof value === 'string'

const presentPhrase = (value: unknown) =>
  value instanceof Said ? { phrase: value.phrase, values: value.values.map((one) => storableText(one, shownMax)) } : null
