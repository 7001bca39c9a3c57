import { createApp } from './app.ts'

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env

createApp({ secrets: WEBHOOK_SECRET.split(' '), greet: (email) => console.log(`Welcome, ${email}`) }).listen(Number(PORT), () =>
  console.log(`Receives at http://localhost:${PORT}/webhooks`),
)
