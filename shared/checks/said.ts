import { inWords, type Phrase, type Phrased, phrases } from './phrases.ts'

/** A phrase in place of a value, so that it cannot be mistaken for data that a client or a provider has sent. */
export class Said implements Phrased {
  readonly phrase: Phrase
  readonly values: readonly string[]

  constructor(phrase: Phrase, values: readonly string[]) {
    this.phrase = phrase
    this.values = values
  }

  /** The text in English. */
  get text(): string {
    return inWords(phrases, this)
  }
}

/** @param values the values that the phrase names by their positions */
export const say = (phrase: Phrase, ...values: readonly string[]): Said => new Said(phrase, values)

/** The words of a phrase, in English; any other value unchanged. */
export const englishOf = <Value>(value: Value | Said): Value | string => (value instanceof Said ? value.text : value)

/** The stored form of a phrase, beside its words; null for a value. */
export const phrasedOf = (value: unknown): Phrased | null => (value instanceof Said ? { phrase: value.phrase, values: value.values } : null)

/** The phrase of a stored form; without one, the value beside it. */
export const saidOf = <Value>(phrased: Phrased | null, value: Value): Value | Said =>
  phrased ? say(phrased.phrase, ...phrased.values) : value
