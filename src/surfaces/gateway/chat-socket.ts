/** A connection of the chat protocol as the gateway hands it over: checked, and of whole text frames. */

export type ChatSocket = {
  send(frame: string): void;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
};
