import type { Asked, NewSecret, Plan } from '../../configuration/apply.ts'
import type { Drift } from '../../configuration/drift.ts'
import type { CommonOptions } from '../add-command.ts'
import type { RemoteOptions } from '../over-network.ts'

export interface TargetOptions extends CommonOptions, RemoteOptions {}

export interface DocumentOptions extends TargetOptions {
  file: string[]
  organisation?: string
  prune?: boolean
}

/** The organisation that a document is compared with. */
export interface Target {
  readonly slug: string
  /** Exports the configuration as a document. */
  export(): Promise<object>
  drift(asked: Asked): Promise<Drift[]>
  plan(asked: Asked): Promise<Plan>
  apply(asked: Asked): Promise<Plan & { secrets: readonly NewSecret[] }>
}
