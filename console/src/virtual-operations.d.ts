declare module 'virtual:operations' {
  interface Limits {
    required?: boolean
    minLength?: number
    maxLength?: number
    minimum?: number
    maximum?: number
    maxItems?: number
  }

  export const operations: Record<string, { permissions?: string[]; fields?: Record<string, Limits> }>
}

declare module 'virtual:queries' {
  export const queries: Record<string, Record<string, 'number' | 'boolean' | 'list'>>
}

declare module 'virtual:secrets' {
  export const secrets: Record<string, { sent?: string[]; received?: string[] }>
}
