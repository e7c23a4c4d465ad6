/** A chat protocol connection as the gateway hands it over: authorised, and carrying whole text frames. */

export type ChatSocket = {
  send(frame: string): void;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
};
