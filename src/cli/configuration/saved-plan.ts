import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { documentSchema } from '../../configuration/schemas.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { CommandFailure } from '../failures.ts'

export const savedPlanVersion = 1

const schema = () =>
  z.object({
    version: z.literal(savedPlanVersion),
    organisation: z.string(),
    prune: z.boolean(),
    basis: z.string(),
    document: documentSchema(grants, 'references'),
  })
/** A plan as `gatehouse plan --out` writes it. */
export type SavedPlan = z.infer<ReturnType<typeof schema>>

/** @throws CommandFailure for what is no plan */
export async function readSavedPlan(file: string): Promise<SavedPlan> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailure(`${file} cannot be read: ${error.message}`)
  })
  const parsed = schema().safeParse(parseJson(text))
  if (!parsed.success) throw new CommandFailure(`${file} is not a plan of \`gatehouse plan --out\``)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
