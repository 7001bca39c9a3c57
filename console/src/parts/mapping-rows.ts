export type MappingsName = 'roleMappings' | 'teamMappings'
export type Mapping = { claim: string; value: string } & Partial<Record<'roleId' | 'teamId', string>>

/** The fields of the rows, at which mistakes are shown. */
export const placesOfMappings = (name: MappingsName, rows: readonly Mapping[]): string[] =>
  rows.flatMap((row, index) => Object.keys(row).map((field) => `${name}.${index}.${field}`))
