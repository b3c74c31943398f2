import type { OperationId } from '../fleet/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operation-table.ts';
import type { QuestionStrictness, Strictness } from '../fleet/preferences.ts';
import { readKeyNames } from './key-spelling.ts';
import {
	mapReader,
	type Reader,
	type Setting,
	type SettingTable,
	tableReader,
} from './setting-reader.ts';
import {
	oneOfReader,
	readAuthAddress,
	readBaseAddress,
	readBoolean,
	readColour,
	readDuration,
	readDurationOrNever,
	readHeaderText,
	readNonEmptyText,
	readPasswordCommand,
	readWordList,
} from './setting-values.ts';

const readAttention = oneOfReader('off', 'bell', 'notify');
type QuestionSettings = Readonly<Record<string, Setting<Strictness>>>;

/** Returns the setting of each operation whose question a profile can change, the optional questions first. */
export function questionSettings(): QuestionSettings {
	const ids = operationIds().filter(id => fixedQuestionReason(id) === undefined);
	const optional = ids.filter(id => operationRowOf(id).isQuestionOptional);
	const others = ids.filter(id => !operationRowOf(id).isQuestionOptional);
	const stricter = { example: '"type"', read: oneOfReader('ask', 'type') };
	const about = 'The other operations can only be made stricter.';
	return Object.fromEntries([
		...optional.map(id => [id, optionalQuestionSetting(id)]),
		...others.map((id, index) => [id, { about: index === 0 ? about : '', ...stricter }]),
	]);
}

function optionalQuestionSetting(id: OperationId): Setting<Strictness> {
	const { doingLabel, verbInHelp } = operationRowOf(id);
	return {
		about: `${doingLabel} a computer asks y/n. With "off" it ${verbInHelp} at once; with "type" you type its name.`,
		example: '"off"',
		read: oneOfReader('off', 'ask', 'type'),
	};
}

function fixedQuestionReason(id: OperationId): string | undefined {
	const { confirmation, subject } = operationRowOf(id);
	if (confirmation === 'typed-name') return 'always asks for the name, and cannot be changed';
	return subject === 'account' ? 'always asks, and cannot be changed' : undefined;
}

/** Reads the strictness of the questions. The table of operations is complete only when a configuration is read. */
const readQuestions: Reader<QuestionStrictness> = (value, path) => {
	const fixed = operationIds().flatMap(id => {
		const reason = fixedQuestionReason(id);
		return reason === undefined ? [] : [[id, reason] as const];
	});
	return tableReader(questionSettings(), Object.fromEntries(fixed))(value, path);
};

export const noticeSettings = {
	operationEnded: {
		about: '"off", "bell", or "notify": a desktop notification and the bell.',
		example: '"bell"',
		read: readAttention,
	},
	computerFailed: { about: '', example: '"notify"', read: readAttention },
	creditsLow: { about: '', example: '"notify"', read: readAttention },
	creditsLeft: {
		about: 'Credits are low when they will not last longer than this.',
		example: '"1d"',
		read: readDuration,
	},
};

/**
 * The settings that may stand at the top of the file, for all profiles, or in a profile, where they take
 * precedence.
 */
export const preferenceSettings = {
	readOnly: {
		about: 'Watch only: refuse every operation that changes something.',
		example: 'true',
		read: readBoolean,
	},
	colour: {
		about:
			'The colour of the header: red, yellow, green, blue, magenta, cyan, white, grey or "#rrggbb".',
		example: '"red"',
		read: readColour,
	},
	theme: {
		about: 'Colours for a "dark" or a "light" background. By default, crowsnest asks the terminal.',
		example: '"light"',
		read: oneOfReader('dark', 'light'),
	},
	glyphs: {
		about:
			'Draw symbols and lines with "unicode" or "ascii". By default, this depends on the terminal.',
		example: '"ascii"',
		read: oneOfReader('unicode', 'ascii'),
	},
	columns: {
		about: 'The columns of the fleet, from left to right, until you choose others on screen (C).',
		example: '["name", "status", "stage", "version", "uptime", "seen"]',
		read: readWordList,
	},
	screenReader: {
		about: 'Print everything as lines of plain text, for a screen reader or a braille display.',
		example: 'true',
		read: readBoolean,
	},
	mouse: {
		about: 'Move the cursor with the wheel and clicks. Selecting text then needs Shift or Option.',
		example: 'true',
		read: readBoolean,
	},
	lockAfter: {
		about:
			'Lock the monitor after this long without a key, or "never". A locked monitor changes nothing.',
		example: '"10m"',
		read: readDurationOrNever,
	},
	confirm: {
		about: 'The questions before an operation.',
		example: '',
		read: readQuestions,
	},
	notify: {
		about: 'The events that draw your attention, and how.',
		example: '',
		read: tableReader(noticeSettings),
	},
	keys: {
		about:
			'Other keys for an action: one key, a list, or [] for none. Esc always goes back.\n' +
			'The help (?) lists the names of the actions.',
		example: '',
		read: mapReader(readKeyNames),
	},
};

export const accountSettings = {
	url: {
		about: 'The address of the platform, which ends in /v1.',
		example: '"https://api.example.com/v1"',
		read: readBaseAddress,
	},
	authUrl: {
		about: 'The address of the identity provider, without /auth/v1/token.',
		example: '"https://id.example.com"',
		read: readAuthAddress,
	},
	anonKey: {
		about: 'The apikey of the identity provider.',
		example: '"the-anon-key"',
		read: readHeaderText,
	},
	email: { about: '', example: '"owner@example.com"', read: readNonEmptyText },
	passwordCommand: {
		about:
			'A command that prints the password. It runs without a shell, or with one: { shell = "…" }.\n' +
			'Without this command, crowsnest asks for the password when needed. It is never stored.',
		example: '["pass", "show", "fleet"]',
		read: readPasswordCommand,
	},
	passwordTimeout: {
		about: 'The time limit of the passwordCommand.',
		example: '"30s"',
		read: readDuration,
	},
};

const noSecretsHere =
	'must not be stored here: use passwordCommand or the environment, or type it when asked';

const readProfile = tableReader(
	{ ...accountSettings, ...preferenceSettings },
	{ password: noSecretsHere, token: noSecretsHere, passwd: noSecretsHere, secret: noSecretsHere },
);

const topSettings = {
	profile: {
		about: 'The profile to use by default.',
		example: '"work"',
		read: readNonEmptyText,
	},
	...preferenceSettings,
	profiles: { about: '', example: '', read: mapReader(readProfile) },
};

export const readConfig = tableReader(topSettings, {
	password: noSecretsHere,
	token: noSecretsHere,
});

export type ConfigValues = NonNullable<ReturnType<typeof readConfig>>;
export type ProfileValues = NonNullable<ReturnType<typeof readProfile>>;

/** Returns an example configuration in which every setting is explained and commented out. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		linesOf({ profile: topSettings.profile }),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		linesOf(simple),
		`${commentFrom(notify.about)}#[notify]`,
		linesOf(noticeSettings),
		`${commentFrom(keys.about)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		'# A profile for each account, with a name of your choice. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		linesOf(accountSettings),
		`${commentFrom(confirm.about)}#[profiles.work.confirm]`,
		linesOf(questionSettings()),
	].join('\n');
}

function linesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { about, example }]) => `${commentFrom(about)}#${name} = ${example}\n`)
		.join('');
}

const commentFrom = (about: string) => about.replace(/^(?=.)/gm, '# ') + (about === '' ? '' : '\n');
