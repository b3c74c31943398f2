import { type Checked, checkedAuthAddress, checkedBaseAddress } from '../accounts/address.ts';
import { isHeaderText } from '../accounts/setting-values.ts';

/** What a sign-in is made of, in the order in which it is asked for. */
export const fields = ['url', 'authUrl', 'anonKey', 'email', 'password'] as const;

export type Field = (typeof fields)[number];

export type Answers = Record<Field, string>;

type FieldRow = {
	label: string;
	/** The option of the command line, for what may be seen there. */
	option?: string;
	variable: string;
	isHidden: boolean;
	/** The answer as it is used, or what is wrong with it. */
	check: (text: string) => Checked;
};

const filled = (text: string): Checked => (text === '' ? { wrong: 'is needed' } : { value: text });

const key = (text: string): Checked =>
	isHeaderText(text) ? { value: text } : { wrong: 'must be letters and signs without spaces' };

export const fieldRows: Readonly<Record<Field, FieldRow>> = {
	url: {
		label: 'Base URL, ends in /v1',
		option: 'url',
		variable: 'CROWSNEST_URL',
		isHidden: false,
		check: text => checkedBaseAddress(text.trim()),
	},
	authUrl: {
		label: 'Identity URL',
		option: 'auth-url',
		variable: 'CROWSNEST_AUTH_URL',
		isHidden: false,
		check: text => checkedAuthAddress(text.trim()),
	},
	anonKey: {
		label: 'Anon key',
		variable: 'CROWSNEST_ANON_KEY',
		isHidden: true,
		check: text => key(text.trim()),
	},
	email: {
		label: 'E-mail',
		option: 'email',
		variable: 'CROWSNEST_EMAIL',
		isHidden: false,
		check: text => filled(text.trim()),
	},
	password: { label: 'Password', variable: 'CROWSNEST_PASSWORD', isHidden: true, check: filled },
};
