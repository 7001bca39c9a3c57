import type { Problem } from '../platform/http/problem.ts'
import type { FormMessage } from './messages.ts'

/** A form as it is shown: empty, or with what was sent and what is wrong with it. */
export interface FormState {
  status: number
  values: Readonly<Record<string, string>>
  messages: readonly FormMessage[]
  /** What has been refused, after an operation. */
  refusal?: Problem
}

export const emptyForm = (values: Record<string, string> = {}): FormState => ({ status: 200, values, messages: [] })

/** The field to which all that is wrong belongs. It takes the focus, and no summary repeats what stands there. */
export function onlyMistaken({ messages }: FormState): string | undefined {
  const field = messages[0]?.field
  return messages.every((message) => message.field === field) ? field : undefined
}
