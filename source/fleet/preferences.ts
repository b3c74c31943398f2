import type { OperationId } from './operation.ts';

/** How strictly an operation is confirmed: without a question, with y/n, or by typing the name. */
export type Strictness = 'off' | 'ask' | 'type';

/** The strictness of the questions that differ from the default, keyed by operation. */
export type QuestionStrictness = Readonly<Partial<Record<OperationId, Strictness>>>;

/** How the program notifies a person of an event. */
type Attention = 'off' | 'bell' | 'notify';

/** The keys that a person chose for an action, and the line in the configuration file that says so. */
export type KeyOverride = { action: string; keys: readonly string[]; line: number | undefined };

/** The settings of the program for one account. Defaults replace settings that the configuration leaves out. */
export type Preferences = {
	readOnly: boolean;
	/** A colour name such as `red`, or `#rrggbb`. */
	colour: string | undefined;
	theme: 'dark' | 'light' | undefined;
	glyphs: 'unicode' | 'ascii' | undefined;
	/** The chosen columns, whose names may be wrong. `line` is for the message about a wrong name. */
	columns: { names: readonly string[]; line: number | undefined } | undefined;
	screenReader: boolean;
	mouse: boolean;
	/** Milliseconds without a key until the lock closes; Infinity for never. */
	lockAfter: number;
	/** The strictness of the operations whose question differs from the default. */
	confirm: QuestionStrictness;
	notify: {
		operationEnded: Attention;
		computerFailed: Attention;
		creditsLow: Attention;
		/** Credits count as low when they will last for at most this many milliseconds. */
		creditsLeft: number;
	};
	/** The chosen keys of each action. The names of the actions may be wrong. */
	keys: readonly KeyOverride[];
};
