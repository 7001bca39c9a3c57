/** A request that a directory's published reference has, and what it expects of the response. `{{name}}` stands for a variable. */
export interface Step {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  status: number
  /** What the body of the response has at least. */
  has?: unknown
  /** What the response makes known to later steps: a member of its body by the name of the variable. */
  stores?: Record<string, string>
}
