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
