import {
	type CheckedAddress,
	checkedAuthAddress,
	checkedBaseAddress,
	isHeaderText,
	isProfileName,
	profileNameRule,
} from './setting-values.ts';

type SignInWay = 'password' | 'token';

export const loginFields = ['url', 'authUrl', 'anonKey', 'email', 'password'] as const;

export type LoginField = (typeof loginFields)[number];

type CheckedAnswer = CheckedAddress & { note?: string };

type SignInFieldRow = {
	label: string;
	hint: string;
	/** Secrets have none, because others can see the arguments of a process. */
	option?: string;
	isSecret?: true;
	/** The only way to sign in that uses the field; absent if every way uses it. */
	way?: SignInWay;
	check: (text: string) => CheckedAnswer;
};

const checkEmail = (text: string): CheckedAnswer =>
	/^[^\s@]+@[^\s@]+$/.test(text)
		? { value: text }
		: { problem: 'must be an address such as owner@example.com' };

const checkHeaderText = (text: string): CheckedAnswer =>
	isHeaderText(text)
		? { value: text }
		: { problem: text === '' ? 'is required' : 'must not contain spaces or control characters' };

function checkBaseUrl(text: string): CheckedAnswer {
	const checked = checkedBaseAddress(text);
	const withVersion = checkedBaseAddress(`${text.replace(/\/+$/, '')}/v1`);
	if (checked.value !== undefined || withVersion.value === undefined) return checked;
	return { ...withVersion, note: 'Added /v1 to the base URL' };
}

const rows = {
	url: {
		label: 'Base URL',
		hint: 'The address of the API in its documentation, such as https://api.example.com/v1',
		option: 'url',
		check: text => checkBaseUrl(text.trim()),
	},
	way: {
		label: 'Sign in with',
		hint: 'Space chooses between a password and a token that you already have',
		check: text =>
			text === 'password' || text === 'token'
				? { value: text }
				: { problem: 'is password or token' },
	},
	authUrl: {
		label: 'Identity URL',
		hint: 'The server that signs you in: the part before /auth/v1/token',
		option: 'auth-url',
		way: 'password',
		check: text => checkedAuthAddress(text.trim()),
	},
	anonKey: {
		label: 'Anon key',
		hint: 'The public key that the web page sends as "apikey" when it signs in',
		isSecret: true,
		way: 'password',
		check: text => checkHeaderText(text.trim()),
	},
	email: {
		label: 'E-mail',
		hint: 'The address with which you sign in on the web page',
		option: 'email',
		way: 'password',
		check: text => checkEmail(text.trim()),
	},
	password: {
		label: 'Password',
		hint: 'Sent to the identity URL once, and never stored',
		isSecret: true,
		way: 'password',
		check: text => (text === '' ? { problem: 'is required' } : { value: text }),
	},
	token: {
		label: 'Token',
		hint: 'A Bearer token. It is not saved: set CROWSNEST_TOKEN for later starts',
		isSecret: true,
		way: 'token',
		check: text => checkHeaderText(text.trim()),
	},
	profile: {
		label: 'Name',
		hint: 'Your name for this account, which the header shows, such as work',
		check: text =>
			isProfileName(text.trim()) ? { value: text.trim() } : { problem: profileNameRule },
	},
} satisfies Readonly<Record<string, SignInFieldRow>>;

export type SignInField = keyof typeof rows;

export type SignInAnswers = Readonly<Record<SignInField, string>>;

export const signInFieldRows: Readonly<Record<SignInField, SignInFieldRow>> = rows;

export const signInFields = Object.keys(rows) as readonly SignInField[];

/** Such as `The base URL`. */
export function subjectOf(field: SignInField): string {
	const { label } = rows[field];
	return `The ${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}

export const fieldsOfWay = (way: string): readonly SignInField[] =>
	signInFields.filter(field => (signInFieldRows[field].way ?? way) === way);
