import { directoriesTexts as t } from '../../texts/directories.ts'

export const kinds = ['entra', 'okta', 'google', 'other'] as const
export type Kind = (typeof kinds)[number]

export const isKind = (text: unknown): text is Kind => kinds.some((kind) => kind === text)

/** The kind of directory that a name speaks of. */
export const kindIn = (name: string): Kind => kinds.find((kind) => name.toLowerCase().includes(kind)) ?? 'other'

/** The attributes that users need, each with what the directory takes it from. */
export const attributesOf = (kind: Kind) =>
  Object.entries(t.attributes).map(([attribute, from]) => ({
    attribute,
    from: from[kind],
    purpose: t.attributePurposes[attribute as keyof typeof t.attributes],
  }))
