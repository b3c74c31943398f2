import { type CheckedAddress, checkedAuthAddress, checkedBaseAddress } from './checked-address.ts';
import type { Problem } from './setting-reader.ts';
import { isHeaderText } from './setting-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says about the account. Secrets are functions, so that nothing prints them. */
export type EnvironmentAccount = {
	url?: string;
	authUrl?: string;
	anonKey?: string;
	email?: string;
	password?: () => string;
	token?: () => string;
};

export const variables = {
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
	// What is set to nothing is not set.
	const given = (name: keyof typeof variables) => environment[variables[name]] || undefined;
	const checked = (name: keyof typeof variables, check: (text: string) => CheckedAddress) => {
		const text = given(name);
		if (text === undefined) return undefined;
		const { value, wrong } = check(text.trim());
		if (value === undefined) problems.push({ message: `${variables[name]} ${wrong}` });
		return value;
	};
	const headerText = (name: keyof typeof variables) => {
		const text = given(name)?.trim();
		if (text === undefined || isHeaderText(text)) return text;
		problems.push({ message: `${variables[name]} has characters in it that it cannot have` });
		return undefined;
	};
	const url = checked('url', checkedBaseAddress);
	const authUrl = checked('authUrl', checkedAuthAddress);
	const anonKey = headerText('anonKey');
	const email = given('email')?.trim();
	const password = given('password');
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

const secrets: readonly string[] = [variables.anonKey, variables.password, variables.token];

/** For a child process: what one of them printed or kept would be out of our hands. */
export function withoutSecrets(environment: Environment): Environment {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => !secrets.includes(name)),
	);
}
