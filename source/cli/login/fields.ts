import { accountSecrets, accountSettings } from '../../accounts/account-setting-table.ts';
import {
	type CheckedAddress,
	checkedAuthAddress,
	checkedBaseAddress,
	isHeaderText,
} from '../../accounts/setting-values.ts';

/** The answers that a sign-in needs, in the order of the questions. */
export const loginFields = ['url', 'authUrl', 'anonKey', 'email', 'password'] as const;

export type LoginField = (typeof loginFields)[number];

export type LoginAnswers = Record<LoginField, string>;

type LoginFieldRow = {
	label: string;
	/** The name of the field as the subject of a sentence, such as "The base URL". */
	subject: string;
	/**
	 * The command line option that sets the field. Secrets have none, because other users can see the
	 * arguments of a process.
	 */
	option?: string;
	variable: string;
	isHidden: boolean;
	/** Returns the normalized answer, or the reason why the answer is invalid. */
	check: (text: string) => CheckedAddress;
};

const checkFilled = (text: string): CheckedAddress =>
	text === '' ? { problem: 'is required' } : { value: text };

const checkEmail = (text: string): CheckedAddress =>
	/^[^\s@]+@[^\s@]+$/.test(text)
		? { value: text }
		: { problem: 'must be an address such as owner@example.com' };

const checkAnonKey = (text: string): CheckedAddress =>
	isHeaderText(text)
		? { value: text }
		: { problem: 'must not contain spaces or control characters' };

export const loginFieldRows: Readonly<Record<LoginField, LoginFieldRow>> = {
	url: {
		label: 'Base URL, ends in /v1',
		subject: 'The base URL',
		option: 'url',
		variable: accountSettings.url.variable,
		isHidden: false,
		check: text => checkedBaseAddress(text.trim()),
	},
	authUrl: {
		label: 'Identity URL',
		subject: 'The identity URL',
		option: 'auth-url',
		variable: accountSettings.authUrl.variable,
		isHidden: false,
		check: text => checkedAuthAddress(text.trim()),
	},
	anonKey: {
		label: 'Anon key',
		subject: 'The anon key',
		variable: accountSettings.anonKey.variable,
		isHidden: true,
		check: text => checkAnonKey(text.trim()),
	},
	email: {
		label: 'E-mail',
		subject: 'The e-mail',
		option: 'email',
		variable: accountSettings.email.variable,
		isHidden: false,
		check: text => checkEmail(text.trim()),
	},
	password: {
		label: 'Password',
		subject: 'The password',
		variable: accountSecrets.password.variable,
		isHidden: true,
		check: checkFilled,
	},
};
