import type { OperationId } from '../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operations/operation-table.ts';
import {
	type KeyOverride,
	type QuestionStrictness,
	type ReadShare,
	readShareNames,
} from '../fleet/operations/preferences.ts';
import type { Strictness } from '../fleet/operations/strictness.ts';
import { readKeyNames } from './key-spelling.ts';
import {
	mapReader,
	type Setting,
	type SettingReader,
	type SettingValues,
	tableReader,
} from './setting-reader.ts';
import {
	oneOfReader,
	readAuthAddress,
	readBaseAddress,
	readBoolean,
	readColour,
	readCount,
	readDuration,
	readDurationOrNever,
	readHeaderText,
	readNonEmptyText,
	readPasswordCommand,
	readProfileNames,
	readShortName,
	readText,
	readWordList,
} from './setting-values.ts';

export type AccountSetting = Setting<unknown> & {
	/** The environment variable for this setting. */
	variable?: string;
	/** The ways to sign in that need the setting. */
	neededWith?: readonly ('token' | 'password')[];
};

export const accountSettings = {
	url: {
		explanation: 'The address of the platform, which ends in /v1.',
		example: '"https://api.example.com/v1"',
		read: readBaseAddress,
		variable: 'CROWSNEST_URL',
		neededWith: ['token', 'password'],
	},
	authUrl: {
		explanation: 'The address of the identity provider, without /auth/v1/token.',
		example: '"https://id.example.com"',
		read: readAuthAddress,
		variable: 'CROWSNEST_AUTH_URL',
		neededWith: ['password'],
	},
	anonKey: {
		explanation: 'The apikey of the identity provider.',
		example: '"the-anon-key"',
		read: readHeaderText,
		variable: 'CROWSNEST_ANON_KEY',
		neededWith: ['password'],
	},
	email: {
		explanation: '',
		example: '"owner@example.com"',
		read: readNonEmptyText,
		variable: 'CROWSNEST_EMAIL',
		neededWith: ['password'],
	},
	passwordCommand: {
		explanation:
			'A command that prints the password. It runs without a shell, or with one: { shell = "…" }.\n' +
			'Without this command, crowsnest asks for the password when needed. It is never stored.',
		example: '["pass", "show", "fleet"]',
		read: readPasswordCommand,
	},
	passwordTimeout: {
		explanation: 'The time limit of the passwordCommand.',
		example: '"30s"',
		read: readDuration,
	},
} as const satisfies Readonly<Record<string, AccountSetting>>;

/** The secrets of an account, which only the environment may contain. */
export const accountSecrets = {
	password: { read: readText, variable: 'CROWSNEST_PASSWORD' },
	token: { read: readHeaderText, variable: 'CROWSNEST_TOKEN' },
} as const;

export const announcementKinds = ['off', 'bell', 'notify'] as const;

const readAnnouncementKind = oneOfReader(...announcementKinds);

const liveAnnouncement = (label: string) => ({ label, note: '', words: announcementKinds });

export const noticeSettings = {
	operationEnded: {
		explanation: '"off", "bell", or "notify": a desktop notification and the bell.',
		example: '"bell"',
		read: readAnnouncementKind,
		default: 'bell',
		live: liveAnnouncement('Notify when operations end'),
	},
	computerFailed: {
		explanation: '',
		example: '"notify"',
		read: readAnnouncementKind,
		default: 'notify',
		live: liveAnnouncement('Notify when computers fail'),
	},
	creditsLow: {
		explanation: '',
		example: '"notify"',
		read: readAnnouncementKind,
		default: 'notify',
		live: liveAnnouncement('Notify when credits are low'),
	},
	creditsLeft: {
		explanation: 'Credits are low when they will not last longer than this.',
		example: '"1d"',
		read: readDuration,
		default: 86_400_000,
	},
} as const;

export type Notices = Required<SettingValues<typeof noticeSettings>>;

export const defaultNotices = Object.fromEntries(
	Object.entries(noticeSettings).map(([name, row]) => [name, row.default]),
) as Notices;

type QuestionSettings = Readonly<Record<string, Setting<Strictness>>>;

/** Returns the setting of each operation, those first whose question a profile can switch off. */
export function questionSettings(): QuestionSettings {
	const ids = operationIds();
	const optional = ids.filter(id => operationRowOf(id).mayBeUnasked);
	const others = ids.filter(id => !operationRowOf(id).mayBeUnasked);
	const stricter = { example: '"type"', read: oneOfReader('ask', 'wait', 'type') };
	const explanation =
		'The other operations can only be made stricter: "ask" < "wait" (y, then 4 s in which Esc cancels) < "type".';
	return Object.fromEntries([
		...optional.map(id => [id, optionalQuestionSetting(id)]),
		...others.map((id, index) => [
			id,
			{ explanation: index === 0 ? explanation : '', ...stricter },
		]),
	]);
}

function optionalQuestionSetting(id: OperationId): Setting<Strictness> {
	const { verbInHelp } = operationRowOf(id);
	return {
		explanation: `What the key asks for before it ${verbInHelp} up to five computers: "ask" for y, "wait" for y and waits 4 s, "type" for the name and waits 4 s, "off" for nothing.`,
		example: '"off"',
		read: oneOfReader('off', 'ask', 'wait', 'type'),
	};
}

/**
 * Reads the strictness of the questions. This is a function, because the table of operations is not complete when
 * this module is loaded.
 */
export const readQuestions: SettingReader<QuestionStrictness> = (value, path) =>
	tableReader(questionSettings())(value, path);

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
		live: {
			label: 'Theme',
			note: 'colours',
			words: ['dark', 'light'],
			wordIfUnset: 'of the terminal',
			option: 'theme',
		},
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
		live: { label: 'Mouse', note: '', words: ['on', 'off'], option: 'mouse' },
	},
	share: {
		explanation:
			'The largest part of the rate limits that crowsnest spends by itself: "full", "half" or "quarter". It never\n' +
			'spends more than half while nothing is under way, and a quarter while nobody watches.',
		example: '"half"',
		read: oneOfReader(...readShareNames),
		default: 'full' as ReadShare,
		live: {
			label: 'Share',
			note: 'of the rate limits',
			words: readShareNames,
			changesRequests: true,
		},
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

const secretRefusedText =
	'must not be stored here: use passwordCommand or the environment, or type it when asked';

/** The settings that differ for every profile, so they cannot be set for all profiles at once. */
export const profileSettings = {
	short: {
		explanation:
			'The name of the profile in the column ACCOUNT, at most 8 characters. By default, the\n' +
			'name of the profile is cut.',
		example: '"wk"',
		read: readShortName,
	},
	production: {
		explanation:
			'Whether a person who types a confirmation must type the name of the profile, too.',
		example: 'true',
		read: readBoolean,
	},
	signIn: {
		explanation:
			'How the profile signs in: with a password, or with the token that `crowsnest login --token`\n' +
			'has stored.',
		example: '"token"',
		read: oneOfReader('password', 'token'),
	},
};

/** The settings that apply to all accounts together. */
export const programSettings = {
	profile: {
		explanation: 'The profiles to open by default: one name, or several as in ["work", "lab"].',
		example: '"work"',
		read: readProfileNames,
		variable: 'CROWSNEST_PROFILE' as const,
	},
	maxRequestsPerMinute: {
		explanation:
			'The most requests per minute that all accounts, panes and commands of this machine may send\n' +
			'together, for a platform that counts requests by IP address. By default, each account has\n' +
			'only its own limits.',
		example: '60',
		read: readCount,
	},
};

const readProfile = tableReader(
	{ ...accountSettings, ...profileSettings, ...preferenceSettings },
	{
		password: secretRefusedText,
		token: secretRefusedText,
		passwd: secretRefusedText,
		secret: secretRefusedText,
		maxRequestsPerMinute: 'applies to all accounts together: set it at the top of the file',
		hooks: 'apply to all accounts together: write [[hooks]]',
	},
);

const readProfileTables = mapReader(readProfile);

export const topSettings = {
	...programSettings,
	...preferenceSettings,
	/**
	 * Own commands are read separately, because a mistake in one of them must not make the other settings invalid.
	 */
	commands: { explanation: '', example: '', read: (tables: unknown) => tables },
	/** A mistake in a hook must not make the other settings invalid either. */
	hooks: { explanation: '', example: '', read: (tables: unknown) => tables },
	profiles: {
		explanation: '',
		example: '',
		// A list here is probably meant as a choice of profiles, which is the setting `profile`, so the message names
		// that setting.
		read: ((value, path) =>
			Array.isArray(value)
				? path.reject(
						'must be a table; the profiles to open are set as in profile = ["work", "lab"]',
					)
				: readProfileTables(value, path)) satisfies typeof readProfileTables,
	},
};

const belongsInProfileText = 'belongs in a profile, below a line such as [profiles.work]';

export const readConfig = tableReader(topSettings, {
	password: secretRefusedText,
	token: secretRefusedText,
	short: belongsInProfileText,
	production: belongsInProfileText,
});

export type ConfigValues = NonNullable<ReturnType<typeof readConfig>>;
export type ProfileValues = NonNullable<ReturnType<typeof readProfile>>;
