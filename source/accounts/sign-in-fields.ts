import * as v from 'valibot';
import { uncapitalized } from '../foundation/letter-case.ts';
import {
	authAddress,
	baseAddress,
	isHeaderText,
	isProfileName,
	profileNameRule,
} from './setting-values.ts';

export const loginFields = ['url', 'authUrl', 'anonKey', 'email', 'password'] as const;

export type LoginField = (typeof loginFields)[number];

type SignInFieldRow = {
	label: string;
	hint: string;
	/** Secrets have none: others can see the arguments of a process. */
	option?: string;
	isSecret?: true;
	/** Absent if every way uses the field. */
	way?: 'password' | 'token';
	answer: v.GenericSchema<string, string>;
};

const trimmed = v.pipe(v.string(), v.trim());

const keyText = v.pipe(
	trimmed,
	v.nonEmpty('is required'),
	v.check(isHeaderText, 'must not contain spaces or control characters'),
);

const withVersion = v.pipe(
	v.string(),
	v.transform(text => `${text.trim().replace(/\/+$/, '')}/v1`),
	baseAddress,
);

const rows = {
	url: {
		label: 'Base URL',
		hint: 'The address of the API in its documentation, such as https://api.example.com/v1',
		option: 'url',
		answer: v.union([baseAddress, withVersion], ({ issues = [] }) => String(issues[0]?.message)),
	},
	way: {
		label: 'Sign in with',
		hint: 'Space chooses between a password and a token that you already have',
		answer: v.picklist(['password', 'token'], 'is password or token'),
	},
	authUrl: {
		label: 'Identity URL',
		hint: 'The server that signs you in: the part before /auth/v1/token',
		option: 'auth-url',
		way: 'password',
		answer: authAddress,
	},
	anonKey: {
		label: 'Anon key',
		hint: 'The public key that the web page sends as "apikey" when it signs in',
		isSecret: true,
		way: 'password',
		answer: keyText,
	},
	email: {
		label: 'E-mail',
		hint: 'The address with which you sign in on the web page',
		option: 'email',
		way: 'password',
		answer: v.pipe(
			trimmed,
			v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an address such as owner@example.com'),
		),
	},
	password: {
		label: 'Password',
		hint: 'Sent to the identity URL once, and never stored',
		isSecret: true,
		way: 'password',
		answer: v.pipe(v.string(), v.nonEmpty('is required')),
	},
	token: {
		label: 'Token',
		hint: 'A Bearer token. It is not saved: set CROWSNEST_TOKEN for later starts',
		isSecret: true,
		way: 'token',
		answer: keyText,
	},
	profile: {
		label: 'Name',
		hint: 'Your name for this account, which the header shows, such as work',
		answer: v.pipe(trimmed, v.check(isProfileName, profileNameRule)),
	},
} satisfies Readonly<Record<string, SignInFieldRow>>;

export type SignInField = keyof typeof rows;

export type SignInAnswers = Readonly<Record<SignInField, string>>;

export const signInFieldRows: Readonly<Record<SignInField, SignInFieldRow>> = rows;

export const signInFields = Object.keys(rows) as readonly SignInField[];

type CheckedAnswer =
	| { value: string; problem?: never; note: string | undefined }
	| { value?: never; problem: string; note?: never };

export function checkedAnswer(field: SignInField, text: string): CheckedAnswer {
	const { success, output, issues } = v.safeParse(signInFieldRows[field].answer, text);
	if (!success) return { problem: issues[0].message };
	const isCompleted = field === 'url' && !v.is(baseAddress, text);
	return { value: output, note: isCompleted ? 'Added /v1 to the base URL' : undefined };
}

export function labelInSentence(field: SignInField): string {
	const { label } = rows[field];
	return `The ${uncapitalized(label)}`;
}

export const fieldsOfWay = (way: string): readonly SignInField[] =>
	signInFields.filter(field => (signInFieldRows[field].way ?? way) === way);
