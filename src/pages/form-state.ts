import type { FormMessage } from './messages.ts'

/** A form as it is shown: empty, or with what was sent and what is wrong with it. */
export interface FormState {
  status: number
  values: Readonly<Record<string, string>>
  messages: readonly FormMessage[]
}

export const emptyForm = (values: Record<string, string> = {}): FormState => ({ status: 200, values, messages: [] })
