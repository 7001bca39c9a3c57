import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** An action on many records, with one call for each. */
export interface BulkAction<Row> {
  key: string
  label: string
  icon?: LucideIcon
  danger?: boolean
  /** The question before the action: "Block 3 users?" */
  question: (count: number) => string
  /** The effect, and choices that have to be made first. */
  description?: ReactNode
  /** Whether to ask for an optional reason, which is sent with each call. */
  asksReason?: boolean
  /** Asks a further question about the choice. */
  before?: (count: number) => Promise<boolean>
  /** Undefined while a choice is missing. */
  work: ((row: Row, reason: string | undefined) => Promise<unknown>) | undefined
  /** The message afterwards: "3 users blocked". */
  done: (count: number) => string
}
