import { type CheckedAddress, checkedAuthAddress, checkedBaseAddress } from './checked-address.ts';
import type { Problem } from './setting-reader.ts';
import { isHeaderText } from './setting-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The account settings in the environment. Secrets are functions, so that printing these values never prints a
 * secret.
 */
export type EnvironmentAccount = {
	url?: string;
	authUrl?: string;
	anonKey?: string;
	email?: string;
	password?: () => string;
	token?: () => string;
};

export const variableNames = {
	profile: 'CROWSNEST_PROFILE',
	url: 'CROWSNEST_URL',
	authUrl: 'CROWSNEST_AUTH_URL',
	anonKey: 'CROWSNEST_ANON_KEY',
	email: 'CROWSNEST_EMAIL',
	password: 'CROWSNEST_PASSWORD',
	token: 'CROWSNEST_TOKEN',
} as const;

export function accountFromEnvironment(environment: Environment): {
	account: EnvironmentAccount;
	problems: readonly Problem[];
} {
	const problems: Problem[] = [];
	// A variable that contains the empty string counts as unset.
	const variableText = (name: keyof typeof variableNames) =>
		environment[variableNames[name]] || undefined;
	const checkedAddress = (
		name: keyof typeof variableNames,
		check: (text: string) => CheckedAddress,
	) => {
		const text = variableText(name);
		if (text === undefined) return undefined;
		const { value, problem: wrong } = check(text.trim());
		if (value === undefined) problems.push({ message: `${variableNames[name]} ${wrong}` });
		return value;
	};
	const headerText = (name: keyof typeof variableNames) => {
		const text = variableText(name)?.trim();
		if (text === undefined || isHeaderText(text)) return text;
		problems.push({ message: `${variableNames[name]} contains characters that are not allowed` });
		return undefined;
	};
	const url = checkedAddress('url', checkedBaseAddress);
	const authUrl = checkedAddress('authUrl', checkedAuthAddress);
	const anonKey = headerText('anonKey');
	const email = variableText('email')?.trim();
	const password = variableText('password');
	const token = headerText('token');
	const account = {
		...(url && { url }),
		...(authUrl && { authUrl }),
		...(anonKey && { anonKey }),
		...(email && { email }),
		...(password && { password: () => password }),
		...(token && { token: () => token }),
	};
	return { account, problems };
}

const secretVariableNames: readonly string[] = [
	variableNames.anonKey,
	variableNames.password,
	variableNames.token,
];

/**
 * Returns the environment for a child process, without secrets, so that the child cannot print or store one.
 */
export function withoutSecrets(environment: Environment): Environment {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => !secretVariableNames.includes(name)),
	);
}
