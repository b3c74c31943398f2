import type { Preferences } from '../accounts/settings.ts';
import { UsageError } from '../foundation/error.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { problemLines } from '../session/settings.ts';
import type { TerminalPreferences } from '../terminal/features/environment.ts';
import { columns } from '../views/fleet/columns.ts';
import type { ParsedArgs } from './parsed-args.ts';

export function terminalPreferencesFrom(args: ParsedArgs): TerminalPreferences {
	const theme = (['dark', 'light'] as const).find(name => name === args.text('theme'));
	return {
		...(theme && { background: theme }),
		...(args.flag('ascii') && { hasUnicode: false }),
		...(args.flag('no-color') && { hasColours: false }),
	};
}

export function displayOptionsFrom(host: Host, preferences: Preferences) {
	const { glyphs, columns: chosenColumns } = preferences;
	const { background, ...ownColours } = preferences.theme;
	const columnNames = columns.map(({ name }) => name);
	const unknownName = chosenColumns?.find(name => !columnNames.includes(name));
	if (unknownName !== undefined) {
		const nearest = nearestName(unknownName, columnNames);
		const hint = nearest ? `Did you mean ${nearest}?` : `Columns: ${columnNames.join(', ')}`;
		const problem = { message: `columns: No column ${unknownName}. ${hint}`, isInFile: true };
		throw new UsageError(problemLines([problem], pathsOf(host).configPath));
	}
	const terminalPreferences: TerminalPreferences = {
		...(background && { background }),
		...(glyphs && { hasUnicode: glyphs === 'unicode' }),
	};
	const { screenReader: isSpoken, mouse: hasMouse } = preferences;
	return { terminalPreferences, ownColours, columns: chosenColumns, isSpoken, hasMouse };
}
