import type { CompleteFilter } from '../fleet/filters/completion.ts';
import type { Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import type { Choice } from '../screen/choice.ts';
import type { Scene } from './scene.ts';

/** A line of a view, with what Enter and the other keys of the view do on it. A line without an id cannot be chosen. */
export type ViewLine = Line & Pick<Choice, 'opens' | 'isCancellable' | 'hasFailed'>;

/** What a person scrolls in place of the table or beside it, as lines for the screen, the ear and a pipe. */
export type View = {
	/** Whether the view has lines that the cursor can choose, although a filter may leave none. */
	hasCursor?: boolean;
	/** The ends of the first line, which does not scroll. */
	title: (scene: Scene) => readonly [left: readonly Span[], right: readonly Span[]];
	lines: (scene: Scene) => readonly ViewLine[];
	/** Completes the word at the caret of the view's filter. */
	completions?: (scene: Scene) => CompleteFilter;
	/** The order of the lines, which a listener cannot see. */
	spokenOrder?: string;
};
