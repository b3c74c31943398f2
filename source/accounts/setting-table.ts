import type { OperationId } from '../fleet/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operation-table.ts';
import type { QuestionStrictness, Strictness } from '../fleet/preferences.ts';
import { readKeyNames } from './key-spelling.ts';
import {
	mapReader,
	type Setting,
	type SettingReader,
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

const readAnnouncementKind = oneOfReader('off', 'bell', 'notify');
type QuestionSettings = Readonly<Record<string, Setting<Strictness>>>;

/** Returns the setting of each operation whose question a profile can change, the optional questions first. */
export function questionSettings(): QuestionSettings {
	const ids = operationIds().filter(id => fixedQuestionReason(id) === undefined);
	const optional = ids.filter(id => operationRowOf(id).isQuestionOptional);
	const others = ids.filter(id => !operationRowOf(id).isQuestionOptional);
	const stricter = { example: '"type"', read: oneOfReader('ask', 'type') };
	const explanation = 'The other operations can only be made stricter.';
	return Object.fromEntries([
		...optional.map(id => [id, optionalQuestionSetting(id)]),
		...others.map((id, index) => [
			id,
			{ explanation: index === 0 ? explanation : '', ...stricter },
		]),
	]);
}

function optionalQuestionSetting(id: OperationId): Setting<Strictness> {
	const { doingLabel, verbInHelp } = operationRowOf(id);
	return {
		explanation: `${doingLabel} a computer asks y/n. With "off" it ${verbInHelp} at once; with "type" you type its name.`,
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
const readQuestions: SettingReader<QuestionStrictness> = (value, path) => {
	const fixed = operationIds().flatMap(id => {
		const reason = fixedQuestionReason(id);
		return reason === undefined ? [] : [[id, reason] as const];
	});
	return tableReader(questionSettings(), Object.fromEntries(fixed))(value, path);
};

export const noticeSettings = {
	operationEnded: {
		explanation: '"off", "bell", or "notify": a desktop notification and the bell.',
		example: '"bell"',
		read: readAnnouncementKind,
	},
	computerFailed: { explanation: '', example: '"notify"', read: readAnnouncementKind },
	creditsLow: { explanation: '', example: '"notify"', read: readAnnouncementKind },
	creditsLeft: {
		explanation: 'Credits are low when they will not last longer than this.',
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
		explanation: 'Watch only: refuse every operation that changes something.',
		example: 'true',
		read: readBoolean,
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
	},
	mouse: {
		explanation:
			'Move the cursor with the wheel and clicks. Selecting text then needs Shift or Option.',
		example: 'true',
		read: readBoolean,
	},
	lockAfter: {
		explanation:
			'Lock the monitor after this long without a key, or "never". A locked monitor changes nothing.',
		example: '"10m"',
		read: readDurationOrNever,
	},
	confirm: {
		explanation: 'The questions before an operation.',
		example: '',
		read: readQuestions,
	},
	notify: {
		explanation: 'The events that draw your attention, and how.',
		example: '',
		read: tableReader(noticeSettings),
	},
	keys: {
		explanation:
			'Other keys for an action: one key, a list, or [] for none. Esc always goes back.\n' +
			'The help (?) lists the names of the actions.',
		example: '',
		read: mapReader(readKeyNames),
	},
};

export const accountSettings = {
	url: {
		explanation: 'The address of the platform, which ends in /v1.',
		example: '"https://api.example.com/v1"',
		read: readBaseAddress,
	},
	authUrl: {
		explanation: 'The address of the identity provider, without /auth/v1/token.',
		example: '"https://id.example.com"',
		read: readAuthAddress,
	},
	anonKey: {
		explanation: 'The apikey of the identity provider.',
		example: '"the-anon-key"',
		read: readHeaderText,
	},
	email: { explanation: '', example: '"owner@example.com"', read: readNonEmptyText },
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
};

const secretRefusedText =
	'must not be stored here: use passwordCommand or the environment, or type it when asked';

const readProfile = tableReader(
	{ ...accountSettings, ...preferenceSettings },
	{
		password: secretRefusedText,
		token: secretRefusedText,
		passwd: secretRefusedText,
		secret: secretRefusedText,
	},
);

const topSettings = {
	profile: {
		explanation: 'The profile to use by default.',
		example: '"work"',
		read: readNonEmptyText,
	},
	...preferenceSettings,
	profiles: { explanation: '', example: '', read: mapReader(readProfile) },
};

export const readConfig = tableReader(topSettings, {
	password: secretRefusedText,
	token: secretRefusedText,
});

export type ConfigValues = NonNullable<ReturnType<typeof readConfig>>;
export type ProfileValues = NonNullable<ReturnType<typeof readProfile>>;

/** Returns an example configuration in which every setting is explained and commented out. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		exampleLinesOf({ profile: topSettings.profile }),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		exampleLinesOf(simple),
		`${commentFrom(notify.explanation)}#[notify]`,
		exampleLinesOf(noticeSettings),
		`${commentFrom(keys.explanation)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		'# A profile for each account, with a name of your choice. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		exampleLinesOf(accountSettings),
		`${commentFrom(confirm.explanation)}#[profiles.work.confirm]`,
		exampleLinesOf(questionSettings()),
	].join('\n');
}

function exampleLinesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { explanation, example }]) => `${commentFrom(explanation)}#${name} = ${example}\n`)
		.join('');
}

const commentFrom = (explanation: string) =>
	explanation.replace(/^(?=.)/gm, '# ') + (explanation === '' ? '' : '\n');
