/** What browsers know and TypeScript's library of them does not yet. */
interface RequestInit {
  duplex?: "half";
}
