import type { OperationId } from './operation.ts';
import type { Strictness } from './strictness.ts';

/** The largest part of each rate limit that reads may use, by its name in the configuration. */
export const readShares = { full: 1, half: 1 / 2, quarter: 1 / 4 } as const;

export type ReadShare = keyof typeof readShares;

export const readShareNames = Object.keys(readShares) as readonly ReadShare[];

export type QuestionStrictness = Readonly<Partial<Record<OperationId, Strictness>>>;

export type KeyOverride = { action: string; keys: readonly string[] };
