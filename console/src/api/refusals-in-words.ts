import { problemTexts } from '../texts/problems.ts'

type Words = string | ((value: string) => string)

/** The texts by the codes and reasons of the API, as far as they were loaded: most are needed only once something was refused. */
const known: Record<string, Words> = { ...problemTexts.refusals }

/** A function gets the permission, or the least allowed value. */
export const refusalInWords = (code: string): Words | undefined => (Object.hasOwn(known, code) ? known[code] : undefined)

/** To be awaited before a refusal is described. Without its text it is described in the API's own English. */
export const loadReadRefusals = (): Promise<void> =>
  learn(import('../texts/read-refusals.ts').then((texts) => texts.readRefusalTexts.ofReads))

/** To be awaited before a refused change is described: those that only changes get are many. */
export async function loadChangeRefusals(): Promise<void> {
  const ofChanges = import('../texts/change-refusals.ts').then((texts) => texts.changeRefusalTexts.ofChanges)
  await Promise.all([loadReadRefusals(), learn(ofChanges)])
}

const learn = (refusals: Promise<Record<string, Words>>): Promise<void> =>
  refusals.then(
    (texts) => void Object.assign(known, texts),
    () => {},
  )
