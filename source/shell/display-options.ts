import { nearestName } from '../fleet/nearest-name.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Looks } from '../terminal/environment.ts';
import { columns } from '../wording/columns.ts';
import { type Given, UsageError } from './command.ts';
import type { Host } from './host.ts';
import { pathsOf, problemLines } from './load-settings.ts';

/** What the flags want the screen to look like. */
export function looksFromFlags(given: Given): Looks {
	const theme = given.text('theme');
	if (theme !== undefined && theme !== 'dark' && theme !== 'light') {
		throw new UsageError('--theme takes dark or light');
	}
	return {
		...(theme && { background: theme }),
		...(given.flag('ascii') && { hasUnicode: false }),
		...(given.flag('no-color') && { hasColours: false }),
	};
}

export type ScreenWishes = {
	looks: Looks;
	/** The names of the table's columns until others are chosen. */
	columns?: readonly string[];
	/** Lines of plain words, and nothing drawn. */
	isSpoken?: boolean;
	hasMouse?: boolean;
};

/** What the configuration wants, over which the flags count. */
export function screenWishes(host: Host, preferences: Preferences): ScreenWishes {
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
