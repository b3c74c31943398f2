type Notice = { name: string; version: string; licence: string; text: string };
type Metafile = { outputs: Record<string, { inputs: Record<string, object> }> };

export const noticesName: string;
/** Lists each bundled package once, and throws when one has no licence text. */
export function noticesOf(metafile: Metafile, root: string): Notice[];
export function noticesText(notices: readonly Notice[]): string;
