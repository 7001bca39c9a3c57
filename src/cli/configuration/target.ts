import type { Asked, NamedId, NewSecret, Plan } from '../../configuration/apply.ts'
import type { Drift } from '../../configuration/drift.ts'
import type { CommonOptions } from '../add-command.ts'
import type { RemoteOptions } from '../over-network.ts'

export interface TargetOptions extends CommonOptions, RemoteOptions {
  /** Whether the command changes the organisation, or prepares that. What is cancelled can be looked at. */
  isChange?: boolean
}

export interface DocumentOptions extends TargetOptions {
  file: string[]
  organisation?: string
  prune?: boolean
}

export interface Target {
  readonly slug: string
  /** The address that tokens name. */
  issuer(): Promise<string>
  export(): Promise<object>
  drift(asked: Asked): Promise<Drift[]>
  plan(asked: Asked): Promise<Plan>
  apply(asked: Asked): Promise<Plan & { secrets: readonly NewSecret[]; ids: readonly NamedId[] }>
}
