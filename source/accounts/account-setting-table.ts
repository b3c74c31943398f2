import type { Setting } from './setting-reader.ts';
import {
	readAuthAddress,
	readBaseAddress,
	readDuration,
	readHeaderText,
	readNonEmptyText,
	readPasswordCommand,
	readText,
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
