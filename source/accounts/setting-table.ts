import { keyNames } from './key-spelling.ts';
import { type SettingTable, tableOf, tableOfEach } from './setting-reader.ts';
import {
	authAddress,
	baseAddress,
	boolean,
	colour,
	duration,
	durationOrNever,
	headerText,
	nonEmptyText,
	oneOf,
	passwordCommand,
	wordList,
} from './setting-values.ts';

const attentionLevel = oneOf('off', 'bell', 'notify');
const askOrType = oneOf('ask', 'type');

export const questionSettings = {
	start: {
		about: 'Starting asks y/n; "off" starts at once, "type" wants the name typed.',
		example: '"off"',
		read: oneOf('off', 'ask', 'type'),
	},
	stop: { about: 'The others can only be made stricter.', example: '"type"', read: askOrType },
	restart: { about: '', example: '"type"', read: askOrType },
	update: { about: '', example: '"type"', read: askOrType },
	publish: { about: '', example: '"type"', read: askOrType },
	unpublish: { about: '', example: '"type"', read: askOrType },
};

export const noticeSettings = {
	operationEnded: {
		about: '"off", "bell", or "notify", which rings the bell too.',
		example: '"bell"',
		read: attentionLevel,
	},
	computerFailed: { about: '', example: '"notify"', read: attentionLevel },
	creditsLow: { about: '', example: '"notify"', read: attentionLevel },
	creditsLeft: {
		about: 'Credits are low when they last no longer than this.',
		example: '"1d"',
		read: duration,
	},
};

/** What may stand at the top, for all profiles, and in a profile, where it counts more. */
export const preferenceSettings = {
	readOnly: {
		about: 'Watch only: refuse whatever would change anything.',
		example: 'true',
		read: boolean,
	},
	colour: {
		about: 'Of the header: red, yellow, green, blue, magenta, cyan, white, grey or "#rrggbb".',
		example: '"red"',
		read: colour,
	},
	theme: {
		about: 'For a "dark" or a "light" background; without it the terminal is asked for its own.',
		example: '"light"',
		read: oneOf('dark', 'light'),
	},
	glyphs: {
		about:
			'What signs and lines are made of: "unicode" or "ascii", whatever the terminal seems to show.',
		example: '"ascii"',
		read: oneOf('unicode', 'ascii'),
	},
	columns: {
		about: 'Of the fleet, from left to right, until others are chosen on screen (C).',
		example: '["name", "status", "stage", "version", "uptime", "seen"]',
		read: wordList,
	},
	screenReader: {
		about: 'Tell everything in lines of plain words, for a screen reader or a braille line.',
		example: 'true',
		read: boolean,
	},
	mouse: {
		about: 'Let wheel and clicks move the cursor; selecting text then needs Shift, or Option.',
		example: 'true',
		read: boolean,
	},
	lockAfter: {
		about: 'Without a key for that long, ask to unlock before changing anything; or "never".',
		example: '"10m"',
		read: durationOrNever,
	},
	confirm: {
		about: 'Which questions are asked before something is done.',
		example: '',
		read: tableOf(questionSettings, {
			delete: 'always wants the name typed; that cannot be changed',
			create: 'always asks; that cannot be changed',
		}),
	},
	notify: {
		about: 'What draws attention, and how.',
		example: '',
		read: tableOf(noticeSettings),
	},
	keys: {
		about:
			'Other keys for an action: one, a list, or [] for none; Esc always goes back.\n' +
			'The help (?) names the actions.',
		example: '',
		read: tableOfEach(keyNames),
	},
};

export const accountSettings = {
	url: {
		about: 'Where the platform answers. It ends in /v1.',
		example: '"https://api.example.com/v1"',
		read: baseAddress,
	},
	authUrl: {
		about: 'Where the identity provider answers, without /auth/v1/token.',
		example: '"https://id.example.com"',
		read: authAddress,
	},
	anonKey: {
		about: 'What the identity provider calls apikey.',
		example: '"the-anon-key"',
		read: headerText,
	},
	email: { about: '', example: '"owner@example.com"', read: nonEmptyText },
	passwordCommand: {
		about:
			'Prints the password. It is run as it stands; { shell = "…" } lets a shell run it.\n' +
			'Without it, the password is asked for when it is needed. It is never kept.',
		example: '["pass", "show", "fleet"]',
		read: passwordCommand,
	},
	passwordTimeout: {
		about: 'How long that may take.',
		example: '"30s"',
		read: duration,
	},
};

const noSecretsHere =
	'is not kept here: use passwordCommand, the environment, or type it when asked';

const profile = tableOf(
	{ ...accountSettings, ...preferenceSettings },
	{ password: noSecretsHere, token: noSecretsHere, passwd: noSecretsHere, secret: noSecretsHere },
);

export const topSettings = {
	profile: {
		about: 'The profile that is used when none is named.',
		example: '"work"',
		read: nonEmptyText,
	},
	...preferenceSettings,
	profiles: { about: '', example: '', read: tableOfEach(profile) },
};

export const readConfig = tableOf(topSettings, { password: noSecretsHere, token: noSecretsHere });

export type ConfigValues = NonNullable<ReturnType<typeof readConfig>>;
export type ProfileValues = NonNullable<ReturnType<typeof profile>>;

/** A configuration with every setting in it, explained and switched off. Made from the table. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Take the # away before a setting to use it.',
		'# What a flag or the environment says counts more than what stands here.\n',
		linesOf({ profile: topSettings.profile }),
		'# What follows may stand here, for all profiles, or in one of them, where it counts more.\n',
		linesOf(simple),
		`${explained(notify.about)}#[notify]`,
		linesOf(noticeSettings),
		`${explained(keys.about)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		'# One for each account, under a name of your own. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		linesOf(accountSettings),
		`${explained(confirm.about)}#[profiles.work.confirm]`,
		linesOf(questionSettings),
	].join('\n');
}

function linesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { about, example }]) => `${explained(about)}#${name} = ${example}\n`)
		.join('');
}

const explained = (about: string) => about.replace(/^(?=.)/gm, '# ') + (about === '' ? '' : '\n');
