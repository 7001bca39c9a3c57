import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A record that was chosen in a question: its id and name. */
export interface Chosen {
  value: string
  label: string
}

/** An action on many records, with one call for each. */
export interface BulkAction<Row> {
  key: string
  label: string
  icon?: LucideIcon
  danger?: boolean
  /** The question before the action: "Block 3 users?" */
  question: (count: number) => string
  /** The effect. */
  description?: ReactNode
  /** A field for what has to be chosen first. Each question begins without a choice. */
  choice?: (field: { value: Chosen[]; onValueChange: (chosen: Chosen[]) => void }) => ReactNode
  /** Whether to ask for an optional reason, which is sent with each call. */
  asksReason?: boolean
  /** Asks a further question about the choice. */
  before?: (count: number, chosen: readonly Chosen[]) => Promise<boolean>
  work: (row: Row, reason: string | undefined, chosen: readonly Chosen[]) => Promise<unknown>
  /** The message afterwards: "3 users blocked". */
  done: (count: number) => string
}
