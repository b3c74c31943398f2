/** Throws a `UsageError` for a value that an option does not take. */
export type ParsedArgs = {
	text(name: string): string | undefined;
	list(name: string): readonly string[];
	flag(name: string): boolean;
	hasOption(name: string): boolean;
	wholeNumber(name: string, min: number, max: number): number | undefined;
	timeout: number | undefined;
	/** In milliseconds. */
	duration(name: string): number | undefined;
	positionals: readonly string[];
};
