type Notice = { name: string; version: string; licence: string; text: string };
type Metafile = { outputs: Record<string, { inputs: Record<string, object> }> };

export const noticesName: string;
/** One entry for each package of which something is in the bundle; throws when one has no licence text. */
export function noticesOf(metafile: Metafile, root: string): Notice[];
export function noticesText(notices: readonly Notice[]): string;
