/** How careful an operation's question is: not asked, answered with y/n, or answered with the name. */
export type Strictness = 'off' | 'ask' | 'type';

/** How an event draws attention. */
export type Attention = 'off' | 'bell' | 'notify';

/** The keys that a person chose for an action. `line` is their place in the configuration file. */
export type KeyOverride = { action: string; keys: readonly string[]; line: number | undefined };

/** The settings of the program for one account; defaults fill in what the configuration leaves out. */
export type Preferences = {
	readOnly: boolean;
	/** A name such as `red`, or `#rrggbb`. */
	colour: string | undefined;
	theme: 'dark' | 'light' | undefined;
	glyphs: 'unicode' | 'ascii' | undefined;
	/** The names are not checked yet; `line` is for the message about a wrong one. */
	columns: { names: readonly string[]; line: number | undefined } | undefined;
	screenReader: boolean;
	mouse: boolean;
	/** Milliseconds without a key; Infinity for never. */
	lockAfter: number;
	/** Only the operations whose question differs from the default. */
	confirm: Readonly<
		Partial<
			Record<'start', Strictness> &
				Record<'stop' | 'restart' | 'update' | 'publish' | 'unpublish', 'ask' | 'type'>
		>
	>;
	notify: {
		operationEnded: Attention;
		computerFailed: Attention;
		creditsLow: Attention;
		/** Credits are low when they will last for at most this many milliseconds. */
		creditsLeft: number;
	};
	/** The names of the actions are not checked yet. */
	keys: readonly KeyOverride[];
};
