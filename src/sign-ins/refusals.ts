import { refusal } from '../platform/http/problem.ts'

export const signInNotFound = refusal('sign-in-not-found', 'not-found', 'Sign-in not found')
