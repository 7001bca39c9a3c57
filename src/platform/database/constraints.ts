/**
 * Maps the violation of a named constraint to its refusal:
 * `await insertUser(…).catch(refuseViolation({ users_email_key: emailTaken }))`. Any other error is rethrown.
 */
export function refuseViolation(refusals: Record<string, () => Error>): (error: unknown) => never {
  return (error) => {
    const refusal = refusals[constraintOf(error) ?? '']
    throw refusal ? refusal() : error
  }
}

function constraintOf(error: unknown): string | undefined {
  if (error instanceof Error && 'constraint' in error && typeof error.constraint === 'string') return error.constraint
  return undefined
}
