/** Browser APIs that TypeScript's DOM library does not declare yet. */
interface RequestInit {
  duplex?: "half";
}
