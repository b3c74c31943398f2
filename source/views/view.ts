import type { CompleteFilter } from '../fleet/filters/completion.ts';
import type { Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import type { Choice } from './look/cursor.ts';
import type { Scene } from './scene.ts';

/** A line without an id cannot be chosen. */
export type ViewLine = Line & Pick<Choice, 'opens' | 'isCancellable' | 'hasFailed'>;

export type View = {
	/** The cursor can choose lines, although a filter may leave none. */
	hasCursor?: boolean;
	/** This line does not scroll. */
	title: (scene: Scene) => readonly [left: readonly Span[], right: readonly Span[]];
	lines: (scene: Scene) => readonly ViewLine[];
	completions?: (scene: Scene) => CompleteFilter;
	/** A listener cannot see the order of the lines. */
	spokenOrder?: string;
};
