import { parseArgs } from 'node:util';
import type { Option } from './command.ts';

type ParserOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parserOptionsOf(options: readonly Option[]): ParserOptions {
	return Object.fromEntries(
		options.map(({ name, shortName, valueName, isRepeatable = false }) => [
			name,
			{
				type: valueName ? ('string' as const) : ('boolean' as const),
				multiple: isRepeatable,
				...(shortName && { short: shortName }),
			},
		]),
	);
}

/** A word of a command line, with its value if it is an option that takes one. */
export type ArgToken = ReturnType<typeof tokensFrom>[number];

/** Splits the words of a command line into options and arguments, whether or not the options exist. */
export function tokensFrom(words: readonly string[], options: readonly Option[]) {
	// Node loads the parser with its first use, which would delay the monitor.
	if (words.length === 0) return [];
	return parseArgs({
		args: [...words],
		options: parserOptionsOf(options),
		allowPositionals: true,
		strict: false,
		tokens: true,
	}).tokens;
}
