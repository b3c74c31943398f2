import { nearestName } from '../fleet/nearest-name.ts';
import type { Preferences } from '../fleet/preferences.ts';
import { type Host, pathsOf } from '../session/host.ts';
import type { TerminalPreferences } from '../terminal/environment.ts';
import { columns } from '../wording/columns.ts';
import type { ParsedArgs } from './command.ts';
import { UsageError } from './errors.ts';
import { problemLines } from './load-settings.ts';

/** What the flags want the screen to look like. */
export function looksFromFlags(args: ParsedArgs): TerminalPreferences {
	const theme = args.text('theme');
	if (theme !== undefined && theme !== 'dark' && theme !== 'light') {
		throw new UsageError('--theme takes dark or light');
	}
	return {
		...(theme && { background: theme }),
		...(args.flag('ascii') && { hasUnicode: false }),
		...(args.flag('no-color') && { hasColours: false }),
	};
}

export type DisplayOptions = {
	looks: TerminalPreferences;
	/** The names of the table's columns until others are chosen. */
	columns?: readonly string[];
	/** Lines of plain words, and nothing drawn. */
	isSpoken?: boolean;
	hasMouse?: boolean;
};

/** What the configuration wants, over which the flags count. */
export function displayOptionsFrom(host: Host, preferences: Preferences): DisplayOptions {
	const { theme, glyphs, columns: wanted } = preferences;
	const names = columns.map(({ name }) => name);
	const unknown = wanted?.names.find(name => !names.includes(name));
	if (unknown !== undefined) {
		const nearest = nearestName(unknown, names);
		const hint = nearest ? `did you mean ${nearest}?` : `there are ${names.join(', ')}`;
		const { line } = wanted ?? {};
		const problem = { message: `there is no column ${unknown}; ${hint}`, ...(line && { line }) };
		throw new UsageError(problemLines([problem], pathsOf(host).configPath));
	}
	const looks = {
		...(theme && { background: theme }),
		...(glyphs && { hasUnicode: glyphs === 'unicode' }),
	};
	const { screenReader: isSpoken, mouse: hasMouse } = preferences;
	return {
		looks,
		...(wanted && { columns: wanted.names }),
		...(isSpoken && { isSpoken }),
		...(hasMouse && { hasMouse }),
	};
}
