import { onTestFinished } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import type { AccountProfile } from '../../source/fleet/computers/account.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import {
	createSharedParts,
	openSession,
	type SessionOptions,
} from '../../source/session/session.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { profileOf } from '../opened-account.ts';
import { typedOnceForgotten } from '../typed-password.ts';
import { openOnScreen, operationRequestsOf, partsOf, type ScreenOptions } from './monitor.ts';
import { fetchAt } from './scene.ts';

type AccountOptions = Partial<SimulatorOptions> &
	Partial<Pick<AccountProfile, 'isReadOnly' | 'isProduction'>>;

type SeveralAccountsOptions = ScreenOptions & {
	/** The options of each account, by the name of its profile. */
	accounts?: Readonly<Record<string, AccountOptions>>;
};

/**
 * Opens the monitor with several accounts, each on a platform of its own. The platforms have computers with the same
 * ids and names, unless their options say otherwise.
 */
export async function openSeveralAccounts(options: SeveralAccountsOptions = {}) {
	const { accounts = { work: {}, lab: {} }, ...screenOptions } = options;
	const clock = createHeldClock();
	const requests = createActivity();
	const host = { clock, msSinceBoot: clock.now, random: () => 0.5, activity: requests };
	const shared = createSharedParts(host, {});
	const opened = await Promise.all(
		Object.entries(accounts).map(async ([name, options]) => {
			const { isReadOnly = false, isProduction = false, ...own } = options;
			const simulator = await createSimulator({ clock, computers: 4, ...own });
			const { anonKey, email, password } = simulator;
			const passwordRequest = createPasswordRequest({ profile: name, email, host: 'id.example' });
			const typed = typedOnceForgotten(async () => password, passwordRequest);
			const authUrl = `https://${name}.example`;
			const account: SessionOptions = {
				profile: profileOf(name, { account: `key of ${name}`, isReadOnly, isProduction }),
				baseUrl: `${authUrl}/v1`,
				fetch: fetchAt(authUrl, simulator.authUrl),
				credentials: { kind: 'password', authUrl, anonKey, email, ...typed },
				passwordRequest,
				commandOptions: ['--profile', name],
			};
			return { name, simulator, session: openSession(host, account, shared) };
		}),
	);
	const [first, ...others] = opened.map(({ session }) => session);
	if (!first) throw new Error('no account');
	onTestFinished(async () => {
		shared.operations.quit();
		for (const { session, simulator } of opened) {
			await session.close();
			await simulator.close();
		}
	});
	const onScreen = await openOnScreen(
		screenOptions,
		{ sessions: createSessionTable([first, ...others]) },
		partsOf(
			{ clock, requests },
			opened.map(({ simulator }) => simulator),
		),
	);
	const platformOf = (name: string) => {
		const found = opened.find(each => each.name === name);
		if (!found) throw new Error(`no account ${name}`);
		return found.simulator;
	};
	return {
		...onScreen,
		platformOf,
		/** Returns the requests that change a computer, as the platform of the account received them. */
		operationRequests: (name: string) => operationRequestsOf(platformOf(name)),
	};
}
