import type { Simulator } from '../../source/simulator/simulator.ts';

/** The environment that names the account of a simulator. */
export const environmentOf = ({ baseUrl, authUrl, anonKey, email, password }: Simulator) => ({
	CROWSNEST_URL: baseUrl,
	CROWSNEST_AUTH_URL: authUrl,
	CROWSNEST_ANON_KEY: anonKey,
	CROWSNEST_EMAIL: email,
	CROWSNEST_PASSWORD: password,
});

type Account = Pick<Simulator, 'baseUrl' | 'authUrl' | 'anonKey' | 'email'>;

/** The table of a profile in the configuration, which other lines may follow. */
export const profileTable = (name: string, { baseUrl, authUrl, anonKey, email }: Account) =>
	`[profiles.${name}]\nurl = "${baseUrl}"\nauthUrl = "${authUrl}"\nanonKey = "${anonKey}"\nemail = "${email}"\n`;
