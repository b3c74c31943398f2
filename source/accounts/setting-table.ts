import {
	type KeyOverride,
	type QuestionStrictness,
	type ReadShare,
	readShareNames,
} from '../fleet/operations/preferences.ts';
import { readKeyNames } from './key-spelling.ts';
import { liveSetting } from './live-setting.ts';
import { defaultNotices, type Notices, noticeSettings } from './notice-settings.ts';
import { readQuestions } from './question-settings.ts';
import { mapReader, type Setting, type SettingReader, tableReader } from './setting-reader.ts';
import {
	oneOfReader,
	readBoolean,
	readColour,
	readDurationOrNever,
	readWordList,
} from './setting-values.ts';

/** Lets a profile change some entries of a table without repeating the others. */
function combineTables<T extends object>(tables: readonly T[]): T {
	return Object.assign({}, ...tables);
}

const defaultKeys: readonly KeyOverride[] = [];

/** Lets a profile replace the keys of an action without repeating those of other actions. */
function combineKeys(lists: readonly (readonly KeyOverride[])[]): readonly KeyOverride[] {
	return [...new Map(lists.flat().map(override => [override.action, override])).values()];
}

const readKeys: SettingReader<readonly KeyOverride[]> = (value, path) => {
	const keysByAction = mapReader(readKeyNames)(value, path);
	return keysByAction && Array.from(keysByAction, ([action, keys]) => ({ action, keys }));
};

/**
 * The preferences. At the top of the file they apply to all profiles; in a profile they override the top of the
 * file.
 */
export const preferenceSettings = {
	readOnly: {
		explanation: 'Watch only: refuse every operation that changes something.',
		example: 'true',
		read: readBoolean,
		default: false,
	},
	colour: {
		explanation:
			'The colour of the header: red, yellow, green, blue, magenta, cyan, white, grey or "#rrggbb".',
		example: '"red"',
		read: readColour,
	},
	theme: {
		explanation:
			'Colours for a "dark" or a "light" background. By default, crowsnest asks the terminal.',
		example: '"light"',
		read: oneOfReader('dark', 'light'),
		live: liveSetting<'dark' | 'light'>({
			label: 'Theme',
			note: 'colours',
			choices: [
				{ word: 'dark', value: 'dark' },
				{ word: 'light', value: 'light' },
			],
			wordIfUnset: 'of the terminal',
			option: 'theme',
			needs: 'drawForBackground',
			apply: (background, { drawForBackground }) => drawForBackground?.(background),
		}),
	},
	glyphs: {
		explanation:
			'Draw symbols and lines with "unicode" or "ascii". By default, this depends on the terminal.',
		example: '"ascii"',
		read: oneOfReader('unicode', 'ascii'),
	},
	columns: {
		explanation:
			'The columns of the fleet, from left to right, until you choose others on screen (C).',
		example: '["name", "status", "stage", "version", "uptime", "seen"]',
		read: readWordList,
	},
	screenReader: {
		explanation:
			'Print everything as lines of plain text, for a screen reader or a braille display.',
		example: 'true',
		read: readBoolean,
		default: false,
	},
	mouse: {
		explanation:
			'Move the cursor with the wheel and clicks. Selecting text then needs Shift or Option.',
		example: 'true',
		read: readBoolean,
		default: false,
		live: liveSetting<boolean>({
			label: 'Mouse',
			note: '',
			choices: [
				{ word: 'on', value: true },
				{ word: 'off', value: false },
			],
			option: 'mouse',
			needs: 'reportMouse',
			apply: (isOn, { reportMouse }) => reportMouse?.(isOn === true),
		}),
	},
	share: {
		explanation:
			'The largest part of the rate limits that crowsnest spends by itself: "full", "half" or "quarter". It never\n' +
			'spends more than half while nothing is under way, and a quarter while nobody watches.',
		example: '"half"',
		read: oneOfReader(...readShareNames),
		default: 'full' as ReadShare,
		live: liveSetting<ReadShare>({
			label: 'Share',
			note: 'of the rate limits',
			choices: readShareNames.map(share => ({ word: share, value: share })),
			needs: 'limitReads',
			apply: (share, { limitReads }, chosenAt) => share && limitReads?.(share, chosenAt),
			changesRequests: true,
		}),
	},
	alone: {
		explanation:
			'Poll for this process only. By default, one process on this machine polls an account, and all others, also\n' +
			'commands such as list, get their data from it.',
		example: 'true',
		read: readBoolean,
		default: false,
	},
	lockAfter: {
		explanation:
			'Lock the monitor after this long without a key. While it is locked, no key can change a computer.',
		example: '"10m"',
		read: readDurationOrNever,
		default: Number.POSITIVE_INFINITY,
	},
	confirm: {
		explanation: 'The questions before an operation.',
		example: '',
		read: readQuestions,
		default: {},
		combine: combineTables<QuestionStrictness>,
	},
	notify: {
		explanation: 'The events that draw your attention, and how.',
		example: '',
		read: tableReader(noticeSettings),
		default: defaultNotices,
		combine: combineTables<Partial<Notices>>,
	},
	keys: {
		explanation:
			'Other keys for an action: one key, a list, or [] for none. Esc always goes back.\n' +
			'The help (?) lists the names of the actions.',
		example: '',
		read: readKeys,
		default: defaultKeys,
		combine: combineKeys,
	},
};

type Rows = typeof preferenceSettings;

type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;

/** The settings of the program for one account. Settings without a default are undefined if nothing sets them. */
export type Preferences = {
	[Name in keyof Rows]: Rows[Name] extends { default: infer Default }
		? ValueOf<Rows[Name]> & Default
		: ValueOf<Rows[Name]> | undefined;
};

/** The preferences in one table of the configuration: those for all profiles, or those of one profile. */
type PreferenceLayer = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/**
 * Merges several tables of preferences. The last table that has a setting wins, unless the setting combines the
 * values of all tables.
 */
export function preferencesFrom(layers: readonly PreferenceLayer[]): Preferences {
	const rows: Readonly<Record<string, Setting<unknown>>> = preferenceSettings;
	const layersByName: readonly Readonly<Record<string, unknown>>[] = layers;
	const values = Object.entries(rows).map(([name, { default: usual, combine }]) => {
		const present = [usual, ...layersByName.map(layer => layer[name])].filter(
			value => value !== undefined,
		);
		return [name, combine ? combine(present) : present.at(-1)] as const;
	});
	return Object.fromEntries(values) as Preferences;
}
