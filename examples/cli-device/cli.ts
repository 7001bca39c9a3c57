import { signIn } from './sign-in.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '' } = process.env

const signedIn = await signIn({
  gatehouseUrl: GATEHOUSE_URL,
  clientId: CLIENT_ID,
  show: ({ userCode, address }) => console.log(`Open ${address} and enter ${userCode}`),
})
console.log(signedIn ? `Hello ${signedIn.name}` : 'Not signed in')
