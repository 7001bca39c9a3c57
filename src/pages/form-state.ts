import type { Problem } from '../platform/http/problem.ts'
import type { FormMessage } from './messages.ts'

/** A form as it is shown: empty, or with what was sent and what is wrong with it. */
export interface FormState {
  status: number
  values: Readonly<Record<string, string>>
  messages: readonly FormMessage[]
  refusal?: Problem
}

export const emptyForm = (values: Record<string, string> = {}): FormState => ({ status: 200, values, messages: [] })

/** The only field with mistakes. It takes the focus, and no summary repeats its messages. */
export function onlyMistaken({ messages }: FormState): string | undefined {
  const field = messages[0]?.field
  return messages.every((message) => message.field === field) ? field : undefined
}
