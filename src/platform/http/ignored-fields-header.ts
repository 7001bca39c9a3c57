/** Names the fields of a request that were ignored. */
export const ignoredFieldsHeader = 'x-ignored-fields'
