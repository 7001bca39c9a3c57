import { claimsTexts as t } from '../texts/claims.ts'
import type { ClaimRow, ClaimTarget } from './claim-rows.ts'
import { formatList } from './format.ts'
import type { Question } from './use-question.tsx'

/** Asks before claims change, and says which tokens and responses show it. */
export function questionAbout(before: readonly ClaimRow[], after: readonly ClaimRow[]): Question {
  const same = (rows: readonly ClaimRow[], row: ClaimRow) => rows.some((one) => JSON.stringify(one) === JSON.stringify(row))
  const changed = [...before.filter((row) => !same(after, row)), ...after.filter((row) => !same(before, row))]
  const targets = (Object.keys(t.targets) as ClaimTarget[]).filter((target) => changed.some((row) => row.in.includes(target)))
  return { title: t.asks, body: t.seenBy(formatList(targets.map((target) => t.targets[target]))), action: t.change }
}
