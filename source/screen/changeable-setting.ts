export type ThemeChoice = 'dark' | 'light' | undefined;

/** A setting that can be changed while the monitor runs, with the word of its present value and all words. */
export type ChangeableSetting = {
	/** The name in the configuration, such as `notify.creditsLow`. */
	name: string;
	label: string;
	note: string;
	present: string;
	words: readonly string[];
	isRefused: boolean;
};
