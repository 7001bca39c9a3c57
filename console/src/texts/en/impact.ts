interface Concerned {
  users: string
  clients: string
  origins: string
}

export default {
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  effects: {
    'must-enrol': ({ users }: Concerned) => `${users} must set up a second factor at their next sign-in.`,
    'need-not-enrol': ({ users }: Concerned) => `A second factor is no longer required of ${users} without one.`,
    'no-phone-for-sms': ({ users }: Concerned) =>
      `No telephone number is on record for ${users} who must set one up, and the text message is the only method.`,
    'factors-stay': ({ users }: Concerned) =>
      `A method that can no longer be set up is the second factor of ${users}. It stays, and can still be used to sign in.`,
    'cannot-sign-in': ({ users }: Concerned) =>
      `${users} can no longer sign in: they have no passkey that works, and nothing else that is allowed.`,
    'can-sign-in-again': ({ users }: Concerned) => `${users} who cannot sign in now can do so again.`,
    'must-set-password': ({ users }: Concerned) => `A password is missing for ${users}: to sign in, they set one by “Forgot password?”.`,
    'must-register-passkey': ({ users }: Concerned) =>
      `No passkey yet for ${users}: at their next sign-in they register one before anything else.`,
    'need-no-passkey': ({ users }: Concerned) => `A passkey is no longer asked of ${users} without one.`,
    'passkeys-stop': ({ users }: Concerned) => `The passkeys of ${users} stop working at once. They stay stored.`,
    'passkeys-work-again': ({ users }: Concerned) => `The stored passkeys of ${users} work again.`,
    'second-factor-too': ({ users }: Concerned) => `A second factor is asked of ${users} after their passkey, too.`,
    'passkey-suffices': ({ users }: Concerned) => `A second factor is no longer asked of ${users} after their passkey.`,
    'for-new-passwords': () => 'It applies to new passwords. No user is locked out.',
    'password-expires': ({ users }: Concerned) => `${users} must choose a new password at their next sign-in.`,
    'password-no-longer-expires': ({ users }: Concerned) => `A new password is no longer asked of ${users}.`,
    'for-new-sessions': ({ users }: Concerned) =>
      `It applies to new sessions. No running session ends: the former value stays for ${users} now signed in.`,
    'for-new-tokens': ({ clients }: Concerned) => `It applies to new tokens of ${clients} without a lifetime of their own.`,
    'clients-outside': ({ clients }: Concerned) =>
      `An address outside the list is registered by ${clients}. It keeps working until the addresses of the application are next changed; then it is refused.`,
    'origins-removed': ({ origins }: Concerned) => `Pages of ${origins} can no longer call the API.`,
  },
  origins: (count: number, shown: string) => (count === 1 ? '1 origin' : `${shown} origins`),
  andMore: (names: string, more: string) => `${names} and ${more} more`,
}
