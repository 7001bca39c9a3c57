import { z } from 'zod'
import { parseBeforeStored } from '../../configuration/parse-document.ts'
import type { ConfigurationDocument } from '../../configuration/schemas.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { CommandFailure } from '../failures.ts'
import { readNamedFile } from '../read-named-file.ts'

export const savedPlanVersion = 1

const schema = z.object({
  version: z.literal(savedPlanVersion),
  organisation: z.string(),
  prune: z.boolean(),
  basis: z.string(),
  document: z.unknown(),
})
/** A plan as `gatehouse plan --out` writes it. */
export type SavedPlan = z.infer<typeof schema> & { document: ConfigurationDocument }

/** @throws CommandFailure when the file is not a plan */
export async function readSavedPlan(file: string): Promise<SavedPlan> {
  const text = await readNamedFile(file)
  const parsed = schema.safeParse(parseJson(text))
  const document = parsed.success ? parseBeforeStored(grants, parsed.data.document) : undefined
  if (!parsed.success || !document?.success) throw new CommandFailure(`${file} is not a plan of \`gatehouse plan --out\``)
  return { ...parsed.data, document: document.data }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
