/**
 * Generates the types of every request and response of a description.
 *
 * @param {import('openapi-typescript').OpenAPI3} document
 * @param {{ defaultNonNullable?: boolean }} [options] the options of `openapi-typescript`
 * @returns {Promise<string>} TypeScript
 */
export async function typesOf(document, options) {
  const { astToString, default: openapi } = await import('openapi-typescript')
  return astToString(await openapi(document, options))
}
