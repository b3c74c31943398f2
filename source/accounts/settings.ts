import * as v from 'valibot';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { QuestionStrictness } from '../fleet/operations/operation-row.ts';
import { operationIds, operationRowOf } from '../fleet/operations/operation-table.ts';
import { readShareNames } from '../fleet/reads.ts';
import { contrastOn, minContrast, type OwnColours } from '../lines/theme.ts';
import { keyNames } from './key-spelling.ts';
import {
	anyText,
	authAddress,
	baseAddress,
	colour,
	count,
	duration,
	headerText,
	isTable,
	mapOf,
	oneOf,
	onOff,
	passwordCommand,
	profileNames,
	setting,
	shortName,
	type TableValues,
	tableOf,
	text,
	wordList,
} from './setting-values.ts';

export const accountSettings = {
	url: setting(
		baseAddress,
		'"https://api.example.com/v1"',
		'The address of the platform, which ends in /v1.',
	),
	authUrl: setting(
		authAddress,
		'"https://id.example.com"',
		'The address of the identity provider, without /auth/v1/token.',
	),
	anonKey: setting(headerText, '"the-anon-key"', 'The apikey of the identity provider.'),
	email: setting(text, '"owner@example.com"'),
	passwordCommand: setting(
		passwordCommand,
		'["pass", "show", "fleet"]',
		'A command that prints the password. It runs without a shell, or with one: { shell = "…" }.\n' +
			'Without this command, crowsnest asks for the password when needed. It is never stored.',
	),
	passwordTimeout: setting(duration, '"30s"', 'The time limit of the passwordCommand.'),
};

export const accountVariables = {
	url: { name: 'CROWSNEST_URL', schema: accountSettings.url },
	authUrl: { name: 'CROWSNEST_AUTH_URL', schema: accountSettings.authUrl },
	anonKey: { name: 'CROWSNEST_ANON_KEY', schema: accountSettings.anonKey },
	email: { name: 'CROWSNEST_EMAIL', schema: accountSettings.email },
	password: { name: 'CROWSNEST_PASSWORD', schema: anyText },
	token: { name: 'CROWSNEST_TOKEN', schema: headerText },
} as const;

export const profileVariable = 'CROWSNEST_PROFILE';

export const announcementKinds = ['off', 'bell', 'notify'] as const;

const announcement = oneOf(...announcementKinds);

export const noticeSettings = {
	operationEnded: setting(
		announcement,
		'"bell"',
		'"off", "bell", or "notify": a desktop notification and the bell.',
	),
	computerFailed: setting(announcement, '"notify"'),
	creditsLow: setting(announcement, '"notify"'),
	creditsLeft: setting(
		duration,
		'"1d"',
		'Credits are low when they will not last longer than this.',
	),
};

type Notices = Required<TableValues<typeof noticeSettings>>;

export type Notice = Exclude<keyof Notices, 'creditsLeft'>;

export const defaultNotices: Notices = {
	operationEnded: 'bell',
	computerFailed: 'notify',
	creditsLow: 'notify',
	creditsLeft: 86_400_000,
};

function questionRows() {
	const isOptional = (id: OperationId) => operationRowOf(id).mayBeUnasked;
	const optional = operationIds().filter(isOptional);
	const stricter = operationIds().filter(id => !isOptional(id));
	const optionalText = (id: OperationId) =>
		`What the key asks for before it ${operationRowOf(id).verbInHelp} up to five computers: "ask" for y, "wait" for y and waits 4 s, "type" for the name and waits 4 s, "off" for nothing.`;
	const stricterText =
		'The other operations can only be made stricter: "ask" < "wait" (y, then 4 s in which Esc cancels) < "type".';
	return Object.fromEntries([
		...optional.map(id => [
			id,
			setting(oneOf('off', 'ask', 'wait', 'type'), '"off"', optionalText(id)),
		]),
		...stricter.map((id, index) => [
			id,
			setting(oneOf('ask', 'wait', 'type'), '"type"', index === 0 ? stricterText : ''),
		]),
	]);
}

export const questionSettings = questionRows();

export const preferenceSettings = {
	readOnly: setting(onOff, 'true', 'Watch only: refuse every operation that changes something.'),
	colour: setting(
		colour,
		'"red"',
		'The colour of the header: red, yellow, green, blue, magenta, cyan, white, grey or "#rrggbb".',
	),
	glyphs: setting(
		oneOf('unicode', 'ascii'),
		'"ascii"',
		'Draw symbols and lines with "unicode" or "ascii". By default, this depends on the terminal.',
	),
	columns: setting(
		wordList('must be a list of words, such as ["name", "status"]'),
		'["name", "status", "stage", "version", "uptime", "seen"]',
		'The columns of the fleet, from left to right, until you choose others on screen (C).',
	),
	screenReader: setting(
		onOff,
		'true',
		'Print everything as lines of plain text, for a screen reader or a braille display.',
	),
	mouse: setting(
		onOff,
		'true',
		'Move the cursor with the wheel and clicks. Selecting text then needs Shift or Option.',
	),
	share: setting(
		oneOf(...readShareNames),
		'"half"',
		'The largest part of the rate limits that crowsnest spends by itself: "full", "half" or "quarter". It never\n' +
			'spends more than half while nothing is under way, and a quarter while nobody watches.',
	),
	alone: setting(
		onOff,
		'true',
		'Poll for this process only. By default, one process on this machine polls an account, and all others, also\n' +
			'commands such as list, get their data from it.',
	),
	lockAfter: setting(
		v.union([
			v.pipe(
				v.literal('never'),
				v.transform(() => Number.POSITIVE_INFINITY),
			),
			duration,
		]),
		'"10m"',
		'Lock the monitor after this long without a key. While it is locked, no key can change a computer.',
	),
};

const background = oneOf('dark', 'light');

const colourSettings = {
	accent: setting(colour, '"#5fd7d7"', 'What keys and choices stand out with.'),
	faint: setting(colour, '"#8a8a8a"', 'What matters less.'),
	good: setting(colour, '"green"', 'What runs, and what went well.'),
	busy: setting(colour, '"#d7af00"', 'What changes or needs attention.'),
	bad: setting(colour, '"#ff5f5f"', 'What has failed.'),
	mark: setting(colour, '"magenta"', 'The marks in the table.'),
	usual: setting(colour, '"#5faf5f"', 'In the map: a computer as usual.'),
	idle: setting(colour, '"#6c6c6c"', 'In the map: a computer at rest.'),
	old: setting(colour, '"#af87af"', 'In the map: old data.'),
	doubt: setting(colour, '"#87afff"', 'In the map: an unknown status.'),
	here: setting(colour, '"#ffffff"', 'In the map: the cell under the cursor.'),
} satisfies Record<keyof OwnColours, v.GenericSchema>;

export const themeSettings = {
	background: setting(
		background,
		'"dark"',
		'Colours for a "dark" or a "light" background. By default, crowsnest asks the terminal.',
	),
	...colourSettings,
};

/** Refuses a colour that is hard to see, on either background if none is set. */
const themeTable = v.pipe(
	tableOf(themeSettings),
	v.rawCheck(({ dataset, addIssue }) => {
		if (!dataset.typed) return;
		const { background, ...colours } = dataset.value;
		for (const [key, value] of Object.entries(colours)) {
			const where = background ? [background] : (['dark', 'light'] as const);
			const hidden = where.find(each => contrastOn(each, value) < minContrast);
			if (hidden === undefined) continue;
			const advice = background
				? ''
				: `, or set theme.background if yours is always ${hidden === 'dark' ? 'light' : 'dark'}`;
			const contrast = contrastOn(hidden, value).toFixed(1);
			const message = `is hard to see on a ${hidden} background: its contrast is ${contrast}:1; choose a colour with at least ${minContrast}:1${advice}`;
			addIssue({
				message,
				path: [{ type: 'object', origin: 'value', input: colours, key, value }],
			});
		}
	}),
);
const argument = v.pipe(text, v.regex(/^[^-]/, 'must not begin with "-"'));

export const sshSettings = {
	user: setting(argument, '"root"', 'The user on the computers.'),
	port: setting(count, '2222', 'The port of their ssh servers.'),
	key: setting(argument, '"~/.ssh/fleet"', 'The file of the key.'),
	jump: setting(argument, '"me@bastion.example.com"', 'The host through which they are reached.'),
};

export const sshOptionsFrom = ({ user, port, key, jump }: TableValues<typeof sshSettings>) => [
	...(user ? ['-l', user] : []),
	...(port ? ['-p', String(port)] : []),
	...(key ? ['-i', key] : []),
	...(jump ? ['-J', jump] : []),
];

export const preferenceTables = {
	theme: setting(
		v.lazy(
			(input): v.GenericSchema<unknown, TableValues<typeof themeSettings>> =>
				isTable(input)
					? themeTable
					: v.pipe(
							background,
							v.transform(chosen => ({ background: chosen })),
						),
		),
		'',
		'Your own colours: red, yellow, green, blue, magenta, cyan, white, grey or "#rrggbb". theme = "light" in place of\n' +
			'this table sets the background only.',
	),
	confirm: setting(
		tableOf(questionSettings) as v.GenericSchema<unknown, QuestionStrictness>,
		'',
		'The questions before an operation.',
	),
	notify: setting(tableOf(noticeSettings), '', 'The events that draw your attention, and how.'),
	ssh: setting(
		tableOf(sshSettings),
		'',
		'How ! opens a shell on a computer. Without this table, only where its address is public.',
	),
	keys: setting(
		v.pipe(
			mapOf(keyNames),
			v.transform(byAction => Array.from(byAction, ([action, keys]) => ({ action, keys }))),
		),
		'',
		'Other keys for an action: one key, a list, or [] for none. Esc always goes back.\n' +
			'The help (?) lists the names of the actions.',
	),
};

const allPreferences = { ...preferenceSettings, ...preferenceTables };

const defaults = {
	readOnly: false,
	screenReader: false,
	mouse: false,
	share: 'full',
	alone: false,
	lockAfter: Number.POSITIVE_INFINITY,
} as const;

type Layer = TableValues<typeof allPreferences>;

type WithDefault = keyof typeof defaults | 'theme' | 'confirm' | 'keys';

export type Preferences = Required<Pick<Layer, WithDefault>> &
	Omit<Layer, WithDefault | 'notify'> & { notify: Notices };

/** The last layer that has a setting wins. */
export function preferencesFrom(layers: readonly Layer[]): Preferences {
	const names = Object.keys(preferenceSettings) as (keyof typeof preferenceSettings)[];
	const usual: Layer = defaults;
	const last = (name: keyof Layer) =>
		layers.findLast(layer => layer[name] !== undefined)?.[name] ?? usual[name];
	const keys = layers.flatMap(layer => layer.keys ?? []);
	const ssh = layers.flatMap(layer => layer.ssh ?? []);
	return {
		...(Object.fromEntries(names.map(name => [name, last(name)])) as Omit<
			Preferences,
			keyof typeof preferenceTables
		>),
		theme: Object.assign({}, ...layers.map(({ theme }) => theme)),
		confirm: Object.assign({}, ...layers.map(({ confirm }) => confirm)),
		notify: Object.assign({}, defaultNotices, ...layers.map(({ notify }) => notify)),
		ssh: ssh.length === 0 ? undefined : Object.assign({}, ...ssh),
		keys: [...new Map(keys.map(override => [override.action, override])).values()],
	};
}

export const profileSettings = {
	short: setting(
		shortName,
		'"wk"',
		'The name of the profile in the column ACCOUNT, at most 8 characters. By default, the\n' +
			'name of the profile is cut.',
	),
	production: setting(
		onOff,
		'true',
		'Whether a person who types a confirmation must type the name of the profile, too.',
	),
	signIn: setting(
		oneOf('password', 'token'),
		'"token"',
		'How the profile signs in: with a password, or with the token that `crowsnest login --token`\n' +
			'has stored.',
	),
};

export const programSettings = {
	profile: setting(
		profileNames,
		'"work"',
		'The profiles to open by default: one name, or several as in ["work", "lab"].',
	),
	maxRequestsPerMinute: setting(
		count,
		'60',
		'The most requests per minute that all accounts, panes and commands of this machine may send\n' +
			'together, for a platform that counts requests by IP address. By default, each account has\n' +
			'only its own limits.',
	),
};

const secretRefusedText =
	'must not be stored here: use passwordCommand or the environment, or type it when asked';

const profileRows = { ...accountSettings, ...profileSettings, ...allPreferences };

export type ProfileValues = TableValues<typeof profileRows>;

const profile = tableOf(profileRows, {
	password: secretRefusedText,
	token: secretRefusedText,
	passwd: secretRefusedText,
	secret: secretRefusedText,
	maxRequestsPerMinute: 'applies to all accounts together: set it at the top of the file',
	hooks: 'apply to all accounts together: write [[hooks]]',
});

const belongsInProfileText = 'belongs in a profile, below a line such as [profiles.work]';

/** Own commands and hooks are read separately, because a mistake there must not spoil the rest. */
export const configSchema = tableOf(
	{
		...programSettings,
		...allPreferences,
		commands: v.unknown(),
		hooks: v.unknown(),
		profiles: v.pipe(
			v.unknown(),
			// A list here is probably meant as a choice of profiles.
			v.check(
				value => !Array.isArray(value),
				'must be a table; the profiles to open are set as in profile = ["work", "lab"]',
			),
			mapOf(profile),
		),
	},
	{
		password: secretRefusedText,
		token: secretRefusedText,
		short: belongsInProfileText,
		production: belongsInProfileText,
	},
);

export type ConfigValues = v.InferOutput<typeof configSchema>;
